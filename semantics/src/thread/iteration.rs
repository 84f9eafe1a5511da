//! R3, loop (paper 2, section 2.2):
//!
//! ```text
//! (b, while(u,P);R, F)  →  (b, P;while(u,P);R, F)   if u(b)
//! (b, while(u,P);R, F)  →  (b, R, F)                if not u(b)
//! ```
//!
//! Premises: [`Premise::LoopIsDefined`], [`Premise::LoopGoesOn`].
//!
//! Effect: the residual alone; memory is only read. Loops that contain a barrier also count their iterations, for
//! the axis *divergence*.

use super::step::{Effect, Failure, Firing, Step};
use crate::algebra::expr::Expr;
use crate::algebra::operator::Op;
use crate::algebra::value::Value;
use crate::evaluation::eval::eval;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;
use std::sync::Arc;

pub(super) fn fire(mut firing: Firing<'_>, cond: &Expr, body: &Arc<Op>) -> Result<Step, Failure> {
    let cond = eval(cond, &mut firing.reading);
    decided(Premise::LoopIsDefined, cond.is_ok());
    let again = match cond {
        Ok(value) => decided(Premise::LoopGoesOn, value == Value::Bool(true)),
        Err(kind) => return Err(firing.fail(kind)),
    };
    let counted = firing.context().loops_with_barrier.contains(&firing.op);
    if !counted && let Some(frame) = firing.reading.view.thread.frames.last() {
        let rest = match again {
            true => frame.rest.clone().prepend(body),
            false => frame.rest.tail(),
        };
        return firing.goes_on(rest);
    }
    let mut thread = firing.thread();
    if let Some(frame) = thread.frames.last_mut() {
        if again {
            frame.rest = frame.rest.clone().prepend(body);
            frame.count_iteration(firing.op);
        } else {
            frame.rest = frame.rest.tail();
            frame.leave_loop(firing.op);
        }
    }
    thread.settle(&firing.context().program);
    firing.done(thread, Effect::Nothing)
}
