//! The barrier of the grid: all blocks of a cooperative launch.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::profile::{Profile, Residency, Warps};
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Actor, Rule, TransitionSystem};
use std::collections::BTreeSet;

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

fn only(name: &str) -> BTreeSet<String> {
    BTreeSet::from([name.to_owned()])
}

/// Each block writes its own cell and, past the barrier, adds its neighbour's.
fn neighbours() -> Build {
    let mut k = Build::kernel(2, 1);
    let a = k.array("a", &[0, 0, 0, 0]);
    let neighbour = op(
        gridlock_semantics::algebra::expr::BinaryOp::Sub,
        int(1),
        bid(),
    );
    k.body(seq([
        store(&a, bid(), add(bid(), int(1))),
        grid_barrier(),
        store(&a, add(bid(), int(2)), at(&a, neighbour)),
    ]));
    k
}

#[test]
fn every_block_waits_for_all() {
    assert_eq!(ends(&neighbours(), Profile::default()), only("1 2 2 1"));
}

/// A cooperative launch makes all blocks resident, whatever the profile says of others.
#[test]
fn all_blocks_are_resident() {
    let mut profile = Profile::default();
    profile.axes.safety.residency = Residency::RunToCompletion;
    assert_eq!(ends(&neighbours(), profile), only("1 2 2 1"));
    assert_eq!(
        ends(&neighbours(), Profile::named("paper").expect("named")),
        only("1 2 2 1")
    );
}

#[test]
fn all_leave_in_one_step_of_the_device() {
    let mut k = Build::kernel(2, 2);
    k.body(grid_barrier());
    let system = k.system("cuda");
    let start = system.initial().remove(0);
    assert!(
        system.fire(&start, &[t(0)]).is_empty(),
        "arrival is no step"
    );
    let (label, after) = fire(&system, &start, &[Actor::Device]);
    assert_eq!(label.rule, Rule::GridBarrier);
    assert_eq!(label.actors.len(), 4);
    assert!(label.is_visible());
    assert!(system.is_final(&after));
}

/// All threads of the grid have to take part. A block whose first thread has ended is never counted in.
#[test]
fn a_thread_that_has_ended_takes_no_part() {
    let named = |name: &str| Profile::named(name).expect("named");
    let returns = |who: Expr| {
        let mut k = Build::kernel(2, 2);
        k.body(seq([when(who, exit()), grid_barrier()]));
        k
    };
    let ends_before = |who: Expr| {
        let mut k = Build::kernel(2, 2);
        k.body(when(who, grid_barrier()));
        k
    };
    for (k, on_hardware) in [
        (returns(eq(bid(), int(1))), "deadlock"),
        (returns(eq(tid(), int(0))), "deadlock"),
        (returns(eq(tid(), int(1))), ""),
        (ends_before(eq(bid(), int(0))), "deadlock"),
        (ends_before(eq(tid(), int(1))), "deadlock"),
        (ends_before(eq(tid(), int(0))), ""),
    ] {
        assert_eq!(ends(&k, Profile::default()), only("BarrierDivergence"));
        assert_eq!(ends(&k, named("portable")), only("BarrierDivergence"));
        assert_eq!(ends(&k, named("cuda-hw")), only(on_hardware));
        assert_eq!(ends(&k, named("paper")), only("deadlock"));
    }
}

/// The barrier of a block that it consists of is not aligned.
#[test]
fn threads_meet_there_at_different_places() {
    for who in [eq(bid(), int(0)), eq(tid(), int(0))] {
        let mut k = Build::kernel(2, 2);
        k.body(if_else(who, grid_barrier(), grid_barrier()));
        assert_eq!(ends(&k, Profile::default()), only(""));
    }
}

#[test]
fn no_thread_at_the_barrier_of_its_block_is_at_that_of_the_grid() {
    // One waits at the block's barrier, the other at the grid's.
    let mut k = Build::kernel(1, 2);
    k.body(if_else(eq(tid(), int(0)), grid_barrier(), barrier()));
    assert_eq!(ends(&k, Profile::default()), only("BarrierDivergence"));
    assert_eq!(
        ends(&k, Profile::named("paper").expect("named")),
        only("deadlock")
    );
}

#[test]
fn lockstep_warps_meet_there_too() {
    let mut profile = Profile::default();
    profile.axes.warps = Warps::Lockstep(2);
    assert_eq!(ends(&neighbours(), profile), only("1 2 2 1"));
}

/// Host code that launches a kernel with a grid barrier.
fn launching(cooperative: bool) -> Build {
    let mut h = Build::host();
    let g = h.procedure("g", ProcKind::Kernel);
    h.body_of(g, grid_barrier());
    let n = |n| Expr::int(ScalarType::U32, n);
    h.body(basic(Basic::CallGpu {
        kernel: g,
        grid: [n(2), n(1), n(1)],
        block: [n(1), n(1), n(1)],
        shared_bytes: n(0),
        args: vec![],
        stream: None,
        cooperative,
    }));
    h
}

#[test]
fn host_code_must_launch_it_as_cooperative() {
    assert_eq!(ends(&launching(true), Profile::default()), only(""));
    assert_eq!(
        ends(&launching(false), Profile::default()),
        only("InvalidLaunch")
    );
    let lockstep = Profile::named("lockstep-warp").expect("named");
    assert_eq!(ends(&launching(false), lockstep), only("InvalidLaunch"));
    let system = launching(false).system("cuda");
    let mut state = system.initial().remove(0);
    state = fire(&system, &state, &[Actor::Device]).1;
    let (_, last) = fire(&system, &state, &[t(0)]);
    let Some(FaultKind::InvalidLaunch { reason }) = last.fault().map(|f| &f.kind) else {
        panic!("a fault");
    };
    assert!(reason.contains("cudaLaunchCooperativeKernel"), "{reason}");
}
