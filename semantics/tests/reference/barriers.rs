//! Collective barriers: who is demanded, and what counts as the same barrier.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_semantics::algebra::operator::{Basic, Met, Orders};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::profile::{Divergence, ExitedThreads, Profile};
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Actor, Rule, TransitionSystem};

/// `final`, `divergence`, `deadlock`: the ways a program ends under a profile, joined.
fn ends(build: &Build, profile: Profile) -> String {
    let found = explore(&build.system_with(profile), 100_000);
    assert!(found.complete);
    let mut names: Vec<&str> = found
        .outcomes
        .iter()
        .map(|outcome| match outcome {
            Outcome::Final(_) => "final",
            Outcome::Fault(name) if name == "BarrierDivergence" => "divergence",
            Outcome::Fault(name) => panic!("{name}"),
            Outcome::Deadlock => "deadlock",
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names.join(" ")
}

fn under(exited_threads: ExitedThreads) -> Profile {
    let mut profile = Profile::default();
    profile.axes.exited_threads = exited_threads;
    profile
}

/// Only threads with `threadIdx.x < 1` meet the barrier; the others reach the end.
fn skipped() -> Build {
    let mut k = Build::kernel(1, 2);
    k.body(when(lt(tid(), int(1)), barrier()));
    k
}

/// Threads with `threadIdx.x < 1` return before the barrier.
fn returned() -> Build {
    let mut k = Build::kernel(1, 2);
    k.body(seq([when(lt(tid(), int(1)), exit()), barrier()]));
    k
}

#[test]
fn everyone_leaves_together() {
    let mut k = Build::kernel(1, 3);
    let a = k.array("a", &[0; 3]);
    k.body(seq([barrier(), store(&a, tid(), int(1))]));
    let system = k.system("cuda");
    let start = system.initial().remove(0);
    // Arrival is no step.
    assert!(system.fire(&start, &[t(0)]).is_empty());
    let (label, after) = fire(&system, &start, &[Actor::Block(0)]);
    assert_eq!(label.rule, Rule::CollectiveBarrier);
    assert_eq!(label.actors, [t(0), t(1), t(2)]);
    assert!(label.is_visible());
    assert!(system.fire(&after, &[Actor::Block(0)]).is_empty());
    assert_eq!(ends(&k, Profile::default()), "final");
}

#[test]
fn a_barrier_waits_for_those_who_are_elsewhere() {
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    k.body(seq([when(eq(tid(), int(1)), assign(x, int(0))), barrier()]));
    let system = k.system("cuda");
    let start = system.initial().remove(0);
    assert!(system.fire(&start, &[Actor::Block(0)]).is_empty());
    let (_, one) = fire(&system, &start, &[t(0)]);
    assert!(system.fire(&one, &[Actor::Block(0)]).is_empty());
}

#[test]
fn a_barrier_that_some_skip() {
    use ExitedThreads::*;
    for (exited, expected) in [
        (ReturnOnly, "divergence"),
        (Arrived, "final"),
        (Defect, "divergence"),
        (BlockForever, "deadlock"),
    ] {
        assert_eq!(ends(&skipped(), under(exited)), expected, "{exited:?}");
    }
}

#[test]
fn a_barrier_after_some_returned() {
    use ExitedThreads::*;
    for (exited, expected) in [
        (ReturnOnly, "final"),
        (Arrived, "final"),
        (Defect, "divergence"),
        (BlockForever, "deadlock"),
    ] {
        assert_eq!(ends(&returned(), under(exited)), expected, "{exited:?}");
    }
}

#[test]
fn divergence_says_where_every_thread_stands() {
    let k = skipped();
    let system = k.system("cuda");
    let (_, state) = replay(&system, &[t(0), t(1)]);
    let (label, last) = fire(&system, &state, &[Actor::Block(0)]);
    assert_eq!(label.rule, Rule::CollectiveBarrier);
    let Some(FaultKind::BarrierDivergence { positions }) = last.fault().map(|f| f.kind.clone())
    else {
        panic!("{last:?}");
    };
    assert_eq!(positions.len(), 2);
    assert!(positions[0].op.is_some());
    assert!(positions[1].op.is_none() && !positions[1].returned);
    // The thread that waits is where it would wait under `cuda-hw` too.
    assert_eq!(label.op, positions[0].op);
}

#[test]
fn two_textual_barriers_are_two() {
    let mut k = Build::kernel(1, 2);
    k.body(if_else(eq(tid(), int(0)), barrier(), barrier()));
    assert_eq!(ends(&k, Profile::default()), "divergence");
    let mut any = Profile::default();
    any.axes.divergence = Divergence::AnyBarrier;
    assert_eq!(ends(&k, any), "final");
}

/// `barrier.sync 0` without `.aligned`, or `bar.sync 0`.
fn met(met: Met) -> Y {
    basic(Basic::Barrier {
        orders: Orders::All,
        met,
        agreed: Vec::new(),
    })
}

#[test]
fn barriers_that_are_met_anywhere() {
    let either = |here: Met, there: Met| {
        let mut k = Build::kernel(1, 2);
        k.body(if_else(eq(tid(), int(0)), met(here), met(there)));
        ends(&k, Profile::default())
    };
    assert_eq!(either(Met::Anywhere, Met::Anywhere), "final");
    // One of them wants all to come to it.
    assert_eq!(either(Met::Anywhere, Met::AtOnePlace), "divergence");
    assert_eq!(either(Met::AtOnePlace, Met::Anywhere), "divergence");
    // Who ends elsewhere is missed there too.
    let mut k = Build::kernel(1, 2);
    k.body(when(lt(tid(), int(1)), met(Met::Anywhere)));
    assert_eq!(ends(&k, Profile::default()), "divergence");
}

#[test]
fn the_call_stack_is_part_of_the_barrier() {
    for (then_and_else_differ, expected) in [(true, "divergence"), (false, "final")] {
        let mut k = Build::kernel(1, 2);
        let f = k.procedure("f", ProcKind::Device);
        k.body_of(f, barrier());
        let body = if then_and_else_differ {
            if_else(
                eq(tid(), int(0)),
                call(f, vec![], None),
                call(f, vec![], None),
            )
        } else {
            call(f, vec![], None)
        };
        k.body(body);
        assert_eq!(ends(&k, Profile::default()), expected);
    }
}

/// `for (i = 0; i < 2; i++) if (i == first(tid)) __syncthreads();`: one barrier each, met in
/// different iterations when `first` differs.
fn barrier_in_iteration(differs: bool) -> Build {
    let mut k = Build::kernel(1, 2);
    let i = k.int("i");
    let first = if differs { tid() } else { int(0) };
    k.body(seq([
        assign(i, int(0)),
        while_do(
            lt(v(i), int(2)),
            seq([
                when(eq(v(i), first), barrier()),
                assign(i, add(v(i), int(1))),
            ]),
        ),
    ]));
    k
}

#[test]
fn the_iteration_is_part_of_the_barrier() {
    assert_eq!(
        ends(&barrier_in_iteration(true), Profile::default()),
        "divergence"
    );
    assert_eq!(
        ends(&barrier_in_iteration(false), Profile::default()),
        "final"
    );
}

/// A barrier to which each thread brings a value.
fn barrier_with_values(differ: bool) -> Build {
    let mut k = Build::kernel(1, 2);
    let n = k.int("n");
    let brought = if differ { tid() } else { int(7) };
    k.body(seq([
        assign(n, brought),
        basic(Basic::Barrier {
            orders: Orders::Nothing,
            met: Met::AtOnePlace,
            agreed: vec![v(n)],
        }),
    ]));
    k
}

#[test]
fn all_bring_the_same_values() {
    assert_eq!(
        ends(&barrier_with_values(true), Profile::default()),
        "divergence"
    );
    assert_eq!(
        ends(&barrier_with_values(false), Profile::default()),
        "final"
    );
}

#[test]
fn iterations_are_counted_since_the_last_barrier() {
    // Thread 0 runs an iteration more before the barrier in front of the loop is met again.
    let mut k = Build::kernel(1, 2);
    let i = k.int("i");
    // for (i = tid; i < tid + 2; i++) __syncthreads(): other counter values, same iterations.
    k.body(seq([
        assign(i, tid()),
        while_do(
            lt(v(i), add(tid(), int(2))),
            seq([barrier(), assign(i, add(v(i), int(1)))]),
        ),
    ]));
    assert_eq!(ends(&k, Profile::default()), "final");
}

#[test]
fn loops_without_barriers_do_not_count() {
    let mut k = Build::kernel(1, 2);
    let i = k.int("i");
    k.body(seq([
        assign(i, int(0)),
        while_do(lt(v(i), tid()), assign(i, add(v(i), int(1)))),
        barrier(),
    ]));
    assert_eq!(ends(&k, Profile::default()), "final");
}

#[test]
fn different_numbers_of_barriers_diverge() {
    let mut k = Build::kernel(1, 2);
    let i = k.int("i");
    k.body(seq([
        assign(i, int(0)),
        while_do(
            lt(v(i), add(tid(), int(1))),
            seq([barrier(), assign(i, add(v(i), int(1)))]),
        ),
    ]));
    assert_eq!(ends(&k, Profile::default()), "divergence");
    assert_eq!(ends(&k, under(ExitedThreads::Arrived)), "final");
}

#[test]
fn a_loop_in_a_function_called_from_a_loop_counts() {
    let mut k = Build::kernel(1, 2);
    let f = k.procedure("f", ProcKind::Device);
    let n = k.param_of(f, "n", Type::I32);
    k.body_of(f, when(eq(v(n), int(0)), barrier()));
    let i = k.int("i");
    // The barrier is met in iteration `tid` of a loop that contains it only through `f`.
    k.body(seq([
        assign(i, int(0)),
        while_do(
            lt(v(i), int(2)),
            seq([
                call(
                    f,
                    vec![op(
                        gridlock_semantics::algebra::expr::BinaryOp::Sub,
                        v(i),
                        tid(),
                    )],
                    None,
                ),
                assign(i, add(v(i), int(1))),
            ]),
        ),
    ]));
    assert_eq!(ends(&k, Profile::default()), "divergence");
}

#[test]
fn blocks_do_not_wait_for_each_other() {
    let mut k = Build::kernel(2, 1);
    k.body(barrier());
    assert_eq!(ends(&k, Profile::default()), "final");
}

#[test]
fn a_loop_left_before_the_barrier_does_not_count() {
    // Both run through a loop that contains a barrier nobody meets, a different number of times.
    let mut k = Build::kernel(1, 2);
    let i = k.int("i");
    k.body(seq([
        assign(i, int(0)),
        while_do(
            lt(v(i), add(tid(), int(1))),
            seq([
                when(eq(v(i), int(7)), barrier()),
                assign(i, add(v(i), int(1))),
            ]),
        ),
        barrier(),
    ]));
    assert_eq!(ends(&k, Profile::default()), "final");
}

/// Iterations are counted from the last barrier, so an endless loop has finitely many states.
#[test]
fn an_endless_loop_of_barriers_has_few_states() {
    let mut k = Build::kernel(1, 2);
    k.body(while_do(
        gridlock_semantics::algebra::expr::Expr::bool(true),
        barrier(),
    ));
    let found = explore(&k.system("cuda"), 1000);
    assert!(found.complete && found.outcomes.is_empty());
    // Each thread is before the loop's test or at the barrier, and the initial state, where the
    // block has not started, is never met again.
    assert_eq!(found.n_states, 4 + 1);
}
