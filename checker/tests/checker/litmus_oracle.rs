//! Whatever the explorer passes under `sc-if-synchronised` has no outcome on the axiomatic GPU that
//! interleaving does not have: on random litmus programs, and on those with names.

use crate::litmus::*;
use crate::planted::exchanged;
use gridlock_checker::automaton::{Automaton, Keeps};
use gridlock_checker::compiled::compile;
use gridlock_checker::explore::{ExploreOptions, explore};
use gridlock_checker::limits::Limits;
use gridlock_checker::order::races_along;
use gridlock_checker::order::synchronisation::Tracked;
use gridlock_checker::replay;
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::effort;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Scope};
use gridlock_semantics::profile::Profile;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A reproducible source of choices (splitmix64).
struct Choices(u64);

impl Choices {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// A program of atomics, fences and few plain accesses. Places from `first_plain` on are plain
/// data; in some programs everything goes.
fn random(choices: &mut Choices) -> Litmus {
    let n_threads = 2 + choices.one_in(3) as usize;
    let (n_flags, n_data) = if choices.one_in(2) { (2, 0) } else { (1, 1) };
    let n_phases = 1 + choices.one_in(4) as usize;
    let apart = choices.one_in(2);
    let longest = if n_threads == 2 { 3 } else { 2 };
    let narrow = choices.one_in(4);
    let mut threads = Vec::new();
    for _ in 0..n_threads {
        let mut budget = longest;
        let mut next_register = 0;
        let mut phases = Vec::new();
        for _ in 0..n_phases {
            let mut stmts = Vec::new();
            for _ in 0..=choices.below(longest) {
                if budget == 0 {
                    break;
                }
                budget -= 1;
                let scope = |choices: &mut Choices| match narrow && choices.one_in(3) {
                    true => Scope::Block,
                    false => Scope::Device,
                };
                if choices.one_in(3) {
                    stmts.push(Stmt::Fence(scope(choices)));
                }
                let is_data = n_data > 0 && choices.one_in(2);
                if is_data {
                    let inner = if choices.one_in(2) {
                        Stmt::Write(n_flags, 1)
                    } else {
                        next_register += 1;
                        Stmt::Read(next_register - 1, n_flags)
                    };
                    if next_register > 0 && choices.one_in(2) {
                        stmts.push(Stmt::When(0, choices.below(2) as i32, vec![inner]));
                    } else {
                        stmts.push(inner);
                    }
                    continue;
                }
                let place = choices.below(n_flags);
                let register = choices.one_in(2).then(|| {
                    next_register += 1;
                    next_register - 1
                });
                let (function, operands) = match choices.below(5) {
                    0 => (AtomicFn::Add, vec![0]),
                    1 => (AtomicFn::Add, vec![1]),
                    2 | 3 => (AtomicFn::Exch, vec![1]),
                    _ => (AtomicFn::Cas, vec![choices.below(2) as i32, 1]),
                };
                let atomic = Stmt::Rmw {
                    function,
                    place,
                    operands,
                    register,
                    scope: scope(choices),
                };
                if next_register > 1 && choices.one_in(4) {
                    stmts.push(Stmt::When(0, 1, vec![atomic]));
                } else {
                    stmts.push(atomic);
                }
                if choices.one_in(3) {
                    stmts.push(Stmt::Fence(scope(choices)));
                }
            }
            phases.push(stmts);
        }
        threads.push(phases);
    }
    let litmus = Litmus {
        threads,
        n_places: n_flags + n_data,
        n_blocks: 1,
        shared: false,
        grid_barriers: false,
    };
    if apart { litmus.apart() } else { litmus }
}

/// Threads that count on one of two places and write plainly to one, some only where they read a
/// certain value: resets of a counter, of the right one and by the right thread or not.
fn resets(choices: &mut Choices) -> Litmus {
    let n_threads = 2 + choices.one_in(4) as usize;
    let n_places = 1 + choices.one_in(3) as usize;
    let threads = (0..n_threads).map(|_| {
        let count = |choices: &mut Choices, register| Stmt::Rmw {
            function: match choices.one_in(5) {
                true => AtomicFn::Exch,
                false => AtomicFn::Add,
            },
            place: choices.below(n_places),
            operands: vec![1],
            register,
            scope: match choices.one_in(8) {
                true => Scope::Block,
                false => Scope::Device,
            },
        };
        let seen = (!choices.one_in(6)).then_some(0);
        let mut thread = vec![count(choices, seen)];
        if choices.one_in(3) {
            thread.push(FENCE);
        }
        let write = Stmt::Write(choices.below(n_places), 2);
        match choices.below(5) {
            0 => {}
            1 => thread.push(write),
            _ => {
                let last = n_threads as i32 - 1 - choices.one_in(4) as i32;
                thread.push(Stmt::When(0, last, vec![write]));
            }
        }
        if choices.one_in(6) {
            thread.push(count(choices, Some(1)));
        }
        thread
    });
    let litmus = Litmus::new(n_places, threads.collect());
    match choices.below(3) {
        0 => litmus.apart(),
        1 => litmus.in_shared_memory(),
        _ => litmus,
    }
}

/// What the machine shows beyond interleaving.
fn beyond(litmus: &Litmus, exploration: &gridlock_checker::explore::Exploration) -> Vec<Seen> {
    let interleaved = observed(exploration);
    let weak = axioms::outcomes(litmus, 3);
    weak.difference(&interleaved).cloned().collect()
}

/// How often each answer was given, and how often the machine showed more than interleaving where
/// that is what the answer says.
fn check_random(seeds: std::ops::Range<u64>) -> BTreeMap<&'static str, usize> {
    let profile = Profile::default();
    let mut counts = BTreeMap::new();
    for seed in seeds {
        let litmus = random(&mut Choices(seed));
        let exploration = litmus.explore(&profile);
        let verdict = verdict(&exploration);
        *counts.entry(verdict).or_default() += 1;
        if matches!(verdict, "passed" | "weak-memory") {
            let beyond = beyond(&litmus, &exploration);
            if verdict == "passed" {
                assert!(
                    beyond.is_empty(),
                    "seed {seed}: passed, but the machine also shows {beyond:?}\n{litmus:#?}"
                );
            } else if !beyond.is_empty() {
                *counts.entry("shown").or_default() += 1;
            }
        }
    }
    counts
}

