//! Read-modify-write functions.

use crate::algebra::expr::{BinaryOp, MathFn};
use crate::algebra::operator::AtomicFn;
use crate::algebra::types::ScalarType;
use crate::algebra::value::Value;
use crate::evaluation::arithmetic;
use crate::transition::fault::FaultKind;

/// The cell's new value.
pub fn apply(function: AtomicFn, old: Value, operands: &[Value]) -> Value {
    let operand = operands.first().copied().unwrap_or(Value::Undef);
    let binary = |op| arithmetic::binary(op, old, operand);
    // None of these operators can fail on operands of one type.
    let result = match function {
        AtomicFn::Add => binary(BinaryOp::Add),
        AtomicFn::Sub => binary(BinaryOp::Sub),
        AtomicFn::And => binary(BinaryOp::BitAnd),
        AtomicFn::Or => binary(BinaryOp::BitOr),
        AtomicFn::Xor => binary(BinaryOp::BitXor),
        AtomicFn::Min => arithmetic::math(MathFn::Min, &[old, operand]),
        AtomicFn::Max => arithmetic::math(MathFn::Max, &[old, operand]),
        AtomicFn::Exch => Ok(operand),
        // Compares bits, so that a NaN equals itself and −0 differs from +0.
        AtomicFn::Cas if old == operand => Ok(operands.get(1).copied().unwrap_or(Value::Undef)),
        AtomicFn::Cas => Ok(old),
        // CUDA C++ Programming Guide, atomicInc() and atomicDec().
        AtomicFn::Inc => match (old.as_integer(), operand.as_integer()) {
            (Some(n), Some(limit)) if n >= limit => number(old, 0),
            (Some(n), _) => number(old, n + 1),
            _ => Ok(Value::Undef),
        },
        AtomicFn::Dec => match (old.as_integer(), operand.as_integer()) {
            (Some(n), Some(limit)) if n == 0 || n > limit => Ok(operand),
            (Some(n), _) => number(old, n - 1),
            _ => Ok(Value::Undef),
        },
    };
    result.unwrap_or(Value::Undef)
}

/// Whether a cell that holds `old` is only read: a compare-and-swap that fails.
pub fn fails(function: AtomicFn, old: Value, operands: &[Value]) -> bool {
    function == AtomicFn::Cas && operands.first().is_some_and(|compare| *compare != old)
}

/// `n` as a value of the type of `like`.
fn number(like: Value, n: i128) -> Result<Value, FaultKind> {
    match like {
        Value::Int(ty, _) => Ok(Value::int(ty, n)),
        _ => Ok(Value::Undef),
    }
}

/// Whether several of them on one location give the same final contents in every order.
pub fn order_is_unseen(function: AtomicFn, elem: ScalarType, result_used: bool) -> bool {
    function.is_commutative() && !elem.is_float() && !result_used
}
