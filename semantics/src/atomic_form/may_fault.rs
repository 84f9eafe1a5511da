//! Which expressions may be a fault.

use crate::algebra::expr::{BinaryOp, Expr, ExprKind};
use crate::algebra::types::ScalarType;
use crate::analysis::definite_assignment::Assigned;

/// Whether evaluating a load-free expression may be a fault, where `assigned` holds.
pub fn may_fault(expr: &Expr, assigned: &Assigned) -> bool {
    let here = match &expr.kind {
        ExprKind::Var(var) => !assigned.contains(*var),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Div | BinaryOp::Rem => is_integer(a) && !is_harmless_divisor(b),
            BinaryOp::Shl | BinaryOp::Shr => !is_constant_below(b, a),
            BinaryOp::PtrDiff => true,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => a.ty.pointer().is_some(),
            _ => false,
        },
        ExprKind::Cast(a) => {
            let from_float = a.ty.scalar().is_some_and(ScalarType::is_float);
            from_float && expr.ty.scalar().is_some_and(ScalarType::is_integer)
        }
        ExprKind::Load(_) => true,
        _ => false,
    };
    here || expr.operands().iter().any(|e| may_fault(e, assigned))
}

fn is_integer(expr: &Expr) -> bool {
    expr.ty.scalar().is_some_and(ScalarType::is_integer)
}

fn constant(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Const(value) => value.as_integer(),
        _ => None,
    }
}

fn is_harmless_divisor(expr: &Expr) -> bool {
    constant(expr).is_some_and(|n| n != 0 && n != -1)
}

fn is_constant_below(amount: &Expr, shifted: &Expr) -> bool {
    let width = shifted.ty.scalar().map_or(0, ScalarType::bits) as i128;
    constant(amount).is_some_and(|n| (0..width).contains(&n))
}
