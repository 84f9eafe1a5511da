//! The paper's barrier, as printed (section 2.4):
//!
//! R6: `(b, Barrier;R, F) → (inc(b), waiting Barrier;R, F)`, where `inc` is `bc := bc+1`;
//! R7: `(b, waiting Barrier;R, F) → (zero(b), R, F)` if `bc = threads`, where `zero` is `bc := 0`.
//!
//! `bc` is a location of the block like any other: two threads that fire R6 together count once
//! after `merge`, and the first thread that fires R7 alone bars the others. The profile `paper`
//! has the collective barrier instead.

use crate::thread::view::View;
use crate::thread::{Effect, Failure, Firing, Step};
use crate::transition::Rule;

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

/// The condition `bc = threads` is the block's to check.
fn leave(firing: Firing<'_>) -> Result<Step, Failure> {
    let mut thread = firing.thread();
    thread.leave_barrier(&firing.context().program);
    firing.done(thread, Effect::ClearArrivals)
}
