//! Fences and scopes weakened; lanes of warp operations changed.

use super::variant::{Variant, with_expression};
use super::{Mutation, Nursery, with_kind};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind, Scope, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::types::ScalarType;

pub(super) fn order_weakened(nursery: &mut Nursery) {
    const MUTATION: Mutation = Mutation::OrderWeakened;
    for (proc, op) in nursery.operators() {
        let place = (proc, op.span);
        let OpKind::Basic(basic) = &op.kind else {
            continue;
        };
        if let Basic::Fence { .. } = basic {
            let description = "the fence is dropped".to_owned();
            nursery.replace(MUTATION, place, op.id, &Op::skip(), description);
        }
        let mut narrow = basic.clone();
        if let Basic::Fence { scope } | Basic::Atomic { scope, .. } = &mut narrow
            && *scope != Scope::Block
        {
            *scope = Scope::Block;
            let what = match basic {
                Basic::Fence { .. } => "the fence",
                _ => "the atomic",
            };
            let with = with_kind(op, OpKind::Basic(narrow));
            let description = format!("{what} speaks of the block only");
            nursery.replace(MUTATION, place, op.id, &with, description);
        }
    }
}

pub(super) fn lanes_changed(nursery: &mut Nursery) {
    const MUTATION: Mutation = Mutation::LanesChanged;
    nursery.vary(MUTATION, &|op, n, expr| match &op.kind {
        OpKind::Basic(Basic::Warp { .. } | Basic::SyncWarp { .. }) if n == 0 => {
            let one = Expr::int(ScalarType::U32, 1);
            part(expr, [Expr::binary(BinaryOp::Shr, expr.clone(), one)])
        }
        // After the mask: the value, the lane or the distance, the width.
        OpKind::Basic(Basic::Warp {
            function: WarpFn::Shuffle(_),
            ..
        }) if n == 2 => {
            let Some(ty) = expr.ty.scalar() else {
                return Vec::new();
            };
            let one = || Expr::int(ty, 1);
            part(
                expr,
                [
                    Expr::binary(BinaryOp::Add, expr.clone(), one()),
                    Expr::binary(BinaryOp::Sub, expr.clone(), one()),
                ],
            )
        }
        _ => Vec::new(),
    });
    for (proc, op) in nursery.operators() {
        let OpKind::Basic(basic @ Basic::Warp { operands, .. }) = &op.kind else {
            continue;
        };
        let mut other = basic.clone();
        if let Basic::Warp { function, .. } = &mut other {
            let (turned, word) = match function {
                WarpFn::Shuffle(ShuffleMode::Up) => (ShuffleMode::Down, "above"),
                WarpFn::Shuffle(ShuffleMode::Down) => (ShuffleMode::Up, "below"),
                WarpFn::Shuffle(ShuffleMode::Xor) => (ShuffleMode::Index, "the lane named"),
                _ => continue,
            };
            *function = WarpFn::Shuffle(turned);
            let with = with_kind(op, OpKind::Basic(other));
            let description = match operands.first() {
                Some(value) => format!("`{}` comes from {word}", nursery.text(proc, value)),
                None => continue,
            };
            nursery.replace(MUTATION, (proc, op.span), op.id, &with, description);
        }
        for (n, operand) in op.expressions().into_iter().enumerate().skip(1) {
            if let ExprKind::Const(_) | ExprKind::Var(_) = operand.kind
                && let OpKind::Basic(Basic::Warp {
                    function: WarpFn::Shuffle(_),
                    ..
                }) = op.kind
                && n == 3
            {
                let half = Expr::i32(16);
                let description = format!("the width `{}` becomes 16", nursery.text(proc, operand));
                let with = with_expression(op, n, half);
                nursery.replace(MUTATION, (proc, op.span), op.id, &with, description);
            }
        }
    }
}

fn part(was: &Expr, others: impl IntoIterator<Item = Expr>) -> Vec<Variant> {
    let of = |is: Expr| Variant {
        was: was.clone(),
        whole: is.clone(),
        is,
    };
    others.into_iter().map(of).collect()
}
