//! R10, a kernel's explicit `return` (beyond the paper; docs/semantics.md, deviation 2):
//!
//! ```text
//! (b, exit;R, F)  →  (b, returned, Pm)
//! ```
//!
//! Premise: [`Premise::ReturnIsEarly`] tells whether statements follow; one that is the last statement of the body
//! is simply its end, `ε`.
//!
//! Effect: the thread has ended; memory stays.

use super::state::Status;
use super::step::{Effect, Failure, Firing, Step};
use crate::transition::decision::decided;
use crate::transition::premise::Premise;

pub(super) fn fire(firing: Firing<'_>) -> Result<Step, Failure> {
    let mut thread = firing.thread();
    let closing = firing.context().closing_returns.contains(&firing.op);
    thread.end(match decided(Premise::ReturnIsEarly, !closing) {
        true => Status::Returned,
        false => Status::Ended,
    });
    firing.done(thread, Effect::Nothing)
}
