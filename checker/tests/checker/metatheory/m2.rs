//! **M2.** At access granularity, firing any set of threads with the same head operator adds no
//! outcome to firing one thread at a time, and loses none; `merge` may be by write or by value.
//! At operator granularity it does add outcomes.

use super::schedules::{self, End};
use gridlock_generation::effort;
use gridlock_generation::random::enumerate::{Grammar, Leaf, Small};
use gridlock_generation::random::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::{Firing, Granularity, Merge, Profile};
use gridlock_semantics::setup::Contents;
use rayon::prelude::*;

fn profile(granularity: Granularity, firing: Firing, merge: Merge) -> Profile {
    let mut profile = Profile::default();
    profile.axes.granularity = granularity;
    profile.axes.firing = firing;
    profile.axes.merge = merge;
    profile
}

/// Whether firing sets has the same ends as firing one; `None` where there are too many states.
fn agree(g: &Generated, granularity: Granularity, merge: Merge) -> Option<bool> {
    let one = profile(granularity, Firing::One, merge);
    let set = profile(granularity, Firing::Set, merge);
    let one = schedules::all(g, &one, 1_500)?;
    let set = schedules::all(g, &set, 1_500)?;
    Some(one.ends == set.ends)
}

fn all_agree(kernels: &[Small], launch: (u32, u32), merge: Merge) {
    kernels.par_iter().enumerate().for_each(|(number, kernel)| {
        let g = kernel.generated(launch.0, launch.1, number as u64);
        let agreed = agree(&g, Granularity::Access, merge);
        assert_eq!(agreed, Some(true), "{kernel} {launch:?} {merge:?}");
    });
}

#[test]
fn sets_add_nothing_at_access_granularity() {
    let kernels = Grammar::full().with(Leaf::SyncWarp).up_to(2);
    assert_eq!(kernels.len(), 604);
    for merge in [Merge::ByWrite, Merge::ByValue] {
        for launch in [(1, 2), (2, 1)] {
            if !effort::is_next_done(3) {
                continue;
            }
            all_agree(&kernels, launch, merge);
        }
    }
    let kernels = Grammar::core().of_size(3);
    assert_eq!(kernels.len(), 1_520);
    all_agree(&kernels, (1, 2), Merge::ByWrite);
}

#[test]
fn random_larger_kernels() {
    let sizes = Sizes {
        threads: 2,
        blocks: 1,
        statements: 4,
        ..Sizes::default()
    };
    let compared = (0..effort::cases(100, 300))
        .into_par_iter()
        .filter(|&seed| {
            let agreed = agree(
                &unrestricted(seed, &sizes),
                Granularity::Access,
                Merge::ByWrite,
            );
            assert_ne!(agreed, Some(false), "seed {seed}");
            agreed.is_some()
        });
    let n_compared = compared.count();
    assert!(
        6 * n_compared > 5 * effort::cases(100, 300) as usize,
        "{n_compared} compared"
    );
}

/// The smallest example at operator granularity is a lost update inside one operator.
#[test]
fn one_operator_loses_an_update_at_operator_granularity() {
    let differing = |size: usize| -> Vec<String> {
        let kernels = Grammar::full().of_size(size);
        let differs = |kernel: &&Small| {
            let g = kernel.generated(1, 2, 0);
            agree(&g, Granularity::Operator, Merge::ByWrite) == Some(false)
        };
        let found = kernels.iter().filter(differs);
        found.map(ToString::to_string).collect()
    };
    assert_eq!(differing(1), ["g[0] = g[0] + 1;"]);
    assert_eq!(differing(2).len(), 53);
}

/// The other one of that size needs different contents at first: two threads swap two cells, which
/// one at a time they cannot.
#[test]
fn two_threads_swap_at_operator_granularity() {
    let kernels = Grammar::full().of_size(1);
    let swap = kernels.iter().find(|k| k.to_string() == "g[t] = g[1 - t];");
    let mut g = swap.expect("a kernel").generated(1, 2, 0);
    g.setup.arrays[0].contents = Contents::Values(vec![Value::i32(1), Value::i32(2)]);
    let contents = |granularity, firing| -> Vec<Vec<Value>> {
        let profile = profile(granularity, firing, Merge::ByWrite);
        let all = schedules::all(&g, &profile, 100).expect("few states");
        let cells = |end: &End| match end {
            End::Final(seen) => seen.arrays[0].cells.clone(),
            other => panic!("{other:?}"),
        };
        all.ends.iter().map(cells).collect()
    };
    let both = |a, b| vec![Value::i32(a), Value::i32(b)];
    let one_by_one = [both(1, 1), both(2, 2)];
    let swapped = [both(1, 1), both(2, 1), both(2, 2)];
    use {Firing::*, Granularity::*};
    assert_eq!(contents(Operator, One), one_by_one);
    assert_eq!(contents(Operator, Set), swapped);
    assert_eq!(contents(Access, One), swapped);
    assert_eq!(contents(Access, Set), swapped);
}
