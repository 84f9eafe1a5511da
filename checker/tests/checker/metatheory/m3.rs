//! **M3.** Under firing `one`, steps of different threads whose accesses do not conflict commute:
//! in either order both can fire, and lead to the same states. The explorer's reduction, which
//! rests on that, keeps every final outcome, every kind of fault, every deadlock and every pair of
//! racing operators. None of this is claimed for firing `set`, nor of livelock.

use super::schedules::{self, End, Schedules, conflict};
use gridlock_checker::explore::{Exploration, ExploreOptions, Outcome, explore_threadwise};
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::effort;
use gridlock_generation::random::enumerate::{Grammar, Leaf, Small};
use gridlock_generation::random::{Generated, Sizes, unrestricted};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::{Profile, Warps};
use gridlock_semantics::setup::Contents;
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::{Actor, Label, Rule};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// How many pairs of steps commuted, and how many conflicted.
fn commuting(g: &Generated, profile: &Profile, what: &dyn std::fmt::Display) -> (u64, u64) {
    let system = schedules::system(g, profile);
    let (mut n_commuting, mut n_conflicting) = (0, 0);
    schedules::all_with(&system, 2_000, &mut |_, found| {
        for (i, (a, after_a)) in found.iter().enumerate() {
            for (b, after_b) in &found[i + 1..] {
                let ends = |state: &State| state.end.is_some();
                if a.actors == b.actors || ends(after_a) || ends(after_b) {
                    continue;
                }
                if conflict(a, b) {
                    n_conflicting += 1;
                    continue;
                }
                let ab = then(&system, after_a, b);
                let ba = then(&system, after_b, a);
                assert!(!ab.is_empty() && ab == ba, "{what}: {a:?} and {b:?}");
                n_commuting += 1;
            }
        }
    });
    (n_commuting, n_conflicting)
}

/// The states reached by the transition that looks like `label`.
fn then(system: &ProgramSystem, state: &State, label: &Label) -> Vec<State> {
    // A block leaves its barrier as one; the label names the threads.
    let actors = match (label.rule, label.actors.first()) {
        (Rule::CollectiveBarrier, Some(Actor::Thread { block, .. })) => &[Actor::Block(*block)],
        _ => label.actors.as_slice(),
    };
    let fired = system.fire(state, actors);
    let same = fired.into_iter().filter(|(l, _)| l == label);
    same.map(|(_, next)| next).collect()
}

/// The condition is needed: two writes of one cell do not commute, nor a read and a write.
#[test]
fn steps_in_conflict_need_not_commute() {
    for text in ["g[0] = t + 1;", "g[t] = g[1 - t];"] {
        let kernels = Grammar::full().of_size(1);
        let kernel = kernels.iter().find(|k| k.to_string() == text);
        let mut g = kernel.expect("a kernel").generated(1, 2, 0);
        g.setup.arrays[0].contents = Contents::Values(vec![Value::i32(1), Value::i32(2)]);
        let system = schedules::system(&g, &Profile::default());
        let mut n_apart = 0;
        schedules::all_with(&system, 100, &mut |_, found| {
            if let [(a, after_a), (b, after_b)] = found
                && conflict(a, b)
            {
                n_apart += u32::from(then(&system, after_a, b) != then(&system, after_b, a));
            }
        });
        assert!(n_apart > 0, "{text}");
    }
}

fn add(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0 + b.0, a.1 + b.1)
}

#[test]
fn steps_without_conflict_commute() {
    let kernels = Grammar::full().with(Leaf::SyncWarp).up_to(2);
    assert_eq!(kernels.len(), 604);
    for (launch, expected) in [((1, 2), (5_282, 1_700)), ((2, 1), (5_802, 1_700))] {
        if !effort::is_next_done(2) {
            continue;
        }
        let counts = kernels
            .par_iter()
            .map(|kernel| {
                let g = kernel.generated(launch.0, launch.1, 0);
                commuting(&g, &Profile::default(), kernel)
            })
            .reduce(|| (0, 0), add);
        assert_eq!(
            counts, expected,
            "commuting and conflicting pairs, {launch:?}"
        );
    }
}

