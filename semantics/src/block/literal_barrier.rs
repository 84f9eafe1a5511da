//! R6 and R7, the barrier as the paper prints it (section 2.4); axis *barrier*: `literal`.
//!
//! ```text
//! R6  (b, Barrier;R, F)          →  (inc(b), waiting Barrier;R, F)                     inc(b):  bc := bc + 1
//! R7  (b, waiting Barrier;R, F)  →  (zero(b), R, F)                  if bc = threads   zero(b): bc := 0
//! ```
//!
//! Premises: [`Premise::HasNotArrived`] of R6, [`Premise::CountIsFull`] of R7.
//!
//! Effect: `bc` is a location of the block like any other: two threads that fire R6 together count once after
//! `merge`, and after the first thread that fires R7 alone, the others can never leave. The profile `paper` has the
//! collective barrier instead ([`collective_barrier`](super::collective_barrier)).

use super::demanded::n_demanded;
use super::state::BlockState;
use crate::profile::BarrierRule;
use crate::setup::context::Context;
use crate::thread::view::View;
use crate::thread::{Effect, Failure, Firing, Step, ThreadState};
use crate::transition::Rule;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;

/// The step of a thread whose head is the barrier: it leaves where it waits, and arrives elsewhere. `None` when
/// its head is not a barrier.
pub(super) fn step(view: View<'_>) -> Option<Result<Step, Failure>> {
    let op = view.thread.position()?;
    Some(match view.thread.waiting {
        true => leave(Firing::new(view, Rule::R7, op)),
        false => arrive(Firing::new(view, Rule::R6, op)),
    })
}

fn arrive(firing: Firing<'_>) -> Result<Step, Failure> {
    let mut thread = firing.thread();
    thread.waiting = true;
    firing.done(thread, Effect::CountArrival)
}

fn leave(firing: Firing<'_>) -> Result<Step, Failure> {
    let mut thread = firing.thread();
    thread.leave_barrier(&firing.context().program);
    firing.done(thread, Effect::ClearArrivals)
}

/// Whether a thread of the block whose head is the barrier may fire R6 or R7.
pub(super) fn is_enabled(context: &Context, block: &BlockState, thread: &ThreadState) -> bool {
    let is_full = || block.arrived == n_demanded(context, block);
    context.axes.barrier == BarrierRule::Literal
        && (decided(Premise::HasNotArrived, !thread.waiting)
            || decided(Premise::CountIsFull, is_full()))
}

/// `inc`, of `bc` before the transition.
pub(crate) const fn inc(bc: u32) -> u32 {
    bc + 1
}

/// `bc` after `zero`.
pub(crate) const ZERO: u32 = 0;
