//! The compiled core against the reference semantics, on random kernels.

use gridlock_checker::automaton::{Automaton, Unfit};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{
    Exploration, ExploreOptions, ExploredProgram, Outcome, explore, explore_threadwise,
};
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::{confirm_in, observation_after};
use gridlock_semantics::generate::{Generated, Sizes, unrestricted};
use gridlock_semantics::profile::Profile;
use std::collections::BTreeSet;
use std::sync::Arc;

/// States of the reference's search before a program is left out.
const MOST_STATES: u64 = 3_000;

fn limits() -> Limits {
    Limits {
        states: MOST_STATES,
        ..Limits::default()
    }
}

fn options(reduction: bool) -> ExploreOptions {
    ExploreOptions {
        reduction,
        ..ExploreOptions::default()
    }
}

fn races(found: &Exploration) -> BTreeSet<(u32, u32)> {
    let ops = found.findings.iter().filter_map(|f| match &f.evidence {
        Evidence::Race { first, second } => {
            Some((first.op.0.min(second.op.0), first.op.0.max(second.op.0)))
        }
        _ => None,
    });
    ops.collect()
}

fn automaton(
    generated: &Generated,
    profile: &Profile,
) -> (Arc<ExploredProgram>, Result<Automaton, Unfit>) {
    let reference = ExploredProgram::new(&generated.program, &generated.setup, profile);
    let Ok(reference) = reference.map(Arc::new) else {
        panic!("seed {} is no program", generated.seed);
    };
    let compiled = compile(reference.program());
    let automaton = Automaton::of(reference.clone(), &compiled, &generated.setup);
    (reference, automaton)
}

#[derive(Default)]
struct Tally {
    fit: u32,
    judged: u32,
    racy: u32,
    faulty: u32,
    deadlocked: u32,
    fewer_states: u32,
}

fn agree(generated: &Generated, profile: &Profile, tally: &mut Tally) {
    let seed = (generated.seed, &profile.name);
    let (reference, automaton) = automaton(generated, profile);
    let Ok(automaton) = automaton else {
        return;
    };
    tally.fit += 1;
    let expected = explore(&*reference, &limits(), &options(false));
    if !expected.complete {
        return;
    }
    let full = explore(&automaton, &limits(), &options(false));
    let reduced = explore_threadwise(&automaton, &limits(), &options(true));
    for found in [&full, &reduced] {
        assert!(found.complete, "{seed:?} {:?}", found.limits_hit);
        let outcomes: Vec<_> = found.outcomes.keys().collect();
        let wanted: Vec<_> = expected.outcomes.keys().collect();
        assert_eq!(outcomes, wanted, "{seed:?}");
        assert_eq!(races(found), races(&expected), "{seed:?}");
        for finding in &found.findings {
            let confirmed = confirm_in(&reference, finding);
            assert!(confirmed.is_some(), "{seed:?} {finding:?}");
        }
        for (outcome, schedule) in &found.outcomes {
            let seen = observation_after(&reference, schedule);
            match outcome {
                Outcome::Observation(wanted) => assert_eq!(seen.as_ref(), Some(wanted), "{seed:?}"),
                Outcome::Fault { .. } | Outcome::Deadlock => assert_eq!(seen, None, "{seed:?}"),
            }
        }
    }
    assert!(
        full.statistics.states <= expected.statistics.states,
        "{seed:?}"
    );
    let has = |kind: &str| expected.findings.iter().any(|f| f.kind.name() == kind) as u32;
    let is_fault =
        |f: &gridlock_checker::finding::Finding| matches!(f.evidence, Evidence::Fault(_));
    tally.judged += 1;
    tally.racy += has("data-race");
    tally.deadlocked += has("deadlock");
    tally.faulty += expected.findings.iter().any(is_fault) as u32;
    tally.fewer_states += (2 * full.statistics.states < expected.statistics.states) as u32;
}

/// Outcomes, races, deadlocks and faults are those of the reference, in full and in reduced
/// search; every finding replays on the reference, and every schedule leads to its outcome.
#[test]
fn the_automaton_does_what_the_reference_does() {
    let profiles: Vec<Profile> = ["cuda", "cuda-hw", "portable"]
        .iter()
        .filter_map(|name| Profile::named(name))
        .collect();
    let n: u64 = if cfg!(debug_assertions) { 150 } else { 20_000 };
    let mut tally = Tally::default();
    for seed in 0..n {
        let generated = unrestricted(seed, &Sizes::default());
        agree(&generated, &profiles[(seed % 3) as usize], &mut tally);
    }
    let n = n as u32;
    assert!(tally.fit > n / 2, "{} of {n} are automata", tally.fit);
    assert!(tally.judged > n / 3, "{}", tally.judged);
    assert!(tally.racy > n / 10 && tally.faulty > n / 10);
    assert!(tally.fewer_states > n / 10, "{}", tally.fewer_states);
}
