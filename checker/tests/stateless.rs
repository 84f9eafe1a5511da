//! The stateless search against the full stateful one, on random kernels; and the number of runs
//! it follows, where theory says how many there are.

mod kernels;

use gridlock_checker::automaton::{Automaton, Touch};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::stateless::dependence::{ByAccess, Dependence};
use gridlock_checker::explore::stateless::explore_automaton;
use gridlock_checker::explore::{
    Exploration, ExploreOptions, ExploredProgram, Outcome, explore,
};
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_checker::replay::{confirm_in, observation_after};
use gridlock_semantics::generate::enumerate::Grammar;
use gridlock_semantics::generate::{Generated, Sizes, unrestricted};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::program::Program;
use gridlock_semantics::setup::Setup;
use std::collections::BTreeSet;
use std::sync::Arc;

/// States of the full search before a program is left out.
const MOST_STATES: u64 = 3_000;

fn limits() -> Limits {
    Limits {
        states: MOST_STATES,
        ..Limits::default()
    }
}

/// Steps of the stateless search.
fn steps() -> Limits {
    Limits {
        states: 2_000_000,
        ..Limits::default()
    }
}

fn full() -> ExploreOptions {
    ExploreOptions {
        reduction: false,
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

/// The launch on the reference semantics, and as an automaton if it is one.
fn both(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
) -> (Arc<ExploredProgram>, Option<Automaton>) {
    let reference = ExploredProgram::new(program, setup, profile).expect("well-formed");
    let reference = Arc::new(reference);
    let compiled = compile(reference.program());
    let automaton = Automaton::of(reference.clone(), &compiled, setup).ok();
    (reference, automaton)
}

/// What two searches say differently; `None` where they agree.
fn difference(wanted: &Exploration, found: &Exploration) -> Option<String> {
    let outcomes = |e: &Exploration| e.outcomes.keys().cloned().collect::<Vec<_>>();
    let stuck = |e: &Exploration| {
        let mut all: Vec<_> = e.deadlocks.iter().map(|d| format!("{:?}", d.positions)).collect();
        all.sort();
        all
    };
    let (a, b) = (outcomes(wanted), outcomes(found));
    if a != b {
        return Some(format!("outcomes {a:?}, not {b:?}"));
    }
    let (a, b) = (races(wanted), races(found));
    if a != b {
        return Some(format!("races {a:?}, not {b:?}"));
    }
    let (a, b) = (stuck(wanted), stuck(found));
    if a != b {
        return Some(format!("deadlocks {a:?}, not {b:?}"));
    }
    (wanted.cycle && !found.cycle || !wanted.cycle && found.cycle)
        .then(|| format!("cycle {} {}", wanted.cycle, found.cycle))
}

/// Every finding replays on the reference, and every schedule leads to its outcome.
fn replays(reference: &ExploredProgram, found: &Exploration, what: &dyn std::fmt::Debug) {
    for finding in &found.findings {
        assert!(confirm_in(reference, finding).is_some(), "{what:?} {finding:?}");
    }
    for (outcome, schedule) in &found.outcomes {
        let seen = observation_after(reference, schedule);
        match outcome {
            Outcome::Observation(wanted) => assert_eq!(seen.as_ref(), Some(wanted), "{what:?}"),
            Outcome::Fault { .. } | Outcome::Deadlock => assert_eq!(seen, None, "{what:?}"),
        }
    }
}

#[derive(Default, Debug)]
struct Tally {
    judged: u32,
    racy: u32,
    faulty: u32,
    deadlocked: u32,
    fewer_steps: u32,
    cut: u32,
}

fn judge(generated: &Generated, profile: &Profile, tally: &mut Tally) {
    let what = (generated.seed, &profile.name);
    let (reference, automaton) = both(&generated.program, &generated.setup, profile);
    let Some(automaton) = automaton else {
        return;
    };
    let wanted = explore(&automaton, &limits(), &full());
    if !wanted.complete {
        return;
    }
    let found = explore_automaton(&automaton, &ByAccess, &steps(), &full());
    let found = found.expect("steps it knows");
    if !found.complete {
        tally.cut += 1;
        return;
    }
    let difference = difference(&wanted, &found);
    assert_eq!(difference, None, "{what:?}");
    replays(&reference, &found, &what);
    let has = |kind: &str| found.findings.iter().any(|f| f.kind.name() == kind) as u32;
    let faults = found.findings.iter().filter(|f| matches!(f.evidence, Evidence::Fault(_)));
    tally.judged += 1;
    tally.racy += has("data-race");
    tally.deadlocked += has("deadlock");
    tally.faulty += (faults.count() > 0) as u32;
    tally.fewer_steps += (found.statistics.transitions < wanted.statistics.transitions) as u32;
}

/// Lemma: outcomes, faults, deadlocks and racing operators are those of the full search.
#[test]
fn the_stateless_search_loses_nothing() {
    let profiles: Vec<Profile> = ["cuda", "cuda-hw", "portable"]
        .iter()
        .filter_map(|name| Profile::named(name))
        .collect();
    let n: u64 = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(1_500);
    let mut tally = Tally::default();
    for seed in 0..n {
        let generated = unrestricted(seed, &Sizes::default());
        judge(&generated, &profiles[(seed % 3) as usize], &mut tally);
    }
    eprintln!("{tally:?}");
}
