//! The collective barrier: when every thread that is still demanded is waiting, all leave in one
//! step. Arrival is no step: a thread whose head is the barrier waits.
//!
//! Which threads are demanded is the axis *exited threads*; whether they must stand at the same
//! barrier is the axis *divergence*. A defect is judged once no thread of the block can still
//! change it: every other thread waits at a barrier or has ended.

use crate::algebra::operator::OpId;
use crate::block::{BlockState, positions};
use crate::profile::{BarrierRule, Divergence, ExitedThreads};
use crate::setup::context::Context;
use crate::thread::is_at_grid_barrier;
use crate::thread::{BarrierPosition, Status};
use crate::transition::decision::decided;
use crate::transition::fault::{FaultKind, ThreadPosition};
use crate::transition::premise::Premise;

/// What the block's barrier allows in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gathering {
    /// Some thread that is demanded is elsewhere, or nobody waits.
    Incomplete,
    /// These threads leave together; the barrier the first of them stands at.
    Complete(Vec<u32>, OpId),
    /// Some wait at a barrier that others will never reach, or at different ones.
    Diverged(Vec<ThreadPosition>, OpId),
}

impl Gathering {
    pub fn of(context: &Context, block: u32, state: &BlockState) -> Gathering {
        if context.axes.barrier == BarrierRule::Literal {
            return Gathering::Incomplete;
        }
        let mut waiting = Vec::new();
        let mut first: Option<(OpId, BarrierPosition)> = None;
        let (mut ended, mut same, mut at_grid) = (false, true, false);
        for (index, thread) in state.threads.iter().enumerate() {
            match thread.status {
                Status::Ended | Status::Returned => {
                    let excused = is_excused(context.axes.exited_threads, thread.status);
                    if !decided(Premise::EndedIsExcused, excused) {
                        if context.axes.exited_threads == ExitedThreads::BlockForever {
                            return Gathering::Incomplete;
                        }
                        ended = true;
                    }
                }
                Status::Running => {
                    if is_at_grid_barrier(thread) {
                        at_grid = true;
                        continue;
                    }
                    let waits = decided(Premise::ThreadWaits, thread.is_at_barrier());
                    let Some(op) = thread.position().filter(|_| waits) else {
                        return Gathering::Incomplete;
                    };
                    waiting.push(index as u32);
                    let here = thread.barrier_position(op);
                    match &first {
                        None => first = Some((op, here)),
                        Some((_, there)) => same &= here == *there,
                    }
                }
            }
        }
        let Some((op, _)) = first else {
            return Gathering::Incomplete;
        };
        let same_is_demanded = context.axes.divergence == Divergence::SameBarrier;
        if at_grid && !same_is_demanded {
            return Gathering::Incomplete;
        }
        same &= !at_grid;
        let same = !same_is_demanded || decided(Premise::BarrierIsTheSame, same);
        if ended || !same {
            return Gathering::Diverged(positions(block, state), op);
        }
        Gathering::Complete(waiting, op)
    }

    /// The threads that wait, when the gathering is over.
    pub fn fault(&self) -> Option<FaultKind> {
        match self {
            Gathering::Diverged(positions, _) => Some(FaultKind::BarrierDivergence {
                positions: positions.clone(),
            }),
            _ => None,
        }
    }
}

/// `threads` in the condition of R7: those that *exited threads* still demands. Under
/// `block-forever` it is the constant of the paper.
pub fn n_demanded(context: &Context, state: &BlockState) -> u32 {
    let demanded = state.threads.iter().filter(|thread| {
        thread.is_running() || !is_excused(context.axes.exited_threads, thread.status)
    });
    demanded.count() as u32
}

/// Whether a thread that has ended in this way is not demanded at the barrier.
pub(crate) const fn is_excused(exited: ExitedThreads, status: Status) -> bool {
    match exited {
        ExitedThreads::BlockForever | ExitedThreads::Defect => false,
        ExitedThreads::ReturnOnly => matches!(status, Status::Returned),
        ExitedThreads::Arrived => true,
    }
}

/// The block after `threads` have gone past their barrier.
pub fn release(context: &Context, state: &BlockState, threads: &[u32]) -> BlockState {
    let mut after = state.clone();
    for &thread in threads {
        let mut moved = (*state.threads[thread as usize]).clone();
        moved.leave_barrier(&context.program);
        after.set_thread(thread, moved);
    }
    after
}
