//! Arrays without extent on the automaton: what is found is what the reference finds, wherever runs
//! reach; searches that are cut go on.

use crate::kernels as k;
use gridlock_checker::explore::{
    Checkpoint, Exploration, ExploreOptions, Outcome, explore_system, explore_system_on,
    explore_threadwise,
};
use gridlock_checker::finding::Evidence;
use gridlock_checker::limits::Limits;
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::algebra::operator::{AtomicFn, Op};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::{MemoryModel, Profile};
use gridlock_semantics::setup::{Contents, Setup};
use gridlock_semantics::transition::fault::FaultKind;
use std::collections::BTreeSet;
use std::sync::Arc;

fn open(n_blocks: u32, n_threads: u32, contents: &[Contents]) -> Setup {
    let arrays: Vec<(u64, Contents)> = contents.iter().map(|c| (0, c.clone())).collect();
    let mut setup = k::launch(n_blocks, n_threads, &arrays);
    for array in &mut setup.arrays {
        array.extent = None;
    }
    setup
}

fn system(program: &Program, setup: &Setup) -> ExploredProgram {
    let mut profile = Profile::default();
    profile.axes.memory = MemoryModel::Sc;
    ExploredProgram::new(program, setup, &profile).expect("it fits")
}

fn unreduced() -> ExploreOptions {
    ExploreOptions {
        reduction: false,
        ..ExploreOptions::default()
    }
}

/// What races, faults and where it does.
fn seen(found: &Exploration) -> BTreeSet<String> {
    let of = |evidence: &Evidence| match evidence {
        Evidence::Race { first, second } => {
            let ops = (first.op.min(second.op), first.op.max(second.op));
            Some(format!("race {ops:?}"))
        }
        Evidence::Fault(fault) => Some(format!("{:?} {:?}", fault.kind, fault.op)),
        _ => None,
    };
    found
        .findings
        .iter()
        .filter_map(|f| of(&f.evidence))
        .collect()
}

fn statement(seed: u64, at: u32) -> Arc<Op> {
    let far = [0, 3, 14, 40, 700][seed as usize % 5];
    let index = match seed / 5 % 4 {
        0 => k::n(far),
        1 => k::add(k::tid(), k::n(far)),
        2 => k::add(k::int(1), k::n(far)),
        // Below the array now and then.
        _ => k::add(k::int(1), k::n(-1)),
    };
    match seed / 20 % 4 {
        0 => k::store(at, k::ptr(0), index, k::add(k::tid(), k::n(1))),
        1 => k::set(at, 1, k::load(k::ptr(0), index)),
        2 => k::store(at, k::ptr(0), index, k::n(0)),
        _ => {
            let place = k::cell(k::ptr(0), index);
            k::atomic(at, AtomicFn::Add, place, vec![k::n(1)], Some(1))
        }
    }
}

#[test]
fn runs_and_findings_are_those_of_the_reference() {
    let (mut n_faulty, mut n_racy, mut n_far) = (0, 0, 0);
    for seed in 0..400_u64 {
        let mut rng = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut next = || {
            rng ^= rng >> 29;
            rng = rng.wrapping_mul(0xbf58_476d_1ce4_e5b9);
            rng >> 8
        };
        let mut body = vec![k::set(1, 1, k::n(0))];
        body.extend((2..4 + next() as u32 % 2).map(|at| statement(next(), at)));
        let program = k::kernel(1, 1, &[], body);
        let (n_blocks, n_threads) = [(1, 2), (2, 1), (1, 3)][next() as usize % 3];
        let setup = open(n_blocks, n_threads, &[Contents::Zero]);
        let system = system(&program, &setup);
        let limits = Limits::default();
        let reference = explore_threadwise(&system, &limits, &unreduced());
        for options in [unreduced(), ExploreOptions::default()] {
            let found = explore_system(&system, &limits, &options);
            assert!(found.complete && reference.complete, "{seed}");
            let keys = |e: &Exploration| e.outcomes.keys().cloned().collect::<Vec<_>>();
            assert_eq!(keys(&found), keys(&reference), "{seed}");
            let (found, expected) = (seen(&found), seen(&reference));
            assert!(
                found.is_superset(&expected),
                "{seed}: {found:?} {expected:?}"
            );
            // Races that only happens-before shows are added to those of states.
            let only_races = found.difference(&expected).all(|f| f.starts_with("race"));
            assert!(only_races, "{seed}: {found:?} {expected:?}");
        }
        let findings = seen(&reference);
        n_faulty += findings.iter().any(|f| f.contains("OutOfBounds")) as u32;
        n_racy += findings.iter().any(|f| f.starts_with("race")) as u32;
        let longest = |o: &Outcome| match o {
            Outcome::Observation(seen) => seen.arrays[0].cells.len(),
            _ => 0,
        };
        n_far += (reference.outcomes.keys().map(longest).max() > Some(600)) as u32;
    }
    assert!(
        n_faulty > 30 && n_racy > 100 && n_far > 20,
        "{n_faulty} {n_racy} {n_far}"
    );
}

/// Below the array is outside; above it nobody knows.
#[test]
fn an_index_below_is_found_in_its_place() {
    let body = vec![k::store(7, k::ptr(0), k::add(k::tid(), k::n(-1)), k::n(1))];
    let program = k::kernel(1, 0, &[], body);
    let system = system(&program, &open(1, 2, &[Contents::Zero]));
    let found = explore_system(&system, &Limits::default(), &ExploreOptions::default());
    let faults = found.findings.iter().filter_map(|f| match &f.evidence {
        Evidence::Fault(fault) => Some(fault.kind.clone()),
        _ => None,
    });
    let faults: Vec<FaultKind> = faults.collect();
    let [FaultKind::OutOfBounds { index: -1, .. }] = faults.as_slice() else {
        panic!("{faults:?}");
    };
}

/// What grew in the first part is as long in the second.
#[test]
fn a_search_that_was_cut_goes_on() {
    let place = k::cell(k::ptr(0), k::n(90));
    let body = vec![
        k::atomic(2, AtomicFn::Add, place, vec![k::n(1)], Some(2)),
        k::store(3, k::ptr(1), k::add(k::int(2), k::n(200)), k::tid()),
        k::store(4, k::ptr(1), k::n(3), k::tid()),
    ];
    let program = k::kernel(2, 1, &[], body);
    let system = system(&program, &open(1, 3, &[Contents::Zero, Contents::Zero]));
    let options = unreduced();
    let at_once = explore_system_on(&system, &Limits::default(), &options, None);
    let (at_once, _) = at_once.expect("it keeps checkpoints");
    assert!(at_once.complete);
    let mut from: Option<Checkpoint> = None;
    let mut n_cuts = 0;
    let found = loop {
        let limits = Limits {
            states: 20 << (2 * n_cuts),
            ..Limits::default()
        };
        let searched = explore_system_on(&system, &limits, &options, from.as_ref());
        let (found, next) = searched.expect("a checkpoint of this search");
        let Some(next) = next else { break found };
        from = Some(next);
        n_cuts += 1;
    };
    assert!(
        n_cuts > 1 && found.complete,
        "{n_cuts} {:?}",
        found.limits_hit
    );
    assert_eq!(found.statistics.states, at_once.statistics.states);
    assert_eq!(found.outcomes, at_once.outcomes);
    assert_eq!(found.findings, at_once.findings);
}
