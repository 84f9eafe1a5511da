//! `__syncwarp` among independent threads, and lockstep warps.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic};
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::profile::{Profile, Warps};
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Actor, Rule, TransitionSystem};
use std::collections::BTreeSet;

fn lockstep(size: u32) -> Profile {
    let mut profile = Profile::named("lockstep-warp").expect("a named profile");
    profile.axes.warps = Warps::Lockstep(size);
    profile
}

/// The ways a program ends: contents of its first array, the name of a fault, or `deadlock`.
fn ends(build: &Build, profile: Profile) -> BTreeSet<String> {
    let found = explore(&build.system_with(profile), 100_000);
    assert!(found.complete);
    let name = |outcome: &Outcome| match outcome {
        Outcome::Final(seen) => {
            let cells = seen.arrays.first().map_or(&[][..], |array| &array.cells);
            let cells: Vec<String> = cells.iter().map(|value| value.to_string()).collect();
            cells.join(" ")
        }
        Outcome::Fault(name) => name.split([' ', '{']).next().unwrap_or_default().to_owned(),
        Outcome::Deadlock => "deadlock".to_owned(),
    };
    found.outcomes.iter().map(name).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| name.to_string()).collect()
}

#[test]
fn syncwarp_waits_for_the_lanes_it_names() {
    let mut k = Build::kernel(1, 3);
    let x = k.int("x");
    k.body(seq([
        when(eq(tid(), int(1)), assign(x, int(0))),
        when(lt(tid(), int(2)), sync_warp(0b011)),
    ]));
    let system = k.system("cuda");
    // Threads 0 and 2 pass the first condition, 0 and 1 the second.
    let (_, state) = replay(&system, &[t(0), t(0), t(1)]);
    assert!(
        system.fire(&state, &[t(0)]).is_empty(),
        "lane 1 is elsewhere"
    );
    let (_, state) = fire(&system, &state, &[t(1)]);
    let (_, state) = fire(&system, &state, &[t(1)]);
    let (label, after) = fire(&system, &state, &[t(1)]);
    assert_eq!(label.rule, Rule::WarpBarrier);
    // Lane 2 is not named and has not moved.
    assert_eq!(label.actors, [t(0), t(1)]);
    assert!(label.is_visible());
    assert!(system.positions(&after)[0].op.is_none());
    // Any participant stands for all.
    assert_eq!(fire(&system, &state, &[t(0)]).1, after);
    assert_eq!(fire(&system, &state, &[t(0), t(1)]).1, after);
}

#[test]
fn syncwarp_does_not_wait_for_lanes_that_have_ended() {
    let mut k = Build::kernel(1, 2);
    k.body(seq([when(eq(tid(), int(0)), exit()), sync_warp(u32::MAX)]));
    assert_eq!(ends(&k, Profile::default()), set(&[""]));
}

#[test]
fn a_caller_outside_its_mask_is_a_fault() {
    let mut k = Build::kernel(1, 2);
    k.body(sync_warp(0b01));
    assert_eq!(ends(&k, Profile::default()), set(&["BadWarpMask"]));
    assert_eq!(ends(&k, lockstep(32)), set(&["BadWarpMask"]));
    let system = k.system("cuda");
    let (label, last) = replay_one(&system, t(1));
    assert_eq!(label.fault.map(|f| f.actor), Some(t(1)));
    let kind = last.fault().map(|f| f.kind.clone());
    let expected = FaultKind::BadWarpMask {
        mask: 1,
        lane: 1,
        missing: 0,
        other: None,
    };
    assert_eq!(kind, Some(expected));
    // Where nothing is known of warps, nothing is ordered.
    assert_eq!(
        ends(&k, Profile::named("portable").expect("named")),
        set(&[""])
    );
}

fn replay_one(
    system: &gridlock_semantics::system::ProgramSystem,
    actor: Actor,
) -> (
    gridlock_semantics::transition::Label,
    gridlock_semantics::host::State,
) {
    fire(system, &system.initial()[0], &[actor])
}

