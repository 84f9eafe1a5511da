//! Values known while reading: conversions of constants, comparisons of constants, initialisers.

use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::evaluation::arithmetic;

/// Converts to `ty`; a constant becomes a constant of that type.
pub(crate) fn convert(expr: Expr, ty: Type) -> Expr {
    if let (ExprKind::Const(value), Type::Scalar(_)) = (&expr.kind, ty)
        && let Ok(converted) = arithmetic::cast(*value, ty)
        && converted.scalar_type() == ty.scalar()
    {
        return Expr::constant(converted);
    }
    expr.cast(ty)
}

/// `expr != 0`, as a condition. A condition that C converted to `int` is used as the condition it was.
pub(crate) fn to_bool(expr: Expr) -> Expr {
    match (&expr.ty, &expr.kind) {
        (&Type::BOOL, _) => expr,
        (Type::Scalar(_), ExprKind::Const(_)) => convert(expr, Type::BOOL),
        (Type::Scalar(ty), ExprKind::Cast(inner)) if ty.is_integer() && inner.ty == Type::BOOL => {
            (**inner).clone()
        }
        (Type::Scalar(ty), _) => {
            let zero = Expr::constant(Value::zero(*ty));
            Expr::binary(BinaryOp::Ne, expr, zero)
        }
        (Type::Pointer(_), _) => expr.cast(Type::BOOL),
    }
}

pub(crate) fn not(cond: Expr) -> Expr {
    match &cond.kind {
        ExprKind::Const(Value::Bool(b)) => Expr::bool(!b),
        _ => Expr::unary(UnaryOp::Not, cond),
    }
}

/// A binary operator; comparisons and logical operators of constants are evaluated.
pub(crate) fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    match (op, truth(&left), truth(&right)) {
        (BinaryOp::And, Some(true), _) | (BinaryOp::Or, Some(false), _) => return right,
        (BinaryOp::And, Some(false), _) | (BinaryOp::Or, Some(true), _) => return left,
        (BinaryOp::And, _, Some(true)) | (BinaryOp::Or, _, Some(false)) => return left,
        _ => {}
    }
    if op.is_comparison()
        && let (ExprKind::Const(a), ExprKind::Const(b)) = (&left.kind, &right.kind)
        && let Ok(value @ Value::Bool(_)) = arithmetic::binary(op, *a, *b)
    {
        return Expr::constant(value);
    }
    Expr::binary(op, left, right)
}

/// The value of a constant condition.
pub(crate) fn truth(cond: &Expr) -> Option<bool> {
    match cond.kind {
        ExprKind::Const(Value::Bool(b)) => Some(b),
        _ => None,
    }
}

/// The value of an expression without variables; `None` when it has some, or is a fault.
pub(crate) fn evaluate(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Const(value) => Some(*value),
        ExprKind::Unary(op, a) => arithmetic::unary(*op, evaluate(a)?).ok(),
        ExprKind::Binary(op, a, b) => arithmetic::binary(*op, evaluate(a)?, evaluate(b)?).ok(),
        ExprKind::Cast(a) => arithmetic::cast(evaluate(a)?, expr.ty).ok(),
        ExprKind::Select(c, a, b) => match evaluate(c)? {
            Value::Bool(true) => evaluate(a),
            Value::Bool(false) => evaluate(b),
            _ => None,
        },
        // Only memory keeps the bits of a NaN.
        ExprKind::Math(MathFn::BitsAs(_), _) => None,
        ExprKind::Math(function, args) => {
            let args: Option<Vec<Value>> = args.iter().map(evaluate).collect();
            arithmetic::math(*function, &args?).ok()
        }
        _ => None,
    }
}

/// `a + b` on numbers of elements.
pub(crate) fn add_elements(a: Expr, b: Expr) -> Expr {
    match (count(&a), count(&b)) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        (Some(a), Some(b)) => Expr::int(ScalarType::I64, a.wrapping_add(b)),
        _ => Expr::binary(BinaryOp::Add, a, b),
    }
}

/// `elements * count`.
pub(crate) fn scale(elements: Expr, factor: u64) -> Expr {
    match count(&elements) {
        _ if factor == 1 => elements,
        Some(n) => Expr::int(ScalarType::I64, n.wrapping_mul(factor as i64)),
        None => Expr::binary(
            BinaryOp::Mul,
            elements,
            Expr::int(ScalarType::I64, factor as i64),
        ),
    }
}

/// `-elements`.
pub(crate) fn negate(elements: Expr) -> Expr {
    match count(&elements) {
        Some(n) => Expr::int(ScalarType::I64, n.wrapping_neg()),
        None => Expr::unary(UnaryOp::Neg, elements),
    }
}

fn count(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Const(value @ Value::Int(ScalarType::I64, _)) => {
            value.as_integer().map(|n| n as i64)
        }
        _ => None,
    }
}
