//! R4: `(b, call(Pj);R, F·Pi) → (b, Y(Pj), F·(Pi,R)·Pj)`, and
//! R5: `(b, ε, F·(Pi,R)·Pj) → (b, R, F·Pi)`.
//!
//! Beyond the paper: arguments are evaluated into the callee's first variables, and the callee's
//! result variable is assigned to the caller's on return (undefined when it was never assigned).

use super::state::Frame;
use super::step::{Effect, Failure, Firing, Step};
use crate::algebra::expr::Expr;
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::value::Value;
use crate::evaluation::eval::eval;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;

pub(super) fn call(
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

pub(super) fn finish(firing: Firing<'_>) -> Result<Step, Failure> {
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
