//! The paper read literally: what its rules for barriers, `merge` and the start of blocks do.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::{Granularity, Merge, Profile};
use gridlock_semantics::transition::{Actor, Rule, TransitionSystem};

fn named(name: &str) -> Profile {
    Profile::named(name).expect("a named profile")
}

/// The final contents of the first array, and whether a deadlock is reachable.
fn finals(build: &Build, profile: Profile) -> (Vec<Vec<i128>>, bool) {
    let found = explore(&build.system_with(profile), 100_000);
    assert!(found.complete);
    let mut cells = Vec::new();
    let mut deadlock = false;
    for outcome in &found.outcomes {
        match outcome {
            Outcome::Final(seen) => cells.push(
                seen.arrays[0]
                    .cells
                    .iter()
                    .filter_map(|value| value.as_integer())
                    .collect(),
            ),
            Outcome::Deadlock => deadlock = true,
            Outcome::Fault(name) => panic!("{name}"),
        }
    }
    (cells, deadlock)
}

#[test]
fn a_barrier_increment_is_lost_when_two_threads_arrive_together() {
    let mut k = Build::kernel(1, 2);
    k.body(barrier());
    let system = k.system("paper-literal");
    let start = system.initial().remove(0);
    let (label, stuck) = fire(&system, &start, &[t(0), t(1)]);
    assert_eq!(label.rule, Rule::Merge);
    let mut found = Vec::new();
    system.successors(&stuck, &mut found);
    assert!(
        found.is_empty() && !system.is_final(&stuck),
        "both wait, counted once"
    );
    // Leaving one by one deadlocks as well; leaving together ends the run.
    let found = explore(&system, 1000);
    assert!(found.outcomes.contains(&Outcome::Deadlock));
    assert_eq!(found.outcomes.len(), 2);
    // The collective barrier has neither.
    let found = explore(&k.system("paper"), 1000);
    assert_eq!(found.outcomes.len(), 1);
    assert!(!found.outcomes.contains(&Outcome::Deadlock));
}

#[test]
fn threads_fire_together_only_at_the_same_operator() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0, 0]);
    k.body(if_else(
        eq(tid(), int(0)),
        store(&a, int(0), int(1)),
        store(&a, int(1), int(1)),
    ));
    let system = k.system("paper");
    let start = system.initial().remove(0);
    let (_, split) = fire(&system, &start, &[t(0), t(1)]);
    assert!(system.fire(&split, &[t(0), t(1)]).is_empty());
    // One that is about to fire R7 stands at another operator than one about to fire R6.
    let mut k = Build::kernel(1, 3);
    k.body(barrier());
    let system = k.system("paper-literal");
    let (_, state) = replay(&system, &[t(0)]);
    assert!(system.fire(&state, &[t(0), t(1)]).is_empty());
    assert_eq!(system.fire(&state, &[t(1), t(2)]).len(), 1);
}

/// Thread 0 does `x = x`, thread 1 `x = 1`, by one operator.
fn same_value_write() -> Build {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0]);
    let value = Expr::select(eq(tid(), int(0)), at(&a, int(0)), int(1));
    k.body(store(&a, int(0), value));
    k
}

#[test]
fn merge_by_value_loses_an_outcome() {
    let k = same_value_write();
    let mut by_value = named("paper");
    by_value.axes.merge = Merge::ByValue;
    assert_eq!(finals(&k, by_value).0, [[1]]);
    // By write, thread 0's write of what it read may win.
    assert_eq!(finals(&k, named("paper")).0, [[0], [1]]);
    let system = k.system("paper");
    assert_eq!(system.fire(&system.initial()[0], &[t(0), t(1)]).len(), 2);
}

#[test]
fn a_location_that_several_write_takes_the_value_of_any_one() {
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[9, 9]);
    k.body(store(&a, int(0), tid()));
    for profile in ["paper", "paper-literal"] {
        let system = k.system(profile);
        let after = system.fire(&system.initial()[0], &[t(0), t(1), t(2)]);
        let cells: Vec<_> = after
            .iter()
            .map(|(_, state)| system.observe(state).arrays[0].cells.clone())
            .collect();
        assert_eq!(cells.len(), 3);
        for n in 0..3 {
            // The other location is touched by none.
            assert!(cells.contains(&vec![Value::i32(n), Value::i32(9)]));
        }
    }
}

