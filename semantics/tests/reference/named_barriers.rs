//! Named barriers: who meets, who goes on, and what cannot be.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_semantics::grid::meetings::Gone;
use gridlock_semantics::grid::meetings::{gone_on, meetings_of};
use gridlock_semantics::profile::{Profile, Warps};
use gridlock_semantics::transition::Rule;
use std::collections::BTreeSet;

/// Warps of `size` threads, so that small blocks have several.
fn warps_of(size: u32) -> Profile {
    let mut profile = Profile::default();
    profile.axes.warps = Warps::Independent(size);
    profile
}

/// How a program may end, with warps of two threads: the first array, a fault, or a deadlock.
fn ends(build: &Build) -> BTreeSet<String> {
    ends_under(build, warps_of(2))
}

fn ends_under(build: &Build, profile: Profile) -> BTreeSet<String> {
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

fn only(name: &str) -> BTreeSet<String> {
    BTreeSet::from([name.to_owned()])
}

/// The first warp of four threads runs `producer`, the second `consumer`.
fn two_warps(producer: Y, consumer: Y, k: &mut Build) -> &mut Build {
    k.body(if_else(lt(tid(), int(2)), producer, consumer))
}

/// `a[0]` is written before the barrier and read behind it, by another warp.
fn handed_over(n: u32, k: &mut Build) -> (Y, Y) {
    let a = k.array("a", &[0, 0]);
    let write = when(eq(tid(), int(0)), store(&a, int(0), int(7)));
    let read = when(eq(tid(), int(2)), store(&a, int(1), at(&a, int(0))));
    (
        seq([write, named_barrier(1, Some(n), true)]),
        seq([named_barrier(1, Some(n), false), read]),
    )
}

#[test]
fn who_arrives_goes_on_and_who_syncs_waits_for_all() {
    let mut k = Build::kernel(1, 4);
    let (producer, consumer) = handed_over(4, &mut k);
    two_warps(producer, consumer, &mut k);
    assert_eq!(ends(&k), only("7 7"));
}

#[test]
fn a_smaller_number_lets_them_go_on_too_early() {
    let mut k = Build::kernel(1, 4);
    let (producer, consumer) = handed_over(2, &mut k);
    two_warps(producer, consumer, &mut k);
    assert_eq!(
        ends(&k),
        BTreeSet::from(["7 0".to_owned(), "7 7".to_owned()])
    );
}

#[test]
fn too_few_wait_for_ever() {
    let mut k = Build::kernel(1, 4);
    two_warps(seq([]), named_barrier(3, Some(4), false), &mut k);
    assert_eq!(ends(&k), only("deadlock"));
}

#[test]
fn without_a_number_the_whole_block_meets_and_who_ends_is_not_waited_for() {
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[0, 0]);
    k.body(seq([
        when(eq(tid(), int(2)), exit()),
        when(eq(tid(), int(0)), store(&a, int(0), int(5))),
        named_barrier(2, None, false),
        when(eq(tid(), int(1)), store(&a, int(1), at(&a, int(0)))),
    ]));
    // Also where it ends last of all.
    assert_eq!(ends(&k), only("5 5"));
}

#[test]
fn the_last_arrival_lets_all_go_on_in_one_step() {
    let mut k = Build::kernel(1, 2);
    k.body(named_barrier(0, Some(2), false));
    let system = k.system_with(warps_of(2));
    let (labels, state) = replay(&system, &[t(1)]);
    assert_eq!(labels[0].rule, Rule::NamedBarrier);
    assert!(labels[0].is_visible());
    assert!(system.fire(&state, &[t(1)]).is_empty(), "it waits");
    let (label, after) = fire(&system, &state, &[t(0)]);
    assert_eq!(label.actors, [t(0)]);
    assert!(system.positions(&after).iter().all(|p| p.op.is_none()));
    let (Some(before), Some(now)) = (&state.device, &after.device) else {
        panic!("the launch is in progress");
    };
    let [(0, meeting)] = &meetings_of(before, now, &label)[..] else {
        panic!("they met");
    };
    assert_eq!(
        (&meeting.from[..], &meeting.to[..]),
        (&[0, 1][..], &[0, 1][..])
    );
    // The barrier is as it was at first.
    assert!(now.blocks[0].named.is_empty());
}

