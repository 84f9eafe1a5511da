//! The paper's barrier, as printed (section 2.4):
//!
//! R6: `(b, Barrier;R, F) → (inc(b), waiting Barrier;R, F)`, where `inc` is `bc := bc+1`;
//! R7: `(b, waiting Barrier;R, F) → (zero(b), R, F)` if `bc = threads`, where `zero` is `bc := 0`.
//!
//! `bc` is a location of the block like any other: two threads that fire R6 together count once
//! after `merge`, and the first thread that fires R7 alone bars the others. The profile `paper`
//! has the collective barrier instead.

use super::{Effect, Failure, Firing, Step};

pub(super) fn arrive(firing: Firing<'_>) -> Result<Step, Failure> {
    let mut thread = firing.thread();
    thread.waiting = true;
    firing.done(thread, Effect::CountArrival)
}

/// The condition `bc = threads` is the block's to check.
pub(super) fn leave(firing: Firing<'_>) -> Result<Step, Failure> {
    let mut thread = firing.thread();
    thread.leave_barrier(&firing.context().program);
    firing.done(thread, Effect::ClearArrivals)
}
