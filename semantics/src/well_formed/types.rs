//! Typing of expressions: every node says its type, and the type must follow from its operands.

use super::refusal::{Place, Refusal, because};
use crate::algebra::declaration::Space;
use crate::algebra::expr::{BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use crate::algebra::program::ProcKind;
use crate::algebra::types::{ScalarType, Type};
use crate::algebra::value::Value;

/// `Err` says in one sentence what is wrong.
pub(super) fn check(expr: &Expr, place: &Place<'_>, loads_allowed: bool) -> Result<(), Refusal> {
    for operand in expr.operands() {
        check(operand, place, loads_allowed)?;
    }
    if matches!(expr.kind, ExprKind::Load(_)) && !loads_allowed {
        return because("an expression of the atomic form reads memory".to_owned());
    }
    match type_of(expr, place)? {
        Some(ty) if !ty.same_shape(expr.ty) => because(format!(
            "an expression of type {ty:?} is said to have type {:?}",
            expr.ty
        )),
        _ => Ok(()),
    }
}

/// The type that follows from the operands; `None` when any type would do.
fn type_of(expr: &Expr, place: &Place<'_>) -> Result<Option<Type>, Refusal> {
    let wrong = |what: &str| because(format!("{what} on operands it is not defined for"));
    let ty = match &expr.kind {
        ExprKind::Const(value) => match value {
            Value::Pointer(p) if p.array == crate::algebra::value::ArrayRef::Null => {
                return match expr.ty {
                    Type::Pointer(_) => Ok(None),
                    Type::Scalar(_) => because("a null pointer of scalar type".to_owned()),
                };
            }
            Value::Pointer(_) => return because("a constant pointer to an array".to_owned()),
            Value::Int(ty, bits)
                if !ty.is_integer() || Value::int(*ty, *bits as i128) != *value =>
            {
                return because("an integer constant out of its type's range".to_owned());
            }
            value => match value.scalar_type() {
                Some(scalar) => Type::Scalar(scalar),
                None => return because("a constant without value".to_owned()),
            },
        },
        ExprKind::Var(var) => match place.proc.vars.get(var.0 as usize) {
            Some(decl) => decl.ty,
            None => return because("a variable that is not declared".to_owned()),
        },
        ExprKind::Builtin(builtin) => {
            if place.proc.kind == ProcKind::Host {
                return because("a thread or block index on the host".to_owned());
            }
            match builtin {
                Builtin::WarpSize => Type::I32,
                _ => Type::U32,
            }
        }
        ExprKind::Unary(op, a) => match (op, a.ty) {
            (UnaryOp::Not, Type::BOOL) => a.ty,
            (UnaryOp::Neg, Type::Scalar(s)) if s != ScalarType::Bool => a.ty,
            (UnaryOp::BitNot, Type::Scalar(s)) if s.is_integer() => a.ty,
            _ => return wrong("an operator"),
        },
        ExprKind::Binary(op, a, b) => binary(*op, a.ty, b.ty).ok_or_else(|| {
            Refusal(format!(
                "`{}` on operands of types {:?} and {:?}",
                op.c_symbol(),
                a.ty,
                b.ty
            ))
        })?,
        ExprKind::Cast(a) => match (a.ty, expr.ty) {
            (Type::Scalar(_), Type::Scalar(_)) | (Type::Pointer(_), Type::BOOL) => expr.ty,
            (Type::Pointer(from), Type::Pointer(to)) if from.elem == to.elem => expr.ty,
            (Type::Pointer(_), Type::Pointer(_)) if is_null(a) => expr.ty,
            (Type::Scalar(_), Type::Pointer(_)) if is_null(a) => expr.ty,
            _ => return because(format!("a conversion from {:?} to {:?}", a.ty, expr.ty)),
        },
        ExprKind::Select(cond, a, b) => {
            if cond.ty != Type::BOOL || !a.ty.same_shape(b.ty) {
                return wrong("`?:`");
            }
            a.ty
        }
        ExprKind::Math(MathFn::Aligned(n), args) => match args.as_slice() {
            [pointer] if pointer.ty.pointer().is_some() && *n > 0 => Type::BOOL,
            [number] if number.ty == Type::I64 && *n > 0 => Type::BOOL,
            _ => return wrong("a test of alignment"),
        },
        ExprKind::Math(function, args) => {
            let Some(Type::Scalar(scalar)) = args.first().map(|a| a.ty) else {
                return wrong("a mathematical function");
            };
            let fits = function.is_defined_on(scalar) && args.len() == function.arity();
            if !fits || args.iter().any(|a| a.ty != Type::Scalar(scalar)) {
                return wrong("a mathematical function");
            }
            Type::Scalar(function.result(scalar))
        }
        ExprKind::ArrayBase(id) => {
            let Some(decl) = place.program.arrays.get(id.0 as usize) else {
                return because("an array that is not declared".to_owned());
            };
            let on_host = place.proc.kind == ProcKind::Host;
            let foreign = decl.owner.is_some_and(|owner| owner != place.id);
            match decl.space {
                Space::Host if !on_host => {
                    return because(format!("`{}` is on the host", decl.name));
                }
                Space::Shared if on_host => {
                    return because(format!("`{}` is in shared memory", decl.name));
                }
                Space::Private if foreign => {
                    return because(format!("`{}` belongs to another procedure", decl.name));
                }
                _ => Type::pointer_to(decl.elem),
            }
        }
        ExprKind::Offset(pointer, elements) => {
            if pointer.ty.pointer().is_none() || elements.ty != Type::I64 {
                return wrong("pointer arithmetic");
            }
            pointer.ty
        }
        ExprKind::Load(pointer) => match pointer.ty {
            Type::Pointer(pointer) => Type::Scalar(pointer.elem),
            Type::Scalar(_) => return wrong("a load"),
        },
    };
    Ok(Some(ty))
}

fn binary(op: BinaryOp, a: Type, b: Type) -> Option<Type> {
    use BinaryOp::*;
    match (a, b) {
        (Type::Pointer(a), Type::Pointer(b)) if a.elem == b.elem => match op {
            PtrDiff => Some(Type::I64),
            _ if op.is_comparison() => Some(Type::BOOL),
            _ => None,
        },
        (Type::Scalar(left), Type::Scalar(right)) => match op {
            And | Or => (a == Type::BOOL && b == Type::BOOL).then_some(Type::BOOL),
            Shl | Shr => (left.is_integer() && right.is_integer()).then_some(a),
            _ if left != right || op == PtrDiff => None,
            _ if op.is_comparison() => Some(Type::BOOL),
            BitAnd | BitOr | BitXor => (!left.is_float()).then_some(a),
            Rem => left.is_integer().then_some(a),
            _ => (left != ScalarType::Bool).then_some(a),
        },
        _ => None,
    }
}

/// The integer constant 0 or the null pointer itself.
fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(Value::Int(_, 0)) => true,
        ExprKind::Const(Value::Pointer(p)) => p.array == crate::algebra::value::ArrayRef::Null,
        ExprKind::Cast(a) => is_null(a),
        _ => false,
    }
}
