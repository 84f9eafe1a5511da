//! The operators of the algebra for those of C.

use crate::constant;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;

/// A shift's amount counts modulo the width of what is shifted (OpenCL C 3.0, 6.3.j).
pub(crate) fn shift_amount(amount: Expr, shifted: ScalarType) -> Expr {
    let width = i64::from(shifted.bits());
    let known = constant::evaluate(&amount).and_then(Value::as_integer);
    match (known, amount.ty.scalar()) {
        (Some(n), _) if (0..width as i128).contains(&n) => amount,
        (_, Some(own)) if own.is_integer() => {
            Expr::binary(BinaryOp::BitAnd, amount, Expr::int(own, width - 1))
        }
        _ => amount,
    }
}

/// The value whose number `index` is; the last for any other.
pub(crate) fn chosen(values: Vec<Expr>, index: &Expr) -> Expr {
    let scalar = index.scalar_type();
    let mut numbered: Vec<(usize, Expr)> = values.into_iter().enumerate().collect();
    let Some((_, last)) = numbered.pop() else {
        return index.clone();
    };
    let choose = |otherwise: Expr, (number, value): (usize, Expr)| {
        let is_meant = Expr::binary(
            BinaryOp::Eq,
            index.clone(),
            Expr::int(scalar, number as i64),
        );
        Expr::select(is_meant, value, otherwise)
    };
    numbered.into_iter().rev().fold(last, choose)
}
