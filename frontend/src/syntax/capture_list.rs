//! The captures of a lambda as its text writes them: clang's tree does not tell `[x]` from `[x = x]`.

/// One capture, without `&` and `...`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Capture<'t> {
    name: &'t str,
    is_computed: bool,
}

impl<'t> Capture<'t> {
    /// The name that it gives to what it computes.
    pub fn computed(&self) -> Option<&'t str> {
        self.is_computed.then_some(self.name)
    }
}

/// The explicit captures, in order; none where the text is not that of a lambda (a macro wrote it).
pub(crate) fn written(text: &str) -> Vec<Capture<'_>> {
    let Some(inside) = text.strip_prefix('[').and_then(bracketed) else {
        return vec![];
    };
    let parts = parts(inside).into_iter().map(str::trim);
    let explicit = parts.filter(|part| !matches!(*part, "" | "&" | "="));
    explicit.map(capture).collect()
}

fn capture(part: &str) -> Capture<'_> {
    let part = part.trim_start_matches(['&', '.', '*', ' ']);
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let end = part.find(|c| !is_of_name(c)).unwrap_or(part.len());
    let (name, rest) = part.split_at(end);
    let is_computed = rest.trim_start().starts_with(['=', '{', '(']);
    Capture { name, is_computed }
}

/// The text before the bracket that closes the list.
fn bracketed(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            ']' if depth == 0 => return Some(&text[..at]),
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The parts between commas outside of brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            ',' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            '[' | '(' | '{' | '<' => depth += 1,
            ']' | ')' | '}' | '>' => depth -= 1,
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_are_told_apart() {
        let check = |text: &str, expected: &[(&str, bool)]| {
            let found = written(text);
            let found: Vec<_> = found.iter().map(|c| (c.name, c.is_computed)).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("[x = n * 2, o](int i) {}", &[("x", true), ("o", false)]);
        check("[=, &r = a[3], this] {}", &[("r", true), ("this", false)]);
        check(
            "[x{f(1, 2)}, *this, &y] {}",
            &[("x", true), ("this", false), ("y", false)],
        );
        check("[&](int i) {}", &[]);
        check("LAMBDA(x)", &[]);
    }
}
