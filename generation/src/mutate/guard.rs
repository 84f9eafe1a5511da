//! Conditions that hold more often than they should.

use super::variant::{Variant, variants};
use super::{Mutation, Nursery};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use std::sync::Arc;

pub(super) fn weakened(nursery: &mut Nursery) {
    nursery.vary(Mutation::GuardWeakened, &|op, _, expr| match &op.kind {
        // What keeps threads out weakens the guard of what follows by holding less often.
        OpKind::If { then, .. } if leaves(then) => whole(expr, stronger(expr), Some(false)),
        OpKind::If { .. } => whole(expr, weaker(expr), Some(true)),
        OpKind::While { .. } => whole(expr, weaker(expr), None),
        _ => in_choices(expr),
    });
}

/// Whether the branch does nothing but end the thread.
fn leaves(branch: &Arc<Op>) -> bool {
    match &branch.kind {
        OpKind::Basic(Basic::Exit) => true,
        OpKind::Seq(parts) => parts.len() == 1 && leaves(&parts[0]),
        _ => false,
    }
}

/// The condition of an operator in its other versions, and dropped in favour of a constant.
fn whole(cond: &Expr, mut others: Vec<Expr>, constant: Option<bool>) -> Vec<Variant> {
    others.extend(constant.map(Expr::bool));
    let of = |is: Expr| Variant {
        was: cond.clone(),
        whole: is.clone(),
        is,
    };
    others.into_iter().map(of).collect()
}

/// Conditions of `c ? a : b` inside an expression.
fn in_choices(expr: &Expr) -> Vec<Variant> {
    variants(expr, &|part| match &part.kind {
        ExprKind::Select(cond, a, b) => {
            let conds = weaker(cond).into_iter().chain([Expr::bool(true)]);
            let choice = |cond| Expr::select(cond, (**a).clone(), (**b).clone());
            conds.map(choice).collect()
        }
        _ => Vec::new(),
    })
}

/// Conditions that hold where this one does, and elsewhere (where bounds do not overflow).
fn weaker(cond: &Expr) -> Vec<Expr> {
    let ExprKind::Binary(op, a, b) = &cond.kind else {
        return Vec::new();
    };
    let compare = |op, a: &Expr, b: &Expr| Expr::binary(op, a.clone(), b.clone());
    let more = |e: &Expr| {
        let ty = e.ty.scalar().filter(|ty| ty.is_integer())?;
        Some(Expr::binary(BinaryOp::Add, e.clone(), Expr::int(ty, 1)))
    };
    let twice = |e: &Expr| Expr::binary(BinaryOp::Add, e.clone(), e.clone());
    let is_constant = matches!(b.kind, ExprKind::Const(_));
    let mut found = Vec::new();
    match op {
        BinaryOp::And => {
            found.push((**a).clone());
            found.push((**b).clone());
            found.extend(weaker(a).iter().map(|a| compare(BinaryOp::And, a, b)));
            found.extend(weaker(b).iter().map(|b| compare(BinaryOp::And, a, b)));
        }
        BinaryOp::Or => {
            found.extend(weaker(a).iter().map(|a| compare(BinaryOp::Or, a, b)));
            found.extend(weaker(b).iter().map(|b| compare(BinaryOp::Or, a, b)));
        }
        BinaryOp::Lt | BinaryOp::Le if a.ty.scalar().is_some() => {
            match op {
                BinaryOp::Lt => found.push(compare(BinaryOp::Le, a, b)),
                _ => found.extend(more(b).map(|b| compare(BinaryOp::Le, a, &b))),
            }
            if !is_constant {
                found.push(compare(*op, a, &twice(b)));
            }
        }
        BinaryOp::Gt | BinaryOp::Ge if a.ty.scalar().is_some() => match op {
            BinaryOp::Gt => found.push(compare(BinaryOp::Ge, a, b)),
            _ => found.extend(more(a).map(|a| compare(BinaryOp::Ge, &a, b))),
        },
        BinaryOp::Eq if a.ty.scalar().is_some() => {
            found.push(compare(BinaryOp::Le, a, b));
            found.extend(more(b).map(|b| compare(BinaryOp::Le, a, &b)));
        }
        _ => {}
    }
    found
}

/// Conditions that hold only where this one does.
fn stronger(cond: &Expr) -> Vec<Expr> {
    let ExprKind::Binary(op, a, b) = &cond.kind else {
        return Vec::new();
    };
    let compare = |op| Expr::binary(op, (**a).clone(), (**b).clone());
    match op {
        BinaryOp::Ge => vec![compare(BinaryOp::Gt)],
        BinaryOp::Le => vec![compare(BinaryOp::Lt)],
        BinaryOp::Or => vec![(**a).clone(), (**b).clone()],
        BinaryOp::Ne => vec![compare(BinaryOp::Gt)],
        _ => Vec::new(),
    }
}
