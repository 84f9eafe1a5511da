//! The generator itself: how many kernels there are, and that none is missing or there twice.

use gridlock_generation::random::enumerate::{GlobalCell, Grammar, Leaf, Rounds, Test};
use gridlock_semantics::well_formed::check_well_formed;
use std::collections::BTreeSet;

/// Counted by hand from the grammar: with 2 leaves (one names a place), one test and one loop,
/// lists of size n are `L(0) = 1`, `L(n) = Σ S(k)·L(n−k)` with `S(1) = 2`,
/// `S(k) = Σ L(i)·L(k−1−i) + L(k−1)`.
#[test]
fn as_many_kernels_as_the_grammar_says() {
    let tiny = Grammar {
        leaves: vec![Leaf::Load(GlobalCell::Zero), Leaf::Barrier],
        tests: vec![Test::Thread],
        rounds: vec![Rounds::Two],
    };
    let (mut lists, mut singles) = (vec![1usize], vec![0usize]);
    for n in 1..=4usize {
        let branches: usize = (0..n).map(|i| lists[i] * lists[n - 1 - i]).sum();
        singles.push(if n == 1 { 2 } else { branches + lists[n - 1] });
        lists.push((1..=n).map(|k| singles[k] * lists[n - k]).sum());
        assert_eq!(tiny.of_size(n).len(), lists[n], "size {n}");
    }
    assert_eq!(lists, [1, 2, 10, 66, 498]);
}

#[test]
fn every_kernel_once_and_well_formed() {
    for (grammar, size, expected) in [(Grammar::full(), 2, 564), (Grammar::core(), 3, 1_614)] {
        let kernels = grammar.up_to(size);
        let texts: BTreeSet<String> = kernels.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), kernels.len());
        assert_eq!(kernels.len(), expected);
        for (number, kernel) in kernels.iter().enumerate() {
            let g = kernel.generated(1, 2, number as u64);
            assert_eq!(check_well_formed(&g.program), Ok(()), "{kernel}");
        }
    }
}

/// What is left out is another name for what is there, or can never run.
#[test]
fn kernels_left_out_are_other_names() {
    let kernels = Grammar::full().up_to(2);
    let has = |text: &str| kernels.iter().any(|k| k.to_string() == text);
    assert!(has("g[0] = t + 1; g[1] = t + 1;") && !has("g[1] = t + 1; g[0] = t + 1;"));
    assert!(has("g[t] = g[1 - t];") && !has("g[1 - t] = g[t];"));
    assert!(has("__syncthreads(); return;") && !has("return; __syncthreads();"));
    assert!(has("if (t) { return; }") && has("if (x) { x = g[0]; }"));
}
