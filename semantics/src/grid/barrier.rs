//! The barrier of a grid, `cooperative_groups::this_grid().sync()` (beyond the paper): like the collective barrier of
//! a block ([`crate::block::collective_barrier`]), but of all threads of all blocks of a cooperative launch. With `D`
//! those still demanded:
//!
//! ```text
//! {(b, GridBarrier;Rᵢ, Fᵢ) | i ∈ D}  →  {(b, Rᵢ, Fᵢ) | i ∈ D}   if every i ∈ D stands at a barrier of the grid
//! ```
//!
//! Premises: [`Premise::LaunchIsCooperative`], without which reaching the barrier is a fault;
//! [`Premise::GridThreadWaits`] of every thread that runs, and [`Premise::GridEndedIsExcused`] of every one that has
//! ended. Threads may stand at different occurrences: the barrier of a block that it consists of is not aligned.
//!
//! Effect: all continue in one step. Arrival is not a step. There is no literal barrier of the grid: it is collective
//! in every profile.

use super::state::{Device, GridState};
use crate::algebra::operator::OpId;
use crate::block::positions;
use crate::profile::AtBarrier;
use crate::setup::context::Context;
use crate::thread::{Status, is_at_grid_barrier};
use crate::transition::decision::decided;
use crate::transition::fault::{Fault, FaultKind, ThreadPosition};
use crate::transition::premise::Premise;
use crate::transition::{Actor, End, Label, Rule};
use std::sync::Arc;

/// What the grid's barrier allows in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gathering {
    /// Some demanded thread has not arrived, or no thread waits.
    Incomplete,
    /// All that run leave together; the barrier the first of them stands at.
    Complete(OpId),
    /// Some wait at a barrier that others will never reach.
    Diverged(Vec<ThreadPosition>, OpId),
}

impl Gathering {
    /// What the barrier of the grid allows.
    pub fn of(context: &Context, grid: &GridState) -> Gathering {
        if !grid.cooperative {
            return Gathering::Incomplete;
        }
        let mut first: Option<OpId> = None;
        let mut ended = false;
        let blocks = grid.blocks.iter();
        let threads = blocks.flat_map(|block| block.threads.iter().enumerate());
        for (number, thread) in threads {
            if thread.status == Status::Running {
                let waits = decided(Premise::GridThreadWaits, is_at_grid_barrier(thread));
                let Some(op) = thread.position().filter(|_| waits) else {
                    return Gathering::Incomplete;
                };
                first = first.or(Some(op));
                continue;
            }
            let it_is = context.axes.exited_threads.at_grid_barrier(number == 0);
            if !decided(Premise::GridEndedIsExcused, it_is == AtBarrier::Excused) {
                if it_is == AtBarrier::Awaited {
                    return Gathering::Incomplete;
                }
                ended = true;
            }
        }
        let Some(op) = first else {
            return Gathering::Incomplete;
        };
        if ended {
            let blocks = grid.blocks.iter().enumerate();
            let all = blocks.flat_map(|(index, block)| positions(index as u32, block));
            return Gathering::Diverged(all.collect(), op);
        }
        Gathering::Complete(op)
    }
}

/// The launch after all threads have left the grid's barrier.
fn release(context: &Context, grid: &GridState) -> GridState {
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

/// The barrier of the grid, or the defect it has become.
pub fn leave(context: &Context, base: &Device) -> Option<(Label, Device)> {
    let grid = &base.grid;
    let gathering = Gathering::of(context, grid);
    if gathering == Gathering::Incomplete {
        return None;
    }
    let mut label = Label {
        rule: Rule::GridBarrier,
        actors: Vec::new(),
        op: None,
        accesses: Vec::new(),
        fault: None,
    };
    for (block, own) in grid.blocks.iter().enumerate() {
        for (thread, at) in own.threads.iter().enumerate() {
            if is_at_grid_barrier(at) {
                label.actors.push(Actor::Thread {
                    block: block as u32,
                    thread: thread as u32,
                });
            }
        }
    }
    let mut after = base.clone();
    match gathering {
        Gathering::Incomplete => return None,
        Gathering::Complete(op) => {
            label.op = Some(op);
            after.grid = release(context, grid);
        }
        Gathering::Diverged(positions, op) => {
            label.op = Some(op);
            let fault = Fault {
                kind: FaultKind::BarrierDivergence { positions },
                actor: Actor::Device,
                op,
            };
            after.end = Some(End::Fault(Arc::new(fault.clone())));
            label.fault = Some(fault);
        }
    }
    Some((label, after))
}
