//! The barrier of a grid, `cooperative_groups::this_grid().sync()`: like the collective barrier of
//! a block ([`crate::block::collective_barrier`]), but of all threads of all blocks of a cooperative launch.
//!
//! Arrival is no step. When every thread of the launch that is still demanded waits, all go on in
//! one step. The axes *exited threads* and *divergence* say who is demanded and that it must be
//! the same barrier, as for a block. The literal barrier has no grid barrier of its own: this one
//! is collective in every profile.

use super::state::GridState;
use crate::algebra::operator::OpId;
use crate::block::collective_barrier::is_excused;
use crate::block::positions;
use crate::profile::{Divergence, ExitedThreads};
use crate::setup::context::Context;
use crate::thread::{BarrierPosition, Status, is_at_grid_barrier};
use crate::transition::decision::decided;
use crate::transition::fault::ThreadPosition;
use crate::transition::premise::Premise;

/// What the grid's barrier allows in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gathering {
    /// Some thread that is demanded is elsewhere, or nobody waits.
    Incomplete,
    /// All that run leave together; the barrier the first of them stands at.
    Complete(OpId),
    /// Some wait at a barrier that others will never reach, or at different ones.
    Diverged(Vec<ThreadPosition>, OpId),
}

impl Gathering {
    pub fn of(context: &Context, grid: &GridState) -> Gathering {
        if !grid.cooperative {
            return Gathering::Incomplete;
        }
        let mut first: Option<(OpId, BarrierPosition)> = None;
        let (mut ended, mut same) = (false, true);
        let threads = grid.blocks.iter().flat_map(|block| block.threads.iter());
        for thread in threads {
            if thread.status == Status::Running {
                let waits = decided(Premise::GridThreadWaits, is_at_grid_barrier(thread));
                let Some(op) = thread.position().filter(|_| waits) else {
                    return Gathering::Incomplete;
                };
                let here = thread.barrier_position(op);
                match &first {
                    None => first = Some((op, here)),
                    Some((_, there)) => same &= here == *there,
                }
                continue;
            }
            let exited = context.axes.exited_threads;
            let excused = is_excused(exited, thread.status);
            if !decided(Premise::GridEndedIsExcused, excused) {
                if exited == ExitedThreads::BlockForever {
                    return Gathering::Incomplete;
                }
                ended = true;
            }
        }
        let Some((op, _)) = first else {
            return Gathering::Incomplete;
        };
        let same_is_demanded = context.axes.divergence == Divergence::SameBarrier;
        let same = !same_is_demanded || decided(Premise::GridBarrierIsTheSame, same);
        if ended || !same {
            let blocks = grid.blocks.iter().enumerate();
            let all = blocks.flat_map(|(index, block)| positions(index as u32, block));
            return Gathering::Diverged(all.collect(), op);
        }
        Gathering::Complete(op)
    }
}

/// The launch after everybody has left the grid's barrier.
pub fn release(context: &Context, grid: &GridState) -> GridState {
    let mut after = grid.clone();
    for index in 0..grid.blocks.len() as u32 {
        let block = &grid.blocks[index as usize];
        let mut released = (**block).clone();
        released.started = true;
        for (thread, state) in block.threads.iter().enumerate() {
            if state.is_running() {
                let mut moved = (**state).clone();
                moved.leave_barrier(&context.program);
                released.set_thread(thread as u32, moved);
            }
        }
        released.settle_warps();
        after.set_block(index, released);
    }
    after
}
