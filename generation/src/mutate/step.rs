//! Counted loops that begin elsewhere or make other steps.

use super::variant::{variants, with_expression};
use super::{Mutation, Nursery};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::Op;
use gridlock_semantics::analysis::loops::{counted_loop, reads};
use std::sync::Arc;

pub(super) fn changed(nursery: &mut Nursery) {
    for (proc, op) in nursery.operators() {
        let Some(counted) = counted_loop(op) else {
            continue;
        };
        let step = |part: &Expr| match &part.kind {
            ExprKind::Binary(op, a, b) if reads(a, counted.var) && !reads(b, counted.var) => {
                let more = longer(b).map(|b| Expr::binary(*op, (**a).clone(), b));
                let other = match op {
                    BinaryOp::Mul => Some(BinaryOp::Add),
                    _ => None,
                };
                let other = other.map(|op| Expr::binary(op, (**a).clone(), (**b).clone()));
                more.into_iter().chain(other).collect()
            }
            _ => Vec::new(),
        };
        let mut propose = |at: &Arc<Op>, what: &str, was: &Expr, is: &Expr, whole: Expr| {
            let description = format!(
                "the loop's {what} `{}` becomes `{}`",
                nursery.text(proc, was),
                nursery.text(proc, is)
            );
            let with = with_expression(at, 0, whole);
            let place = (proc, op.span);
            nursery.replace(Mutation::StepChanged, place, at.id, &with, description);
        };
        for variant in variants(counted.step, &step) {
            let (was, is) = (&variant.was, &variant.is);
            propose(counted.step_op, "step", was, is, variant.whole.clone());
        }
        if let Some(start) = longer(counted.init) {
            propose(
                counted.init_op,
                "start",
                counted.init,
                &start,
                start.clone(),
            );
        }
    }
}

/// One more.
fn longer(expr: &Expr) -> Option<Expr> {
    let ty = expr.ty.scalar().filter(|ty| ty.is_integer())?;
    Some(Expr::binary(BinaryOp::Add, expr.clone(), Expr::int(ty, 1)))
}
