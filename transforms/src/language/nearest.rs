//! The known name that a misspelt one may have meant.

/// `, did you mean ...?` with the name that differs least, if one differs by two letters at most.
pub fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = known.into_iter().map(|other| (changes(name, other), other));
    let near = near.filter(|(n, other)| *n <= 2 && *n < other.len().min(name.len()));
    match near.min_by_key(|(n, _)| *n) {
        Some((_, other)) => format!(", did you mean `{other}`?"),
        None => String::new(),
    }
}

/// Letters to insert, remove or replace; two that changed places count as one change.
fn changes(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let replaced = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn a_slip_of_the_pen_is_seen_and_another_word_is_not() {
        let known = ["shared", "scalar", "own_cell", "uses"];
        for (name, said) in [
            ("shard", ", did you mean `shared`?"),
            ("sahred", ", did you mean `shared`?"),
            ("own_cells", ", did you mean `own_cell`?"),
            ("dead", ""),
            ("u", ""),
        ] {
            assert_eq!(meant(name, known), said, "{name}");
        }
    }
}
