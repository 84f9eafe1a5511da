//! Naming threads and sets of threads.

use gridlock_checker::report::site::Site;
use gridlock_semantics::setup::Dim3;
use std::collections::BTreeSet;

/// `(3,0,0)`
pub fn coordinates(dims: Dim3) -> String {
    format!("({},{},{})", dims[0], dims[1], dims[2])
}

/// `4` or `4×2` or `4×2×1`: extents without the trailing ones.
pub fn extents(dims: Dim3) -> String {
    let n = (1..3).rev().find(|&i| dims[i] != 1).map_or(1, |i| i + 1);
    let parts: Vec<String> = dims[..n].iter().map(u32::to_string).collect();
    parts.join("×")
}

/// Who stands at a site: `thread (3,0,0) of block (1,0,0)`, or `the host`.
pub fn who(site: &Site) -> String {
    match (site.thread, site.block) {
        (Some(thread), Some(block)) => format!(
            "thread {} of block {}",
            coordinates(thread),
            coordinates(block)
        ),
        (Some(thread), None) => format!("thread {}", coordinates(thread)),
        (None, Some(block)) => format!("block {}", coordinates(block)),
        (None, None) => site.who.clone().unwrap_or_else(|| "the host".to_owned()),
    }
}

/// Names a set of threads of one block shortly: `threads (0..=31,0,0)`, `thread (4,0,0)`.
pub fn thread_set(threads: &BTreeSet<Dim3>) -> String {
    // Runs along x within each row (y, z).
    let mut runs: Vec<(u32, u32, u32, u32)> = Vec::new();
    let mut sorted: Vec<Dim3> = threads.iter().copied().collect();
    sorted.sort_by_key(|&[x, y, z]| (z, y, x));
    for [x, y, z] in sorted {
        match runs.last_mut() {
            Some((_, last, ry, rz)) if *ry == y && *rz == z && *last + 1 == x => *last = x,
            _ => runs.push((x, x, y, z)),
        }
    }
    const SHOWN: usize = 4;
    let mut parts: Vec<String> = runs
        .iter()
        .take(SHOWN)
        .map(|&(first, last, y, z)| {
            if first == last {
                format!("({first},{y},{z})")
            } else {
                format!("({first}..={last},{y},{z})")
            }
        })
        .collect();
    if runs.len() > SHOWN {
        let shown: u32 = runs.iter().take(SHOWN).map(|r| r.1 - r.0 + 1).sum();
        parts.push(format!("and {} more", threads.len() as u32 - shown));
    }
    let noun = if threads.len() == 1 {
        "thread"
    } else {
        "threads"
    };
    format!("{noun} {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(threads: &[Dim3], expected: &str) {
        assert_eq!(thread_set(&threads.iter().copied().collect()), expected);
    }

    #[test]
    fn sets() {
        check(&[[4, 0, 0]], "thread (4,0,0)");
        check(&[[0, 0, 0], [1, 0, 0], [2, 0, 0]], "threads (0..=2,0,0)");
        check(&[[0, 0, 0], [2, 0, 0]], "threads (0,0,0), (2,0,0)");
        check(
            &[[0, 1, 0], [0, 0, 0], [1, 0, 0]],
            "threads (0..=1,0,0), (0,1,0)",
        );
        let scattered: Vec<Dim3> = (0..10).map(|i| [2 * i, 0, 0]).collect();
        check(
            &scattered,
            "threads (0,0,0), (2,0,0), (4,0,0), (6,0,0), and 6 more",
        );
    }

    #[test]
    fn extents_drop_trailing_ones() {
        assert_eq!(extents([4, 1, 1]), "4");
        assert_eq!(extents([4, 1, 2]), "4×1×2");
        assert_eq!(extents([1, 1, 1]), "1");
    }
}