#[test]
fn steps_of_random_kernels_without_conflict_commute() {
    let sizes = Sizes {
        threads: 2,
        blocks: 1,
        statements: 4,
        ..Sizes::default()
    };
    let mut lockstep = Profile::default();
    lockstep.axes.warps = Warps::Lockstep(1);
    let (n_commuting, n_conflicting) = (0..effort::cases(75, 150))
        .into_par_iter()
        .map(|seed| {
            let g = unrestricted(seed, &sizes);
            let one = commuting(&g, &Profile::default(), &seed);
            add(one, commuting(&g, &lockstep, &seed))
        })
        .reduce(|| (0, 0), add);
    assert!(
        n_commuting > 500 && n_conflicting > 5,
        "{n_commuting}, {n_conflicting}"
    );
}

fn explore(system: &ExploredProgram, reduction: bool) -> Exploration {
    let options = ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    };
    explore_threadwise(system, &Limits::default(), &options)
}

fn races(found: &Exploration) -> BTreeSet<(OpId, OpId)> {
    let ops = found.findings.iter().filter_map(|f| match &f.evidence {
        Evidence::Race { first, second } => {
            Some((first.op.min(second.op), first.op.max(second.op)))
        }
        _ => None,
    });
    ops.collect()
}

/// Final contents, numbers of kinds of faults, whether there is a deadlock.
fn of_explorer(found: &Exploration) -> (BTreeSet<End>, usize, bool) {
    let finals = found.outcomes.keys().filter_map(|outcome| match outcome {
        Outcome::Observation(seen) => Some(End::Final(seen.clone())),
        _ => None,
    });
    let is_fault = |outcome: &&Outcome| matches!(outcome, Outcome::Fault { .. });
    (
        finals.collect(),
        found.outcomes.keys().filter(is_fault).count(),
        found.outcomes.contains_key(&Outcome::Deadlock),
    )
}

fn of_schedules(all: &Schedules) -> (BTreeSet<End>, usize, bool) {
    let is_fault = |end: &&End| matches!(end, End::Fault(_));
    (
        all.finals().into_iter().cloned().collect(),
        all.ends.iter().filter(is_fault).count(),
        all.ends.contains(&End::Deadlock),
    )
}

/// Whether the reduced search visited fewer states.
fn reduction_keeps(g: &Generated, profile: &Profile, what: &dyn std::fmt::Display) -> bool {
    let system = ExploredProgram::new(&g.program, &g.setup, profile).expect("well-formed");
    assert_eq!(system.irreducible(), None);
    let all = schedules::all(g, profile, 200_000).expect("few states");
    let (full, reduced) = (explore(&system, false), explore(&system, true));
    assert!(full.complete && reduced.complete, "{what}");
    assert_eq!(of_explorer(&full), of_schedules(&all), "{what}");
    assert!(full.outcomes.keys().eq(reduced.outcomes.keys()), "{what}");
    assert_eq!(races(&full), races(&reduced), "{what}");
    assert!(all.races.is_subset(&races(&full)), "{what}");
    reduced.statistics.states < full.statistics.states
}

fn all_kept(kernels: &[Small], launch: (u32, u32), profile: &str) -> usize {
    let profile = Profile::named(profile).expect("a named profile");
    kernels
        .par_iter()
        .filter(|kernel| {
            let g = kernel.generated(launch.0, launch.1, 0);
            reduction_keeps(&g, &profile, *kernel)
        })
        .count()
}

#[test]
fn the_reduction_keeps_what_matters() {
    let kernels = Grammar::full().with(Leaf::SyncWarp).up_to(2);
    assert_eq!(kernels.len(), 604);
    for (launch, profile, n_smaller) in [
        ((1, 2), "cuda", 496),
        ((1, 2), "cuda-hw", 496),
        ((2, 1), "cuda", 503),
    ] {
        if !effort::is_next_done(2) {
            continue;
        }
        assert_eq!(all_kept(&kernels, launch, profile), n_smaller);
    }
    let kernels = Grammar::core().of_size(3);
    assert_eq!(kernels.len(), 1_520);
    assert_eq!(all_kept(&kernels, (1, 2), "cuda"), 1_466);
}
