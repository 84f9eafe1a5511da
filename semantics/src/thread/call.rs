//! R4, call of a procedure (paper 2, section 2.2):
//!
//! ```text
//! (b, call(Pj);R, F·Pi)  →  (b, Y(Pj), F·(Pi,R)·Pj)
//! ```
//!
//! Premise: [`Premise::ArgumentsAreDefined`].
//!
//! Effect: a frame for `Pj` whose residual is its body `Y(Pj)`; the caller's residual is what follows the call.
//! Beyond the paper: arguments are evaluated into the callee's first variables.

use super::state::Frame;
use super::step::{Effect, Failure, Firing, Step};
use crate::algebra::expr::Expr;
use crate::algebra::ids::{ProcId, VarId};
use crate::evaluation::eval::eval;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;

pub(super) fn fire(
    mut firing: Firing<'_>,
    proc: ProcId,
    args: &[Expr],
    result: Option<VarId>,
) -> Result<Step, Failure> {
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        let value = eval(arg, &mut firing.reading);
        decided(Premise::ArgumentsAreDefined, value.is_ok());
        match value {
            Ok(value) => values.push(value),
            Err(kind) => return Err(firing.fail(kind)),
        }
    }
    let mut thread = firing.thread();
    if let Some(caller) = thread.frames.last_mut() {
        caller.rest = caller.rest.tail();
    }
    thread.frames.push(Frame {
        call_site: Some(firing.op),
        result_to: result,
        ..Frame::new(&firing.context().program, proc, &values)
    });
    firing.done(thread, Effect::Nothing)
}
