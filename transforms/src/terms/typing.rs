//! Types of what templates build: the conversions of C, found again.

use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::expr::UnaryOp;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// Converts to `ty`; constants are converted at once.
pub fn convert(term: Term, ty: Type) -> Term {
    let Some(from) = term.ty() else {
        return term;
    };
    if from == ty {
        return term;
    }
    if let (Some(value), Type::Scalar(to)) = (term.as_integer(), ty) {
        match to {
            ScalarType::Bool => return Term::literal(Value::Bool(value != 0), ty),
            ScalarType::F32 => return Term::literal(Value::f32(value as f32), ty),
            ScalarType::F64 => return Term::literal(Value::f64(value as f64), ty),
            int => return Term::int(int, value),
        }
    }
    if ty == Type::BOOL {
        return truth(term);
    }
    Term::expression(Functor::Cast, vec![term], ty)
}

/// As a condition: `e != 0` unless it is one.
pub fn truth(term: Term) -> Term {
    match term.ty() {
        Some(Type::Scalar(scalar)) if scalar != ScalarType::Bool => {
            if let Some(value) = term.as_integer() {
                return Term::literal(Value::Bool(value != 0), Type::BOOL);
            }
            let zero = Term::literal(Value::zero(scalar), Type::Scalar(scalar));
            let functor = Functor::Binary(BinaryOp::Ne);
            Term::expression(functor, vec![term, zero], Type::BOOL)
        }
        _ => term,
    }
}

/// Integer promotion: what is narrower than `int` becomes `int`.
fn promoted(scalar: ScalarType) -> ScalarType {
    if scalar.is_float() || scalar.bits() >= 32 {
        scalar
    } else {
        ScalarType::I32
    }
}

/// The term after integer promotion, which comes before the usual arithmetic conversions.
fn promote(term: Term) -> Term {
    match term.ty() {
        Some(Type::Scalar(scalar)) => convert(term, Type::Scalar(promoted(scalar))),
        _ => term,
    }
}

/// An operand converted to the type of the operation; an integer becomes a float after promotion.
fn operand(term: Term, ty: Type) -> Term {
    match (term.ty(), ty) {
        (Some(own), Type::Scalar(to)) if own != ty && to.is_float() => convert(promote(term), ty),
        _ => convert(term, ty),
    }
}

/// The type the usual arithmetic conversions bring two operands to.
fn common(a: ScalarType, b: ScalarType) -> ScalarType {
    use ScalarType::*;
    let (a, b) = (promoted(a), promoted(b));
    for float in [F64, F32] {
        if a == float || b == float {
            return float;
        }
    }
    let bits = a.bits().max(b.bits());
    let unsigned = |s: ScalarType| !s.is_signed() && s.bits() == bits;
    match (bits, unsigned(a) || unsigned(b)) {
        (64, true) => U64,
        (64, false) => I64,
        (_, true) => U32,
        (_, false) => I32,
    }
}

pub fn binary(op: BinaryOp, left: Term, right: Term) -> Term {
    let build = |left, right, ty| Term::expression(Functor::Binary(op), vec![left, right], ty);
    if op.is_logical() {
        return build(truth(left), truth(right), Type::BOOL);
    }
    let (Some(a), Some(b)) = (left.ty(), right.ty()) else {
        return build(left, right, Type::I32);
    };
    let (Type::Scalar(a), Type::Scalar(b)) = (a, b) else {
        return match (op, a, b) {
            (BinaryOp::Add, Type::Pointer(_), Type::Scalar(_)) => offset(left, right),
            (BinaryOp::Add, Type::Scalar(_), Type::Pointer(_)) => offset(right, left),
            _ if op.is_comparison() => build(left, right, Type::BOOL),
            _ => build(left, right, Type::I64),
        };
    };
    let (left, right, ty) = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
        let ty = Type::Scalar(promoted(a));
        (promote(left), promote(right), ty)
    } else {
        let ty = Type::Scalar(common(a, b));
        (operand(left, ty), operand(right, ty), ty)
    };
    let ty = if op.is_comparison() { Type::BOOL } else { ty };
    fold(&build(left, right, ty))
}

pub fn unary(op: UnaryOp, operand: Term) -> Term {
    if op == UnaryOp::Not {
        return Term::expression(Functor::Unary(op), vec![truth(operand)], Type::BOOL);
    }
    let ty = match operand.ty() {
        Some(Type::Scalar(scalar)) => Type::Scalar(promoted(scalar)),
        _ => Type::I32,
    };
    Term::expression(Functor::Unary(op), vec![convert(operand, ty)], ty)
}

/// `pointer + elements`
pub fn offset(pointer: Term, elements: Term) -> Term {
    let ty = pointer.ty().unwrap_or(Type::I64);
    let elements = convert(elements, Type::I64);
    Term::expression(Functor::Offset, vec![pointer, elements], ty)
}

/// `*pointer`; `None` when it is no pointer.
pub fn load(pointer: Term) -> Option<Term> {
    let elem = pointer.ty()?.pointer()?.elem;
    Some(Term::expression(
        Functor::Load,
        vec![pointer],
        Type::Scalar(elem),
    ))
}

pub fn select(cond: Term, then: Term, otherwise: Term) -> Term {
    let ty = match (then.ty(), otherwise.ty()) {
        (Some(Type::Scalar(a)), Some(Type::Scalar(b))) if a != b => Type::Scalar(common(a, b)),
        (Some(ty), _) => ty,
        _ => Type::I32,
    };
    let args = vec![truth(cond), operand(then, ty), operand(otherwise, ty)];
    Term::expression(Functor::Select, args, ty)
}

/// The conversion or arithmetic of integer constants carried out, where it cannot fault.
pub fn fold(term: &Term) -> Term {
    let Some(ty) = term.ty() else {
        return term.clone();
    };
    match (term.as_app(), ty) {
        (Some((Functor::Cast, [inner])), Type::Scalar(_)) if inner.as_integer().is_some() => {
            convert(inner.clone(), ty)
        }
        (Some((Functor::Binary(op), [a, b])), Type::Scalar(scalar)) => {
            let operand = a.ty().and_then(Type::scalar);
            match (a.as_integer(), b.as_integer(), operand) {
                (Some(x), Some(y), Some(operand)) if operand.is_integer() => {
                    computed(*op, x, y, scalar).unwrap_or_else(|| term.clone())
                }
                _ => term.clone(),
            }
        }
        _ => term.clone(),
    }
}

fn computed(op: BinaryOp, x: i128, y: i128, ty: ScalarType) -> Option<Term> {
    use BinaryOp::*;
    let truth = |holds| Some(Term::literal(Value::Bool(holds), Type::BOOL));
    let value = match op {
        Add => x + y,
        Sub => x - y,
        Mul => x.checked_mul(y)?,
        Div if y > 0 => x / y,
        Rem if y > 0 => x % y,
        Shl if (0..ty.bits() as i128).contains(&y) => x << y,
        Shr if (0..ty.bits() as i128).contains(&y) => x >> y,
        BitAnd => x & y,
        BitOr => x | y,
        BitXor => x ^ y,
        Lt => return truth(x < y),
        Le => return truth(x <= y),
        Gt => return truth(x > y),
        Ge => return truth(x >= y),
        Eq => return truth(x == y),
        Ne => return truth(x != y),
        Div | Rem | Shl | Shr | And | Or | PtrDiff => return None,
    };
    Some(Term::int(ty, value))
}
