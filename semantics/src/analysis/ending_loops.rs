//! Loops that end whatever the values are, found from how they are written.

use super::loops::{CountedLoop, assigns, counted_loop, reads};
use crate::algebra::expr::{BinaryOp, Expr, ExprKind};
use crate::algebra::operator::OpId;
use crate::algebra::program::Program;
use crate::algebra::types::ScalarType;
use std::collections::BTreeSet;

/// The loops of a program that count by one up to, or down to, a bound that does not change, and that their counter
/// cannot step over: `for (i = …; i < n; i++)`. Each ends, if the rounds of its body do. The operators are
/// those of [`OpKind::While`](crate::algebra::operator::OpKind::While).
pub fn ending_loops(program: &Program) -> BTreeSet<OpId> {
    let operators = program.operators();
    let counted = operators.iter().filter_map(|(_, op)| counted_loop(op));
    let ending = counted.filter(ends);
    ending.map(|found| found.while_op.id).collect()
}

fn ends(found: &CountedLoop<'_>) -> bool {
    let Some(is_up) = direction(found) else {
        return false;
    };
    let ExprKind::Binary(op, a, b) = &found.cond.kind else {
        return false;
    };
    // As `counter OP bound`, counting up.
    let (op, counter, bound) = match (mirrored(*op), reads(a, found.var)) {
        (_, true) => (Some(*op), a, b),
        (op, false) => (op, b, a),
    };
    let (strict, or_equal) = match is_up {
        true => (BinaryOp::Lt, BinaryOp::Le),
        false => (BinaryOp::Gt, BinaryOp::Ge),
    };
    let is_strict = op == Some(strict);
    if !is_strict && op != Some(or_equal) || !is_fixed(bound, found) {
        return false;
    }
    let (Some(own), Some(compared)) = (counter_type(counter, found), integer(counter)) else {
        return false;
    };
    // It goes through all values of its type, if need be around its end, until the comparison fails for one.
    match constant(bound) {
        Some(value) => {
            let (least, greatest) = own.range();
            let (first, last) = compared.range();
            let ends = [least, greatest, first, last, value, value - 1, value + 1];
            let own_values = ends.into_iter().filter(|v| (least..=greatest).contains(v));
            own_values
                .map(|v| wrapped(v, compared))
                .any(|v| match (is_up, is_strict) {
                    (true, true) => v >= value,
                    (true, false) => v > value,
                    (false, true) => v <= value,
                    (false, false) => v < value,
                })
        }
        // One of them is the bound itself, or the end of the type that both are compared in.
        None => {
            let is_within = |ty: ScalarType| {
                let ((least, greatest), (first, last)) = (own.range(), ty.range());
                least <= first && last <= greatest
            };
            let whole = compared.bits() == own.bits();
            is_strict && (whole || source_type(bound).is_some_and(is_within))
        }
    }
}

/// A number converted to an integer type.
fn wrapped(value: i128, ty: ScalarType) -> i128 {
    let (least, _) = ty.range();
    (value - least).rem_euclid(1i128 << ty.bits()) + least
}

/// Whether the counter goes up by one; `None` where it does otherwise.
fn direction(found: &CountedLoop<'_>) -> Option<bool> {
    let ExprKind::Binary(op, a, b) = &without_casts(found.step).kind else {
        return None;
    };
    let is_counter = |e: &Expr| without_casts(e).kind == ExprKind::Var(found.var);
    let step = match op {
        BinaryOp::Add if is_counter(a) => constant(b)?,
        BinaryOp::Add if is_counter(b) => constant(a)?,
        BinaryOp::Sub if is_counter(a) => -constant(b)?,
        _ => return None,
    };
    (step.abs() == 1).then_some(step == 1)
}

/// The same comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        _ => return None,
    })
}

/// The type of the counter, where one side of the comparison is the counter and nothing else, perhaps in a wider type.
fn counter_type(side: &Expr, found: &CountedLoop<'_>) -> Option<ScalarType> {
    let own = integer(without_casts(side))?;
    let is_counter = without_casts(side).kind == ExprKind::Var(found.var);
    (is_counter && keeps(side, own.bits())).then_some(own)
}

/// Whether an expression is converted at most once, to an integer of at least so many bits.
fn keeps(expr: &Expr, bits: u32) -> bool {
    match &expr.kind {
        ExprKind::Cast(of) => {
            let is_one = !matches!(of.kind, ExprKind::Cast(_));
            is_one && integer(expr).is_some_and(|ty| ty.bits() >= bits)
        }
        _ => true,
    }
}

/// The type of what is converted into a bound; `None` where that is no integer, or loses something.
fn source_type(bound: &Expr) -> Option<ScalarType> {
    integer(without_casts(bound)).filter(|ty| keeps(bound, ty.bits()))
}

fn integer(expr: &Expr) -> Option<ScalarType> {
    expr.ty.scalar().filter(|ty| ty.is_integer())
}

/// The value of a constant, as the type that it is compared in has it.
fn constant(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Const(value) => value.as_integer(),
        ExprKind::Cast(of) => {
            let (least, greatest) = integer(expr)?.range();
            constant(of).filter(|value| (least..=greatest).contains(value))
        }
        _ => None,
    }
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(of) => without_casts(of),
        _ => expr,
    }
}

/// Whether an expression has one value throughout the loop: it reads no memory, and no variable that is assigned there.
fn is_fixed(bound: &Expr, found: &CountedLoop<'_>) -> bool {
    let mut fixed = true;
    bound.walk(&mut |e| {
        fixed &= match &e.kind {
            ExprKind::Load(_) => false,
            ExprKind::Var(var) => *var != found.var && !assigns(found.body, *var),
            _ => true,
        }
    });
    fixed
}
