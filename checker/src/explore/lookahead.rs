//! Looking ahead: one schedule of a stretch of a run, kept only if no other schedule of the
//! stretch can differ.
//!
//! Run the threads of a block one after another to the next barrier, each on the memory the ones
//! before left. If no access of one interferes with an access of another, every interleaving of
//! the stretch makes the same accesses with the same values: take the first step in some
//! interleaving that is not the corresponding thread's step in ours; the thread has read
//! something another thread wrote in the stretch, which is an interference between steps that
//! both agree with ours. So one interleaving speaks for all. Threads of a warp are separated
//! further by warp operations that wait for the whole warp.

use crate::explore::walk::{ThreadRun, Walk};
use crate::system::footprint::Footprint;
use crate::system::{CycleWatch, DeviceShape, Threadwise, WarpWait};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::transition::{Actor, Rule};
use std::time::Instant;

/// Transitions of one thread before a lookahead is given up.
const THREAD_BOUND: u32 = 20_000;
/// Transitions of a whole lookahead before it is given up.
const TOTAL_BOUND: u32 = 100_000;

/// A stretch of which one schedule speaks for all.
pub struct Stretch<S> {
    pub walk: Walk<S>,
    pub footprint: Footprint,
}

/// The threads of one block to their next block barrier or end. `None`: schedules may differ, or
/// it takes too long to tell.
fn interval<T: Threadwise>(
    system: &T,
    walk: &mut Walk<T::State>,
    block: u32,
    shape: DeviceShape,
) -> Option<Footprint> {
    let mut total = Footprint::default();
    let mut start = 0;
    while start < shape.n_threads {
        let end = (start + shape.n_lanes).min(shape.n_threads);
        let warp = warp_interval(system, walk, block, start..end)?;
        if total.interferes(&warp) {
            return None;
        }
        total.extend(&warp);
        start = end;
    }
    Some(total)
}

/// The threads of one warp to their next block barrier or end.
fn warp_interval<T: Threadwise>(
    system: &T,
    walk: &mut Walk<T::State>,
    block: u32,
    lanes: std::ops::Range<u32>,
) -> Option<Footprint> {
    let mut total = Footprint::default();
    let mut watch = CycleWatch::new(2);
    loop {
        let mut segment = Footprint::default();
        for thread in lanes.clone() {
            let actor = Actor::Thread { block, thread };
            let run = walk.run_alone(system, actor, THREAD_BOUND);
            if !run.clean || segment.interferes(&run.footprint) {
                return None;
            }
            segment.extend(&run.footprint);
        }
        total.extend(&segment);
        if walk.n_transitions > TOTAL_BOUND || walk.is_late() {
            return None;
        }
        match warp_operation(system, walk, block, lanes.clone()) {
            WarpStep::Taken(op) if watch.comes_back(op, &walk.state) => return None,
            WarpStep::Taken(_) => {}
            WarpStep::Nothing => return Some(total),
            WarpStep::OfSomeOnly => return None,
        }
    }
}

/// What became of the operation a warp may wait at.
enum WarpStep {
    /// All threads of the warp waited at this one, and it was carried out.
    Taken(Option<OpId>),
    Nothing,
    /// It waits for some threads only: others of the warp may run ahead.
    OfSomeOnly,
}

/// Takes a warp operation that all threads of the warp wait at.
fn warp_operation<T: Threadwise>(
    system: &T,
    walk: &mut Walk<T::State>,
    block: u32,
    lanes: std::ops::Range<u32>,
) -> WarpStep {
    let mut found = Vec::new();
    for thread in lanes {
        let actor = Actor::Thread { block, thread };
        match system.warp_wait(&walk.state, actor) {
            None => continue,
            Some(WarpWait::Part | WarpWait::Nobody) => return WarpStep::OfSomeOnly,
            Some(WarpWait::Whole) => {}
        }
        found.clear();
        system.fire_actor(&walk.state, actor, &mut found);
        if let [(label, _)] = found.as_slice()
            && matches!(label.rule, Rule::WarpBarrier | Rule::WarpExchange)
            && label.fault.is_none()
            && let Some((label, state)) = found.pop()
        {
            walk.take(&label, state, 0);
            return WarpStep::Taken(label.op);
        }
    }
    WarpStep::Nothing
}

/// A whole block to its end, interval by interval; the walk is continued.
pub fn block_to_end<T: Threadwise>(
    system: &T,
    walk: &mut Walk<T::State>,
    block: u32,
    shape: DeviceShape,
) -> Option<Footprint> {
    let mut total = Footprint::default();
    let mut found = Vec::new();
    let mut watch = CycleWatch::new(2);
    loop {
        let accesses = interval(system, walk, block, shape)?;
        total.extend(&accesses);
        found.clear();
        system.fire_actor(&walk.state, Actor::Block(block), &mut found);
        match found.pop() {
            None => return Some(total),
            Some((label, _)) if label.fault.is_some() => return Some(total),
            Some((label, state)) => {
                if !found.is_empty() || watch.comes_back(label.op, &walk.state) {
                    return None;
                }
                walk.take(&label, state, 0);
            }
        }
    }
}

/// All blocks to their ends.
pub fn launch_to_end<T: Threadwise>(
    system: &T,
    state: &T::State,
    shape: DeviceShape,
    until: Option<Instant>,
) -> Option<Stretch<T::State>> {
    let mut stretch = Stretch {
        walk: Walk::until(state, until),
        footprint: Footprint::default(),
    };
    for block in 0..shape.n_blocks {
        let accesses = block_to_end(system, &mut stretch.walk, block, shape)?;
        if stretch.footprint.interferes(&accesses) {
            return None;
        }
        stretch.footprint.extend(&accesses);
    }
    Some(stretch)
}

/// One thread to where it waits for others.
pub fn thread_alone<T: Threadwise>(
    system: &T,
    state: &T::State,
    actor: Actor,
    until: Option<Instant>,
) -> (Walk<T::State>, ThreadRun) {
    let mut walk = Walk::until(state, until);
    let run = walk.run_alone(system, actor, THREAD_BOUND);
    (walk, run)
}
