//! Expressions with one place in them changed.

use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Op, OpKind};
use std::sync::Arc;

/// An expression of an operator in which a part was changed.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// The part as it was.
    pub was: Expr,
    /// The part as it is.
    pub is: Expr,
    /// The whole expression as it is.
    pub whole: Expr,
}

/// `expr` with one of its parts changed as `change` says, for every part and every change.
pub(super) fn variants(expr: &Expr, change: &dyn Fn(&Expr) -> Vec<Expr>) -> Vec<Variant> {
    let own = change(expr).into_iter().map(|is| Variant {
        was: expr.clone(),
        whole: is.clone(),
        is,
    });
    let mut found: Vec<Variant> = own.collect();
    for (n, operand) in expr.operands().into_iter().enumerate() {
        for inner in variants(operand, change) {
            found.push(Variant {
                whole: with_operand(expr, n, inner.whole),
                was: inner.was,
                is: inner.is,
            });
        }
    }
    found
}

/// The expression with another `n`-th operand, of the same type.
pub(super) fn with_operand(expr: &Expr, n: usize, operand: Expr) -> Expr {
    let pick = |m: usize, old: &Arc<Expr>| match m == n {
        true => Arc::new(operand.clone()),
        false => old.clone(),
    };
    let kind = match &expr.kind {
        leaf @ (ExprKind::Const(_)
        | ExprKind::Var(_)
        | ExprKind::Builtin(_)
        | ExprKind::ArrayBase(_)) => leaf.clone(),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, pick(0, a)),
        ExprKind::Cast(a) => ExprKind::Cast(pick(0, a)),
        ExprKind::Load(a) => ExprKind::Load(pick(0, a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, pick(0, a), pick(1, b)),
        ExprKind::Offset(a, b) => ExprKind::Offset(pick(0, a), pick(1, b)),
        ExprKind::Select(a, b, c) => ExprKind::Select(pick(0, a), pick(1, b), pick(2, c)),
        ExprKind::Math(function, args) => {
            let mut args = args.clone();
            args[n] = operand;
            ExprKind::Math(*function, args)
        }
    };
    Expr { ty: expr.ty, kind }
}

/// The operator with another `n`-th expression, of those [`Op::expressions`] lists.
pub(super) fn with_expression(op: &Op, n: usize, expr: Expr) -> Arc<Op> {
    let mut kind = op.kind.clone();
    match &mut kind {
        OpKind::If { cond, .. } | OpKind::While { cond, .. } => *cond = expr,
        OpKind::Call { args, .. } => args[n] = expr,
        OpKind::Basic(basic) => *basic.expressions_mut().swap_remove(n) = expr,
        OpKind::Skip | OpKind::Seq(_) | OpKind::Par(..) => {}
    }
    super::with_kind(op, kind)
}