#[test]
fn masks_that_differ_are_a_fault_once_nobody_moves() {
    let mut k = Build::kernel(1, 2);
    k.body(if_else(
        eq(tid(), int(0)),
        sync_warp(0b11),
        sync_warp(u32::MAX),
    ));
    assert_eq!(ends(&k, Profile::default()), set(&["BadWarpMask"]));
    // A lane at another mask that it can leave is only late.
    let mut k = Build::kernel(1, 2);
    k.body(seq([
        when(eq(tid(), int(0)), sync_warp(0b01)),
        sync_warp(0b11),
    ]));
    assert_eq!(ends(&k, Profile::default()), set(&[""]));
    // Lane 1 waits for lane 0, which waits at the block's barrier: no thread can take a step.
    let mut k = Build::kernel(1, 2);
    k.body(seq([when(eq(tid(), int(1)), sync_warp(0b11)), barrier()]));
    assert_eq!(ends(&k, Profile::default()), set(&["deadlock"]));
}

#[test]
fn a_fault_in_the_mask_shows() {
    let mut k = Build::kernel(1, 1);
    let m = k.var("m", Type::U32);
    k.body(basic(Basic::SyncWarp {
        mask: Expr::var(m, Type::U32),
    }));
    assert_eq!(ends(&k, Profile::default()), set(&["UnsetVariable"]));
    assert_eq!(ends(&k, lockstep(32)), set(&["UnsetVariable"]));
}

#[test]
fn warps_are_numbered_by_thread() {
    // Threads 2 and 3 are lanes 0 and 1 of the second warp of two.
    let mut k = Build::kernel(1, 4);
    k.body(sync_warp(0b11));
    let mut profile = Profile::default();
    profile.axes.warps = Warps::Independent(2);
    let system = k.system_with(profile);
    let (label, _) = replay_one(&system, t(3));
    assert_eq!(label.actors, [t(2), t(3)]);
}

#[test]
fn the_warp_size_is_what_the_profile_says() {
    use gridlock_semantics::algebra::expr::Builtin;
    let mut k = Build::kernel(1, 1);
    let a = k.array("a", &[0]);
    k.body(store(&a, int(0), Expr::builtin(Builtin::WarpSize)));
    assert_eq!(ends(&k, lockstep(4)), set(&["4"]));
    assert_eq!(ends(&k, Profile::default()), set(&["32"]));
    assert_eq!(
        ends(&k, Profile::named("portable").expect("named")),
        set(&["32"])
    );
}

/// `a[tid] += a[tid + 1]` without a barrier, by separate reads and writes: the last steps of a
/// reduction.
fn warp_synchronous(n: u32) -> Build {
    let mut k = Build::kernel(1, n);
    let a = k.array("a", &[1, 2, 3, 4, 5]);
    let sum = add(at(&a, tid()), at(&a, add(tid(), int(1))));
    k.body(store(&a, tid(), sum));
    k
}

#[test]
fn lanes_of_a_warp_step_together() {
    let k = warp_synchronous(3);
    assert_eq!(ends(&k, lockstep(32)), set(&["3 5 7 4 5"]));
    // Independent threads see each other's writes.
    assert!(ends(&k, Profile::default()).len() > 1);
    // Two warps of two do not step together.
    assert!(ends(&k, lockstep(2)).len() > 1);
    let system = k.system_with(lockstep(32));
    let (label, _) = replay_one(&system, t(1));
    assert_eq!(label.rule, Rule::Merge);
    assert_eq!(label.actors, [t(0), t(1), t(2)]);
}

#[test]
fn stores_of_a_path_are_merged() {
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[9]);
    k.body(store(&a, int(0), tid()));
    assert_eq!(ends(&k, lockstep(32)), set(&["0", "1", "2"]));
}

#[test]
fn either_side_of_a_branch_runs_first_and_whole() {
    // Both sides write twice; interleaving them would leave `1 2` or `2 1`.
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0, 0]);
    let both = |n| seq([store(&a, int(0), int(n)), store(&a, int(1), int(n))]);
    k.body(if_else(eq(tid(), int(0)), both(1), both(2)));
    assert_eq!(ends(&k, lockstep(32)), set(&["1 1", "2 2"]));
    assert_eq!(
        ends(&k, Profile::default()),
        set(&["1 1", "1 2", "2 1", "2 2"])
    );
}

#[test]
fn paths_meet_after_the_branch() {
    // Behind the branch both threads read what the other wrote inside.
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0, 0]);
    let x = k.int("x");
    let other = op(BinaryOp::Sub, int(1), tid());
    k.body(seq([
        if_else(
            eq(tid(), int(0)),
            seq([assign(x, int(5)), store(&a, tid(), int(10))]),
            store(&a, tid(), int(20)),
        ),
        assign(x, at(&a, other)),
        store(&a, tid(), v(x)),
    ]));
    assert_eq!(ends(&k, lockstep(32)), set(&["20 10"]));
    assert!(ends(&k, Profile::default()).len() > 1);
}

