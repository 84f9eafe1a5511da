//! Whether later code could change a value that was evaluated earlier, or could observe that it was evaluated
//! earlier.

use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::Op;
use gridlock_semantics::analysis::loops;
use std::sync::Arc;

/// Whether running `ops` could change the value of `expr`.
pub(crate) fn is_disturbed(expr: &Expr, ops: &[Arc<Op>]) -> bool {
    if ops.is_empty() {
        return false;
    }
    let mut disturbed = false;
    expr.walk(&mut |e| match e.kind {
        ExprKind::Load(_) => disturbed = true,
        ExprKind::Var(var) => disturbed |= ops.iter().any(|op| loops::assigns(op, var)),
        _ => {}
    });
    disturbed
}

/// Whether operators assign one of the first `n_vars` variables that an expression names.
pub(crate) fn is_moved(expr: &Expr, ops: &[Arc<Op>], n_vars: usize) -> bool {
    let mut moved = false;
    expr.walk(&mut |e| {
        if let ExprKind::Var(var) = e.kind
            && (var.0 as usize) < n_vars
        {
            moved |= ops.iter().any(|op| loops::assigns(op, var));
        }
    });
    moved
}

/// The message for operands whose order of evaluation could make a difference.
pub(crate) fn without_order(what: &str) -> String {
    format!("operands that the language puts in no order: one changes {what}, which another uses")
}

/// Whether evaluating an expression neither reads memory nor can be a fault, given that its variables have
/// values.
pub(crate) fn is_harmless(value: &Expr) -> bool {
    let mut harmless = !value.is_no_value();
    value.walk(&mut |e| {
        harmless &= match &e.kind {
            ExprKind::Load(_) => false,
            // Order and difference of pointers into different arrays are undefined.
            ExprKind::Binary(
                BinaryOp::PtrDiff | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge,
                a,
                _,
            ) => a.ty.pointer().is_none(),
            ExprKind::Cast(from) => from.ty.scalar().is_some_and(|s| !s.is_float()),
            ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, by) => {
                let width = a.ty.scalar().map_or(0, |s| s.bits());
                match &by.kind {
                    ExprKind::Const(value) => value
                        .as_integer()
                        .is_some_and(|n| (0..i128::from(width)).contains(&n)),
                    _ => false,
                }
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, by) => match &by.kind {
                ExprKind::Const(value) => value.as_integer().is_some_and(|n| n > 0),
                _ => false,
            },
            _ => true,
        };
    });
    harmless
}
