//! Operations on constants that are exact: over the real numbers nothing else is computed in floats.

use super::polynomial::Number;
use gridlock_semantics::algebra::expr::{BinaryOp, MathFn, UnaryOp};
use gridlock_semantics::algebra::value::Value;

fn number(value: Value) -> Option<Number> {
    match value {
        Value::F32(bits) => Number::from_float(f32::from_bits(bits)),
        Value::F64(bits) => Number::from_float(f64::from_bits(bits)),
        Value::Int(..) => Some(Number::from_integer(value.integer().into())),
        _ => None,
    }
}

fn is(value: Value, expected: Option<Number>) -> bool {
    expected.is_some() && number(value) == expected
}

/// Whether the result of an operation on two floats is the real number.
pub fn is_exact_binary(op: BinaryOp, a: Value, b: Value, result: Value) -> bool {
    if op.is_comparison() {
        return true;
    }
    let (Some(x), Some(y)) = (number(a), number(b)) else {
        return false;
    };
    match op {
        BinaryOp::Add => is(result, Some(x + y)),
        BinaryOp::Sub => is(result, Some(x - y)),
        BinaryOp::Mul => is(result, Some(x * y)),
        BinaryOp::Div => is(result, (y != Number::from_integer(0.into())).then(|| x / y)),
        _ => false,
    }
}

/// The same of one float.
pub fn is_exact_unary(op: UnaryOp) -> bool {
    op == UnaryOp::Neg
}

/// Whether a conversion keeps the number. One to an integer leaves out a fraction, as it has to.
pub fn is_exact_cast(from: Value, to: Value) -> bool {
    !matches!(to, Value::F32(_) | Value::F64(_)) || is(to, number(from))
}

/// Whether the result of a function of floats is the real number.
pub fn is_exact_function(function: MathFn, args: &[Value], result: Value) -> bool {
    let numbers: Option<Vec<Number>> = args.iter().map(|arg| number(*arg)).collect();
    match (function, numbers.as_deref()) {
        (MathFn::BitsAs(_), _) => true,
        (
            MathFn::Min | MathFn::Max | MathFn::Abs | MathFn::Floor | MathFn::Ceil | MathFn::Trunc,
            Some(_),
        ) => true,
        (MathFn::Sqrt, Some([x])) => number(result).is_some_and(|root| &root * &root == *x),
        (MathFn::Fma, Some([x, y, z])) => is(result, Some(x * y + z)),
        _ => args.iter().all(|arg| matches!(arg, Value::Int(..))),
    }
}