#[test]
fn paths_meet_after_a_loop() {
    // Thread t iterates t times; behind the loop all have finished.
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[0, 0, 0]);
    let i = k.int("i");
    let next = op(BinaryOp::Rem, add(tid(), int(1)), int(3));
    let x = k.int("x");
    k.body(seq([
        assign(i, int(0)),
        while_do(
            lt(v(i), tid()),
            seq([
                // A branch inside the loop splits and meets in every iteration.
                if_else(
                    eq(v(i), int(0)),
                    store(&a, tid(), int(1)),
                    store(&a, tid(), int(2)),
                ),
                assign(i, add(v(i), int(1))),
            ]),
        ),
        assign(x, at(&a, next)),
        store(&a, tid(), v(x)),
    ]));
    assert_eq!(ends(&k, lockstep(32)), set(&["1 2 0"]));
}

#[test]
fn inner_paths_meet_before_outer_ones() {
    let mut k = Build::kernel(1, 4);
    let a = k.array("a", &[0; 4]);
    let half = |n| lt(tid(), int(n));
    let mark = |n| store(&a, tid(), int(n));
    let x = k.int("x");
    let partner = |d: i32| {
        let turned = add(tid(), int(d));
        op(BinaryOp::Rem, turned, int(4))
    };
    k.body(seq([
        if_else(
            half(2),
            seq([
                if_else(half(1), mark(1), mark(2)),
                // Threads 0 and 1 have met: 0 reads what 1 wrote.
                when(half(1), assign(x, at(&a, partner(1)))),
                when(half(1), store(&a, tid(), add(v(x), int(10)))),
            ]),
            mark(3),
        ),
        assign(x, at(&a, partner(1))),
        store(&a, tid(), v(x)),
    ]));
    // Before the last two operators: 12 2 3 3.
    assert_eq!(ends(&k, lockstep(32)), set(&["2 3 3 12"]));
}

#[test]
fn threads_that_end_are_waited_for_by_nobody() {
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[0; 3]);
    k.body(seq([
        when(eq(tid(), int(1)), exit()),
        store(&a, tid(), int(1)),
        barrier(),
        store(&a, tid(), int(2)),
    ]));
    assert_eq!(ends(&k, lockstep(32)), set(&["2 0 2"]));
}

#[test]
fn a_path_at_a_barrier_is_set_aside() {
    // Both sides of a branch meet a barrier of their own: another path runs, then all wait.
    let mut k = Build::kernel(1, 2);
    k.body(if_else(eq(tid(), int(0)), barrier(), barrier()));
    assert_eq!(ends(&k, lockstep(32)), set(&["BarrierDivergence"]));
    // One side has no barrier: it waits behind the branch, the other inside.
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    k.body(seq([when(eq(tid(), int(0)), barrier()), assign(x, int(0))]));
    assert_eq!(ends(&k, lockstep(32)), set(&["deadlock"]));
    // At the end of the body there is nothing to wait for.
    let mut k = Build::kernel(1, 2);
    k.body(when(eq(tid(), int(0)), barrier()));
    assert_eq!(ends(&k, lockstep(32)), set(&[""]));
}

#[test]
fn warps_leave_the_barrier_together() {
    let mut k = Build::kernel(1, 4);
    let a = k.array("a", &[0; 4]);
    let x = k.int("x");
    let next = op(BinaryOp::Rem, add(tid(), int(2)), int(4));
    k.body(seq([
        store(&a, tid(), tid()),
        barrier(),
        assign(x, at(&a, next)),
        barrier(),
        store(&a, tid(), v(x)),
    ]));
    assert_eq!(ends(&k, lockstep(2)), set(&["2 3 0 1"]));
}

#[test]
fn syncwarp_in_lockstep_needs_its_lanes_on_the_path() {
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    let named = when(eq(tid(), int(0)), sync_warp(0b11));
    k.body(seq([named.clone(), assign(x, int(0))]));
    assert_eq!(ends(&k, lockstep(32)), set(&["BadWarpMask"]));
    // A lane that has ended is not waited for.
    let mut k = Build::kernel(1, 2);
    k.body(named);
    assert_eq!(ends(&k, lockstep(32)), set(&[""]));
    let mut k = Build::kernel(1, 2);
    k.body(when(eq(tid(), int(0)), sync_warp(0b01)));
    assert_eq!(ends(&k, lockstep(32)), set(&[""]));
    let mut k = Build::kernel(1, 2);
    k.body(sync_warp(u32::MAX));
    let system = k.system_with(lockstep(32));
    let (label, _) = replay_one(&system, t(0));
    assert_eq!(label.rule, Rule::WarpBarrier);
    assert_eq!(label.actors, [t(0), t(1)]);
}

