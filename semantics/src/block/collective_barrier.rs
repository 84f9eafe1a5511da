//! The collective barrier (beyond the paper, whose barrier is in [`literal_barrier`](super::literal_barrier)); axis
//! *barrier*: `collective`. With `D` the threads of the block that are still demanded:
//!
//! ```text
//! {(b, Barrier;Rᵢ, Fᵢ) | i ∈ D}  →  {(b, Rᵢ, Fᵢ) | i ∈ D}   if every i ∈ D stands at a barrier
//! ```
//!
//! Premises: [`Premise::ThreadWaits`] of every thread that runs, [`Premise::EndedIsExcused`] of every one that has
//! ended (the axis *exited threads*), and [`Premise::BarrierIsTheSame`] where the axis
//! *divergence* says so.
//!
//! Effect: all waiting threads continue in one step; memory stays. Arrival is not a step: a thread whose head is the
//! barrier waits. A defect is reported once no thread of the block can still prevent it: every other thread waits at
//! a barrier or has ended.

use super::part::Part;
use crate::algebra::operator::OpId;
use crate::block::{BlockState, positions};
use crate::profile::{AtBarrier, BarrierRule};
use crate::setup::context::Context;
use crate::thread::is_at_grid_barrier;
use crate::thread::{BarrierPosition, Status};
use crate::transition::Actor;
use crate::transition::decision::decided;
use crate::transition::fault::{Fault, FaultKind, ThreadPosition};
use crate::transition::premise::Premise;

/// What the block's barrier allows in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gathering {
    /// Some demanded thread has not arrived, or no thread waits.
    Incomplete,
    /// These threads leave together; the barrier the first of them stands at.
    Complete(Vec<u32>, OpId),
    /// Some wait at a barrier that others will never reach, or at different ones.
    Diverged(Vec<ThreadPosition>, OpId),
}

impl Gathering {
    /// What the barrier of the block with that number allows.
    pub fn of(context: &Context, block: u32, state: &BlockState) -> Gathering {
        if context.axes.barrier == BarrierRule::Literal {
            return Gathering::Incomplete;
        }
        let mut waiting = Vec::new();
        let mut first: Option<(OpId, Option<BarrierPosition>)> = None;
        let (mut ended, mut same, mut at_grid) = (false, true, false);
        for (index, thread) in state.threads.iter().enumerate() {
            match thread.status {
                Status::Ended | Status::Returned => {
                    let returned = thread.status == Status::Returned;
                    let it_is = context.axes.exited_threads.at_barrier(returned);
                    if !decided(Premise::EndedIsExcused, it_is == AtBarrier::Excused) {
                        if it_is == AtBarrier::Awaited {
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
                    let here = thread.demanded_position(op);
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
        let same_is_demanded = context.axes.divergence.demands_the_same();
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

/// The block after `threads` have left their barrier.
fn release(context: &Context, state: &BlockState, threads: &[u32]) -> BlockState {
    let mut after = state.clone();
    for &thread in threads {
        let mut moved = (*state.threads[thread as usize]).clone();
        moved.leave_barrier(&context.program);
        after.set_thread(thread, moved);
    }
    after
}

impl Part<'_> {
    /// All waiting threads leave, or the barrier is a defect, which ends the run. The label names the participants if
    /// the transition consists of barriers only, else the block.
    pub(super) fn leave_barrier(&mut self, only_barriers: bool) -> Option<Fault> {
        let gathering = Gathering::of(self.place.context, self.place.block, self.place.state);
        let fault = gathering.fault();
        let (threads, op) = match gathering {
            Gathering::Incomplete => return None,
            Gathering::Complete(threads, op) => (threads, op),
            Gathering::Diverged(_, op) => {
                let waiting = self.place.state.threads.iter().enumerate();
                let waiting = waiting.filter(|(_, thread)| thread.is_at_barrier());
                (waiting.map(|(index, _)| index as u32).collect(), op)
            }
        };
        self.label.op.get_or_insert(op);
        if only_barriers {
            let actors: Vec<Actor> = threads.iter().map(|&t| self.place.actor(t)).collect();
            self.label.actors.extend(actors);
        } else {
            self.label.actors.push(Actor::Block(self.place.block));
        }
        if let Some(kind) = fault {
            return Some(Fault {
                kind,
                actor: Actor::Block(self.place.block),
                op,
            });
        }
        let mut released = release(self.place.context, self.place.state, &threads);
        released.started = true;
        self.released = Some(released);
        None
    }
}
