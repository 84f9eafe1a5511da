//! Subscripts that are wrong.

use super::variant::{Variant, variants, with_operand};
use super::{Mutation, Nursery};
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::types::{ScalarType, Type};

pub(super) fn shifted(nursery: &mut Nursery) {
    for (proc, op) in nursery.operators() {
        let vars = &nursery.program.proc(proc).vars;
        for (n, expr) in op.expressions().into_iter().enumerate() {
            for variant in of_subscripts(expr, &|index| changes(index, vars)) {
                let with = super::variant::with_expression(op, n, variant.whole);
                let description = format!(
                    "`{}` becomes `{}`",
                    nursery.text(proc, &variant.was),
                    nursery.text(proc, &variant.is)
                );
                let place = (proc, op.span);
                nursery.replace(Mutation::IndexShifted, place, op.id, &with, description);
            }
        }
    }
}

/// `expr` with the subscript of one access in it changed; what changed is shown as an access.
pub(super) fn of_subscripts(expr: &Expr, changes: &dyn Fn(&Expr) -> Vec<Expr>) -> Vec<Variant> {
    variants(expr, &|part| match &part.kind {
        ExprKind::Offset(_, index) => changes(index)
            .into_iter()
            .map(|index| with_operand(part, 1, index))
            .collect(),
        _ => Vec::new(),
    })
}

/// One more, one less; another stride; another thread or axis; another variable.
fn changes(index: &Expr, vars: &[VarDecl]) -> Vec<Expr> {
    let Some(ty) = index.ty.scalar().filter(|ty| ty.is_integer()) else {
        return Vec::new();
    };
    // Inside the conversion that every subscript has; but what is unsigned would wrap at 0, and an
    // element that far away says little.
    let inner = match &index.kind {
        ExprKind::Cast(inner) if inner.ty.scalar().is_some_and(ScalarType::is_signed) => inner,
        _ => index,
    };
    let one = Expr::int(inner.ty.scalar().unwrap_or(ty), 1);
    let off = [BinaryOp::Add, BinaryOp::Sub]
        .map(|op| Expr::binary(op, inner.clone(), one.clone()).cast(index.ty));
    let inside = variants(index, &|part| other_parts(part, vars));
    let inside = inside.into_iter().map(|variant| variant.whole);
    off.into_iter().chain(inside).collect()
}

fn other_parts(part: &Expr, vars: &[VarDecl]) -> Vec<Expr> {
    let builtin = |b| vec![Expr::builtin(b)];
    match &part.kind {
        ExprKind::Builtin(Builtin::ThreadIdx(Axis::X)) => builtin(Builtin::ThreadIdx(Axis::Y)),
        ExprKind::Builtin(Builtin::ThreadIdx(Axis::Y)) => builtin(Builtin::ThreadIdx(Axis::X)),
        ExprKind::Builtin(Builtin::BlockIdx(Axis::X)) => builtin(Builtin::ThreadIdx(Axis::X)),
        ExprKind::Builtin(Builtin::BlockIdx(Axis::Y)) => builtin(Builtin::BlockIdx(Axis::X)),
        ExprKind::Builtin(Builtin::BlockDim(axis)) => builtin(Builtin::GridDim(*axis)),
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            let (a, b) = ((**a).clone(), (**b).clone());
            let longer = Expr::int(b.ty.scalar().unwrap_or(ScalarType::I32), 1);
            vec![
                Expr::binary(BinaryOp::Add, a.clone(), b.clone()),
                Expr::binary(BinaryOp::Mul, a, Expr::binary(BinaryOp::Add, b, longer)),
            ]
        }
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            let (a, b) = ((**a).clone(), (**b).clone());
            vec![Expr::binary(BinaryOp::Sub, a, b)]
        }
        ExprKind::Var(var) => {
            let is_other =
                |(n, decl): &(usize, &VarDecl)| *n != var.0 as usize && decl.ty == part.ty;
            let others = vars.iter().enumerate().filter(is_other);
            let other = |(n, decl): (usize, &VarDecl)| {
                Expr::var(gridlock_semantics::algebra::ids::VarId(n as u32), decl.ty)
            };
            let integer = matches!(part.ty, Type::Scalar(ty) if ty.is_integer());
            match integer {
                true => others.map(other).collect(),
                false => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}