#[test]
fn atomics_of_a_path_are_applied_one_after_another() {
    // Tickets in every order.
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[0, 0, 0, 0]);
    let x = k.int("x");
    k.body(seq([
        atomic(AtomicFn::Add, &a, int(3), &[1], Some(x)),
        store(&a, tid(), v(x)),
    ]));
    let expected = [
        "0 1 2 3", "0 2 1 3", "1 0 2 3", "1 2 0 3", "2 0 1 3", "2 1 0 3",
    ];
    assert_eq!(ends(&k, lockstep(32)), set(&expected));
    // In one step where the order does not show.
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[0]);
    k.body(atomic(AtomicFn::Add, &a, int(0), &[1], None));
    let system = k.system_with(lockstep(32));
    let (label, _) = replay_one(&system, t(0));
    assert_eq!(label.actors.len(), 3);
    assert_eq!(ends(&k, lockstep(32)), set(&["3"]));
}

#[test]
fn a_path_that_is_not_chosen_has_no_progress() {
    // Thread 0 spins for what thread 1 would write behind the branch: the warp may spin forever,
    // so the state where thread 1 waits has only the spinning path to run.
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0]);
    k.body(if_else(
        eq(tid(), int(0)),
        while_do(eq(at(&a, int(0)), int(0)), seq([])),
        store(&a, int(0), int(1)),
    ));
    let system = k.system_with(lockstep(32));
    let start = system.initial().remove(0);
    let (_, split) = fire(&system, &start, &[t(0), t(1)]);
    // Either path first; once thread 0 spins, thread 1 may not run.
    assert_eq!(system.fire(&split, &[t(1)]).len(), 1);
    let (_, spinning) = fire(&system, &split, &[t(0)]);
    assert!(system.fire(&spinning, &[t(1)]).is_empty());
    assert_eq!(system.fire(&spinning, &[t(0)]).len(), 1);
}

/// While one of two paths is split, its parts come before the other path.
#[test]
fn the_parts_of_a_path_come_before_its_sibling() {
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[0, 0, 0, 0]);
    let (x, y, z) = (k.int("x"), k.int("y"), k.int("z"));
    let twice = |e: Expr| add(e.clone(), e);
    let both = if_else(
        lt(tid(), int(2)),
        seq([
            store(&a, int(3), int(1)),
            if_else(
                eq(tid(), int(0)),
                store(&a, int(0), int(1)),
                store(&a, int(1), int(1)),
            ),
        ]),
        // Says which of the three writes it has seen: all, or none.
        seq([
            assign(x, at(&a, int(0))),
            assign(y, at(&a, int(1))),
            assign(z, at(&a, int(3))),
            store(&a, int(2), add(v(x), add(twice(v(y)), twice(twice(v(z)))))),
        ]),
    );
    // The parts end where they meet, or wait there.
    for behind in [seq([]), assign(x, int(0))] {
        k.body(seq([both.clone(), behind]));
        assert_eq!(ends(&k, lockstep(32)), set(&["1 1 0 1", "1 1 7 1"]));
        assert!(ends(&k, Profile::default()).len() > 2);
    }
}

/// Behind the block's barrier every path may be the first.
#[test]
fn a_barrier_forgets_whose_turn_it_was() {
    use gridlock_semantics::profile::Divergence;
    let mut k = Build::kernel(1, 3);
    let x = k.int("x");
    let meets = || seq([barrier(), assign(x, int(1))]);
    let inner = if_else(eq(tid(), int(0)), meets(), meets());
    k.body(if_else(lt(tid(), int(2)), inner, meets()));
    let mut profile = lockstep(32);
    profile.axes.divergence = Divergence::AnyBarrier;
    let system = k.system_with(profile);
    let start = system.initial().remove(0);
    let (_, outer) = fire(&system, &start, &[t(0)]);
    let (_, all_at_barriers) = fire(&system, &outer, &[t(0)]);
    let (_, behind) = fire(&system, &all_at_barriers, &[Actor::Block(0)]);
    for thread in 0..3 {
        assert_eq!(
            system.fire(&behind, &[t(thread)]).len(),
            1,
            "thread {thread}"
        );
    }
}