#[test]
fn atomics_fired_together_are_applied_one_after_another() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0, 0, 0]);
    let x = k.int("x");
    k.body(seq([
        atomic(AtomicFn::Add, &a, int(2), &[1], Some(x)),
        store(&a, tid(), v(x)),
    ]));
    let system = k.system("paper");
    let after = system.fire(&system.initial()[0], &[t(0), t(1)]);
    assert_eq!(after.len(), 2, "a ticket each, in either order");
    let (mut cells, deadlock) = finals(&k, named("paper"));
    cells.sort();
    assert_eq!(cells, [[0, 1, 2], [1, 0, 2]]);
    assert!(!deadlock);
    // Without a use of the results the order does not show.
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0]);
    k.body(atomic(AtomicFn::Add, &a, int(0), &[1], None));
    let system = k.system("paper");
    assert_eq!(system.fire(&system.initial()[0], &[t(0), t(1)]).len(), 1);
    assert_eq!(finals(&k, named("paper")).0, [[2]]);
}

/// Metatheory M2: the smallest example where firing sets shows more at operator granularity, two
/// threads that swap through one operator.
#[test]
fn firing_sets_adds_outcomes_at_operator_granularity_only() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[1, 2]);
    let other = op(BinaryOp::Sub, int(1), tid());
    k.body(store(&a, tid(), at(&a, other)));
    let (mut together, _) = finals(&k, named("paper"));
    together.sort();
    assert_eq!(together, [[1, 1], [2, 1], [2, 2]]);
    let mut alone = named("paper");
    alone.axes.firing = gridlock_semantics::profile::Firing::One;
    let (mut one, _) = finals(&k, alone);
    one.sort();
    assert_eq!(one, [[1, 1], [2, 2]], "no swap");
    // At access granularity firing one at a time has the swap as well.
    let mut access = named("paper");
    access.axes.granularity = Granularity::Access;
    let (mut sets, _) = finals(&k, access);
    sets.sort();
    let (mut singles, _) = finals(&k, named("cuda"));
    singles.sort();
    assert_eq!(sets, together);
    assert_eq!(singles, together);
}

#[test]
fn no_block_starts_while_a_started_one_is_left_out() {
    let mut k = Build::kernel(2, 1);
    let a = k.array("a", &[0, 0]);
    k.body(seq([store(&a, bid(), int(1)), store(&a, bid(), int(2))]));
    let b = |block| Actor::Thread { block, thread: 0 };
    let system = k.system("paper");
    let start = system.initial().remove(0);
    let (_, one) = fire(&system, &start, &[b(0)]);
    assert!(
        system.fire(&one, &[b(1)]).is_empty(),
        "block 0 has started and is left out"
    );
    // It may take part in the transition that starts block 1.
    let (label, both) = fire(&system, &one, &[b(0), b(1)]);
    assert_eq!(label.rule, Rule::Merge);
    assert_eq!(label.actors, [b(0), b(1)]);
    // A finished block bars nobody (a deviation from the letter of the paper).
    assert_eq!(fire(&system, &both, &[b(1)]).0.rule, Rule::R1);
    let (_, done) = fire(&system, &one, &[b(0)]);
    assert_eq!(fire(&system, &done, &[b(1)]).0.rule, Rule::R1);
    // Blocks that start together may interleave as they like.
    let (_, together) = fire(&system, &start, &[b(0), b(1)]);
    assert_eq!(system.fire(&together, &[b(0)]).len(), 1);
    assert_eq!(system.fire(&together, &[b(1)]).len(), 1);
}

