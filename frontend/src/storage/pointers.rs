//! Computations on pointers, and on values read as another type of the same size. They do not depend on the procedure
//! that is read.

use crate::constant;
use crate::types::ctype::QualifiedType;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

/// A pointer with other qualifiers. A subscript remains a subscript, with the new type.
pub(crate) fn requalify(pointer: Expr, ty: Type) -> Expr {
    match pointer.kind {
        ExprKind::Offset(..) | ExprKind::ArrayBase(_) => Expr::new(ty, pointer.kind),
        _ => pointer.cast(ty),
    }
}

/// An argument whose qualifiers a parameter decides.
pub(crate) fn as_argument(arg: Expr) -> Expr {
    match (&arg.kind, arg.ty) {
        (ExprKind::Cast(inner), Type::Pointer(to))
            if inner.ty.pointer().is_some_and(|from| from.elem == to.elem) =>
        {
            (**inner).clone()
        }
        _ => arg,
    }
}

/// The type of a variable to which a pointer is assigned: it has the cells of that pointer.
pub(crate) fn with_cells_of(ty: Type, given: Type) -> Type {
    match (ty, given) {
        (Type::Pointer(pointer), Type::Pointer(given)) => Type::Pointer(PointerType {
            elem: given.elem,
            ..pointer
        }),
        _ => ty,
    }
}

/// `value` as the value of type `to` with the same bits; `None` where the sizes differ.
pub(crate) fn same_bits(value: Expr, to: ScalarType) -> Option<Expr> {
    let from = value.ty.scalar()?;
    let is_bool = |ty| ty == ScalarType::Bool;
    if from == to {
        return Some(value);
    }
    if from.size() != to.size() || is_bool(from) || is_bool(to) {
        return None;
    }
    if from.is_float() == to.is_float() {
        return Some(constant::convert(value, Type::Scalar(to)));
    }
    // The conversion back to the first type.
    if let ExprKind::Math(MathFn::BitsAs(_), args) = &value.kind
        && let [inner] = args.as_slice()
        && inner.ty.scalar() == Some(to)
    {
        return Some(inner.clone());
    }
    let kind = ExprKind::Math(MathFn::BitsAs(to), vec![value]);
    Some(Expr::new(Type::Scalar(to), kind))
}

/// The cells behind a pointer, where they are not those that C's type of it has.
pub(crate) fn cell_of_view(pointers: &[Expr], to: &QualifiedType) -> Option<ScalarType> {
    let [pointer] = pointers else { return None };
    let cell = pointer.ty.pointer()?.elem;
    match to.groups().as_deref() {
        Some([group]) if group.pointer.elem == cell => None,
        _ => Some(cell),
    }
}

/// Cells that one element of a type has behind each of the pointers to it.
pub(crate) fn strides(pointers: &[Expr], to: &QualifiedType) -> Option<Vec<u64>> {
    if let Some(cell) = cell_of_view(pointers, to) {
        let size = to.size()?;
        return size
            .is_multiple_of(cell.size())
            .then(|| vec![size / cell.size()]);
    }
    let groups = to.groups()?;
    let fits = groups.len() == pointers.len();
    let counts: Option<Vec<u64>> = groups.iter().map(|group| group.count).collect();
    counts.filter(|_| fits)
}

/// The null pointer, of any type.
pub(crate) fn is_null_pointer(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Cast(inner) => matches!(inner.kind, ExprKind::Const(_)) || is_null_pointer(inner),
        _ => false,
    }
}

/// A pointer with another's cells, where it is null; itself otherwise.
pub(crate) fn null_like(pointer: Expr, like: Type) -> Expr {
    match (pointer.ty, like) {
        (Type::Pointer(from), Type::Pointer(to))
            if from.elem != to.elem && is_null_pointer(&pointer) =>
        {
            Expr::i32(0).cast(like)
        }
        _ => pointer,
    }
}

/// Two pointers of which one is null and gets the cells of the other.
pub(crate) fn alike(a: Expr, b: Expr) -> (Expr, Expr) {
    let (of_a, of_b) = (a.ty, b.ty);
    (null_like(a, of_b), null_like(b, of_a))
}

