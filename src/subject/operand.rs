//! Operands of comparisons between an argument and a constant, conversions aside: what is read off a
//! kernel for sampling its arguments.

use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;

pub(crate) fn variable(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Cast(inner) => variable(inner),
        _ => None,
    }
}

pub(crate) fn number(e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Const(value) => value.as_integer(),
        ExprKind::Cast(inner) => number(inner),
        _ => None,
    }
}