#[test]
fn residency_bounds_the_blocks_in_progress() {
    use gridlock_semantics::profile::{NextBlock, Residency};
    let mut k = Build::kernel(3, 1);
    let a = k.array("a", &[0; 3]);
    k.body(seq([store(&a, bid(), int(1)), store(&a, bid(), int(2))]));
    let b = |block| Actor::Thread { block, thread: 0 };
    let with = |residency, next| {
        let mut profile = Profile::default();
        profile.axes.safety.residency = residency;
        profile.axes.safety.next = next;
        k.system_with(profile)
    };
    // After block 0 has begun: may block 1, and may block 2?
    for (residency, next, expected) in [
        (Residency::AllResident, NextBlock::Any, [true, true]),
        (Residency::AllResident, NextBlock::InOrder, [true, false]),
        (Residency::RunToCompletion, NextBlock::Any, [false, false]),
        (Residency::Resident(1), NextBlock::Any, [false, false]),
        (Residency::Resident(2), NextBlock::Any, [true, true]),
        (Residency::StartRule, NextBlock::Any, [false, false]),
    ] {
        let system = with(residency, next);
        let (_, one) = replay(&system, &[b(0)]);
        let may = [b(1), b(2)].map(|actor| !system.fire(&one, &[actor]).is_empty());
        assert_eq!(may, expected, "{residency:?} {next:?}");
        // A finished block frees its place.
        let (_, done) = replay(&system, &[b(0), b(0)]);
        assert_eq!(system.fire(&done, &[b(1)]).len(), 1);
    }
    let every = with(Residency::EveryResident, NextBlock::Any);
    let starts = every.initial();
    assert_eq!(starts.len(), 3, "one for each number of resident blocks");
    let may_start_second: Vec<bool> = starts
        .iter()
        .map(|start| {
            let (_, one) = fire(&every, start, &[b(0)]);
            !every.fire(&one, &[b(1)]).is_empty()
        })
        .collect();
    assert_eq!(may_start_second, [false, true, true]);
}

#[test]
fn a_write_that_meets_a_failing_thread_is_a_fault() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0]);
    k.body(store(&a, tid(), int(1)));
    let system = k.system("paper");
    let (label, last) = fire(&system, &system.initial()[0], &[t(0), t(1)]);
    assert_eq!(label.fault.as_ref().map(|f| f.actor), Some(t(1)));
    assert!(last.fault().is_some());
}

#[test]
fn fences_order_nothing_more_under_interleaving() {
    let mut k = Build::kernel(1, 1);
    k.body(basic(Basic::Fence {
        scope: gridlock_semantics::algebra::operator::Scope::Device,
    }));
    let (labels, _) = replay(&k.system("cuda"), &[t(0)]);
    assert_eq!(labels[0].rule, Rule::R1);
    assert!(!labels[0].is_visible());
}

#[test]
fn a_return_from_a_call_is_not_the_call() {
    let mut k = Build::kernel(1, 2);
    let f = k.procedure("f", gridlock_semantics::algebra::program::ProcKind::Device);
    let x = k.var_of(f, "x", gridlock_semantics::algebra::types::Type::I32);
    k.body_of(f, assign(x, int(0)));
    k.body(call(f, vec![], None));
    let system = k.system("paper");
    // Thread 0 is about to return from the call that thread 1 is about to make.
    let (_, state) = replay(&system, &[t(0), t(0)]);
    assert!(system.fire(&state, &[t(0), t(1)]).is_empty());
    let (label, _) = fire(&system, &state, &[t(0)]);
    assert_eq!(label.rule, Rule::R5);
}

#[test]
fn a_block_that_left_a_barrier_has_started() {
    use gridlock_semantics::profile::Residency;
    let mut k = Build::kernel(2, 1);
    let a = k.array("a", &[0, 0]);
    k.body(seq([barrier(), store(&a, bid(), int(1))]));
    let mut profile = Profile::default();
    profile.axes.safety.residency = Residency::RunToCompletion;
    let system = k.system_with(profile);
    let (_, one) = replay(&system, &[Actor::Block(0)]);
    assert!(system.fire(&one, &[Actor::Block(1)]).is_empty());
    let b0 = Actor::Thread {
        block: 0,
        thread: 0,
    };
    let (_, done) = fire(&system, &one, &[b0]);
    assert_eq!(system.fire(&done, &[Actor::Block(1)]).len(), 1);
}