#[test]
fn who_only_arrives_learns_nothing() {
    let mut k = Build::kernel(1, 2);
    k.body(if_else(
        eq(tid(), int(0)),
        named_barrier(4, Some(2), false),
        named_barrier(4, Some(2), true),
    ));
    let system = k.system_with(warps_of(2));
    let (_, state) = replay(&system, &[t(0), t(1), t(0)]);
    let (label, after) = fire(&system, &state, &[t(1)]);
    let (Some(before), Some(now)) = (&state.device, &after.device) else {
        panic!("the launch is in progress");
    };
    let met = meetings_of(before, now, &label);
    assert_eq!(met.len(), 1);
    assert_eq!(
        (&met[0].1.from[..], &met[0].1.to[..]),
        (&[0, 1][..], &[0][..])
    );
    assert_eq!(gone_on(before, now, &label), []);
    // The other way round it has gone on when they meet.
    let (_, state) = replay(&system, &[t(0), t(1)]);
    let (label, after) = fire(&system, &state, &[t(1)]);
    let (Some(before), Some(now)) = (&state.device, &after.device) else {
        panic!("the launch is in progress");
    };
    let gone = Gone {
        block: 0,
        id: 4,
        thread: 1,
    };
    assert_eq!(gone_on(before, now, &label), [gone]);
    let (label, last) = fire(&system, &after, &[t(0)]);
    let Some(end) = &last.device else {
        panic!("the launch is in progress");
    };
    let met = &meetings_of(now, end, &label)[0].1;
    assert_eq!(
        (met.id, &met.from[..], &met.gone[..], &met.to[..]),
        (4, &[0][..], &[1][..], &[0][..])
    );
}

#[test]
fn barriers_that_cannot_be_are_faults() {
    let single = |y: fn() -> Y| {
        let mut k = Build::kernel(1, 4);
        k.body(y());
        ends(&k)
    };
    let bad = only("BadBarrier");
    assert_eq!(single(|| named_barrier(16, None, false)), bad);
    assert_eq!(single(|| named_barrier(1, Some(3), false)), bad);
    assert_eq!(single(|| named_barrier(1, Some(0), false)), bad);
    assert_eq!(single(|| named_barrier(1, Some(6), false)), bad);
    assert_eq!(single(|| named_barrier(15, Some(4), false)), only(""));
    // Those who meet disagree on how many they are.
    let mut k = Build::kernel(1, 4);
    let count = |n| named_barrier(1, Some(n), true);
    two_warps(count(4), seq([count(2), count(4)]), &mut k);
    assert!(ends(&k).contains("BadBarrier"));
}

/// Rounds of a producer and a consumer over one cell, full and empty in turn.
#[test]
fn producer_and_consumer_take_turns() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0, 0]);
    let (i, sum) = (k.int("i"), k.int("sum"));
    let full = |arrive| named_barrier(1, Some(2), arrive);
    let empty = |arrive| named_barrier(2, Some(2), arrive);
    let next = || assign(i, add(v(i), int(1)));
    let produce = seq([empty(false), store(&a, int(0), v(i)), full(true), next()]);
    let consume = seq([
        full(false),
        assign(sum, add(v(sum), at(&a, int(0)))),
        empty(true),
        next(),
    ]);
    let rounds = |body: Y| seq([assign(i, int(1)), while_do(lt(v(i), int(4)), body)]);
    let consumer = seq([
        assign(sum, int(0)),
        empty(true),
        rounds(consume),
        store(&a, int(1), v(sum)),
    ]);
    k.body(if_else(
        eq(tid(), int(0)),
        seq([rounds(produce), empty(false)]),
        consumer,
    ));
    assert_eq!(ends_under(&k, warps_of(1)), only("3 6"));
}

#[test]
fn lockstep_warps_arrive_whole() {
    let mut k = Build::kernel(1, 4);
    let (producer, consumer) = handed_over(4, &mut k);
    two_warps(producer, consumer, &mut k);
    let mut profile = Profile::default();
    profile.axes.warps = Warps::Lockstep(2);
    assert_eq!(ends_under(&k, profile), only("7 7"));
}
