//! R5, return from a procedure (paper 2, section 2.2):
//!
//! ```text
//! (b, ε, F·(Pi,R)·Pj)  →  (b, R, F·Pi)
//! ```
//!
//! Premise: [`Premise::ResultIsGiven`] tells whether the result has a value; the rule fires either way.
//!
//! Effect: the callee's frame is gone. Beyond the paper: the callee's result variable is assigned to the caller's
//! (undefined when it was never assigned).

use super::step::{Effect, Failure, Firing, Step};
use crate::algebra::value::Value;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;

pub(super) fn fire(firing: Firing<'_>) -> Result<Step, Failure> {
    let mut thread = firing.thread();
    if let Some(callee) = thread.frames.pop()
        && let Some(to) = callee.result_to
    {
        let given = firing.context().program.proc(callee.proc).result;
        let value = given.and_then(|var| callee.vars.get(var.0 as usize).copied());
        let value = value.unwrap_or(Value::Undef);
        decided(Premise::ResultIsGiven, value != Value::Undef);
        thread.assign(to, value);
    }
    thread.settle(&firing.context().program);
    firing.done(thread, Effect::Nothing)
}
