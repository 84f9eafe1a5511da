//! R2, branch (paper 2, section 2.2):
//!
//! ```text
//! (b, if(u,P,Q);R, F)  →  (b, P;R, F)   if u(b)
//! (b, if(u,P,Q);R, F)  →  (b, Q;R, F)   if not u(b)
//! ```
//!
//! Premises: [`Premise::BranchIsDefined`], [`Premise::BranchIsTaken`].
//!
//! Effect: the residual alone; memory is only read.

use super::residual::Residual;
use super::step::{Failure, Firing, Step};
use crate::algebra::expr::Expr;
use crate::algebra::operator::Op;
use crate::algebra::value::Value;
use crate::evaluation::eval::eval;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;
use std::sync::Arc;

pub(super) fn fire(
    mut firing: Firing<'_>,
    cond: &Expr,
    then: &Arc<Op>,
    otherwise: &Arc<Op>,
) -> Result<Step, Failure> {
    let cond = eval(cond, &mut firing.reading);
    decided(Premise::BranchIsDefined, cond.is_ok());
    let taken = match cond {
        Ok(value) => decided(Premise::BranchIsTaken, value == Value::Bool(true)),
        Err(kind) => return Err(firing.fail(kind)),
    };
    let frame = firing.reading.view.thread.frames.last();
    let rest = frame.map_or(Residual::EMPTY, |frame| frame.rest.tail());
    firing.goes_on(rest.prepend(if taken { then } else { otherwise }))
}