/// Combines values `(x as unsigned) << shift`.
pub(crate) fn joined(parts: Vec<Expr>, cell: u64, whole: ScalarType) -> Option<Expr> {
    let ty = Type::Scalar(whole);
    let shifted = parts.into_iter().enumerate().map(|(index, part)| {
        let wide = part.cast(ty);
        match index {
            0 => wide,
            _ => {
                let by = Expr::i32((index as u64 * cell * 8) as i32);
                Expr::binary(BinaryOp::Shl, wide, by)
            }
        }
    });
    shifted.reduce(|a, b| Expr::binary(BinaryOp::BitOr, a, b))
}

/// Whether the offset of a pointer in its array is certainly a multiple of `n` cells.
pub(crate) fn is_aligned(pointer: &Expr, n: u64) -> bool {
    match &pointer.kind {
        ExprKind::ArrayBase(_) => true,
        ExprKind::Cast(inner) => is_null_pointer(pointer) || is_aligned(inner, n),
        ExprKind::Offset(base, by) => is_aligned(base, n) && is_multiple(by, n as i128),
        _ => false,
    }
}

pub(crate) fn is_multiple(expr: &Expr, n: i128) -> bool {
    match &expr.kind {
        ExprKind::Const(value) => value.as_integer().is_some_and(|v| v % n == 0),
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            expr.ty == Type::I64 && (is_multiple(a, n) || is_multiple(b, n))
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            expr.ty == Type::I64 && is_multiple(a, n) && is_multiple(b, n)
        }
        _ => false,
    }
}

/// `by / n` where `by` is a multiple of `n` as it is written: `count * sizeof(float)`. Only if the
/// product is exact, so that the division is exact too.
pub(crate) fn divided(by: &Expr, n: i64) -> Option<Expr> {
    let is_wide = by
        .ty
        .scalar()
        .is_some_and(|s| s.is_integer() && s.bits() == 64);
    let number = |expr: &Expr| match &expr.kind {
        ExprKind::Const(value) => value.as_integer(),
        _ => None,
    };
    let scalar = by.ty.scalar()?;
    match &by.kind {
        ExprKind::Const(value) => {
            let value = value.as_integer()?;
            let whole = value % i128::from(n) == 0;
            whole.then(|| Expr::int(ScalarType::I64, (value / i128::from(n)) as i64))
        }
        ExprKind::Binary(BinaryOp::Mul, a, b) if is_wide => {
            let (factor, count) = match (number(a), number(b)) {
                (None, Some(factor)) => (factor, a),
                (Some(factor), None) => (factor, b),
                _ => return None,
            };
            let small = (0..1 << 20).contains(&factor);
            if !small || factor % i128::from(n) != 0 || !is_narrow(count) {
                return None;
            }
            let factor = Expr::int(scalar, (factor / i128::from(n)) as i64);
            Some(match number(&factor) {
                Some(1) => (**count).clone(),
                _ => Expr::binary(BinaryOp::Mul, (**count).clone(), factor),
            })
        }
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if is_wide => {
            let (a, b) = (divided(a, n)?, divided(b, n)?);
            let ty = Type::I64;
            let (a, b) = (constant::convert(a, ty), constant::convert(b, ty));
            Some(Expr::binary(*op, a, b))
        }
        ExprKind::Cast(inner) if is_wide && inner.ty.scalar()?.bits() == 64 => divided(inner, n),
        _ => None,
    }
}

/// A number of 64 bits that comes of one of 32, or of sums of such: times a small factor it
/// remains exact.
pub(crate) fn is_narrow(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(inner) => {
            inner
                .ty
                .scalar()
                .is_some_and(|s| s.is_integer() && s.bits() <= 32)
                || is_narrow(inner)
        }
        ExprKind::Const(value) => value.as_integer().is_some_and(|v| v.abs() < 1 << 31),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => is_narrow(a) && is_narrow(b),
        _ => false,
    }
}