#[test]
fn what_passes_has_no_weak_outcome() {
    let counts = check_random(0..effort::cases(100, 5_000));
    // The test says something only if programs of all kinds come up, and if the axioms are weak
    // enough to show what the answer `weak-memory` warns of.
    for (what, least) in [
        ("passed", 30),
        ("weak-memory", 6),
        ("race", 6),
        ("shown", 2),
    ] {
        let count = counts.get(what).copied().unwrap_or(0);
        assert!(count >= least, "{counts:?}");
    }
    assert!(!counts.contains_key("limit"), "{counts:?}");
}

/// What passes although a plain write meets atomics has no weak outcome either; and a run shows a
/// race in its replay just where some search finds one.
#[test]
fn resets_that_pass_have_no_weak_outcome() {
    let profile = Profile::default();
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for seed in 0..effort::cases(125, 5_000) {
        let litmus = resets(&mut Choices(seed));
        let exploration = litmus.explore(&profile);
        let verdict = verdict(&exploration);
        *counts.entry(verdict).or_default() += 1;
        let (program, setup) = (litmus.kernel(), litmus.setup());
        let system = ExploredProgram::new(&program, &setup, &profile).expect("it fits");
        let mut schedules = exploration.outcomes.values();
        let shows = schedules.any(|schedule| !races_along(&system, schedule).findings.is_empty());
        match verdict {
            "race" => {
                for finding in &exploration.findings {
                    assert!(replay::shows(&program, &setup, &profile, finding), "{seed}");
                }
            }
            _ => assert!(!shows, "seed {seed}: {verdict}\n{litmus:#?}"),
        }
        if verdict == "passed" {
            let interleaved = observed(&exploration);
            let weak = axioms::outcomes(&litmus, 5);
            let beyond: Vec<&Seen> = weak.difference(&interleaved).collect();
            assert!(beyond.is_empty(), "seed {seed}: {beyond:?}\n{litmus:#?}");
            let writes = format!("{:?}", litmus.threads).contains("Write");
            *counts.entry("reset").or_default() += writes as usize;
        }
    }
    for (what, least) in [("passed", 10), ("reset", 4), ("race", 30)] {
        let count = counts.get(what).copied().unwrap_or(0);
        assert!(count >= least, "{counts:?}");
    }
}

/// The compiled core keeps the order of accesses as the reference does: outcomes and reasons are
/// the same; and a fence left out in what is compiled shows in the reasons.
#[test]
fn the_compiled_order_is_that_of_the_reference() {
    let profile = Profile::default();
    let options = ExploreOptions {
        reduction: false,
        ..ExploreOptions::default()
    };
    let limits = Limits::default();
    let no_fence = |basic: &Basic| match basic {
        Basic::Fence { .. } => Some(Basic::Assert {
            cond: Expr::bool(true),
        }),
        _ => None,
    };
    let (mut weak, mut strong, mut seen) = (0, 0, 0);
    let (first, count) = (effort::first(0), effort::cases(30, 3_000));
    for seed in (0..count).map(|case| first.wrapping_add(case)) {
        let litmus = match seed % 3 {
            2 => resets(&mut Choices(seed)),
            _ => random(&mut Choices(seed)),
        };
        let (program, setup) = (litmus.kernel(), litmus.setup());
        let system = ExploredProgram::new(&program, &setup, &profile).expect("it fits");
        let system = Arc::new(system);
        let reference = Tracked::new(&system);
        let expected = explore(&reference, &limits, &options);
        let reasons = reference.reasons();
        let program = system.program();
        let without = exchanged(program, &no_fence);
        for (program, planted) in [(&**program, false), (&without, true)] {
            let (system, compiled) = (system.clone(), compile(program));
            let automaton = Automaton::keeping(system, &compiled, &setup, Keeps::Order);
            let automaton = automaton.expect("an automaton");
            let found = explore(&automaton, &limits, &options);
            if planted {
                seen += u64::from(automaton.reasons() != reasons);
                continue;
            }
            assert!(found.complete && expected.complete, "{seed}");
            assert!(found.outcomes.keys().eq(expected.outcomes.keys()), "{seed}");
            assert_eq!(found.findings.len(), expected.findings.len(), "{seed}");
            assert_eq!(automaton.reasons(), reasons, "{seed}");
            weak += u64::from(!reasons.is_empty());
            strong += u64::from(reasons.is_empty());
        }
    }
    assert!(weak.min(strong) * 8 > count, "{weak} {strong} of {count}");
    assert!(seen * 24 > count, "{seen} of {count}");
}
