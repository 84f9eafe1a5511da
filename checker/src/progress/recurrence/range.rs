//! Between which integers an expression's value is, and comparisons that those decide.

use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::thread::ThreadState;

/// Least and greatest value.
pub type Range = (i128, i128);

/// The range of an integer expression, whatever variables and memory hold; with a thread, its variables
/// hold what they do there. `None` of what is no integer.
pub fn range(expr: &Expr, thread: Option<&ThreadState>) -> Option<Range> {
    let Type::Scalar(ty) = expr.ty else {
        return None;
    };
    let whole = whole(ty)?;
    let exact = match &expr.kind {
        ExprKind::Const(value) => value.as_integer().map(|n| (n, n)),
        ExprKind::Var(var) => {
            let held = thread.and_then(|thread| thread.frames.last());
            let held = held.and_then(|frame| frame.vars.get(var.0 as usize));
            held.copied().and_then(Value::as_integer).map(|n| (n, n))
        }
        ExprKind::Cast(inner) => range(inner, thread).filter(|_| ty != ScalarType::Bool),
        ExprKind::Binary(op, a, b) => match (range(a, thread), range(b, thread)) {
            (Some(a), Some(b)) => combined(*op, a, b),
            _ => None,
        },
        _ => None,
    };
    // What does not fit wraps around.
    let fits = |found: &Range| found.0 >= whole.0 && found.1 <= whole.1;
    Some(exact.filter(fits).unwrap_or(whole))
}

fn whole(ty: ScalarType) -> Option<Range> {
    match ty {
        ScalarType::Bool => Some((0, 1)),
        _ if ty.is_integer() => Some(ty.range()),
        _ => None,
    }
}

fn combined(op: BinaryOp, a: Range, b: Range) -> Option<Range> {
    match op {
        BinaryOp::Add => Some((a.0 + b.0, a.1 + b.1)),
        BinaryOp::Sub => Some((a.0 - b.1, a.1 - b.0)),
        // Masked by a number that is not negative.
        BinaryOp::BitAnd if b.0 >= 0 => Some((0, b.1)),
        BinaryOp::BitAnd if a.0 >= 0 => Some((0, a.1)),
        BinaryOp::Rem if a.0 >= 0 && b.0 > 0 => Some((0, a.1.min(b.1 - 1))),
        _ => None,
    }
}

/// Whether a comparison comes out the same for all values in these ranges.
pub fn is_decided(op: BinaryOp, a: Range, b: Range) -> bool {
    use BinaryOp::*;
    match op {
        Lt | Ge => a.1 < b.0 || a.0 >= b.1,
        Le | Gt => a.1 <= b.0 || a.0 > b.1,
        Eq | Ne => a.1 < b.0 || b.1 < a.0 || a.0 == a.1 && a == b,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::algebra::ids::VarId;

    fn check(op: BinaryOp, ty: ScalarType, bound: i64, expected: bool) {
        let counter = Expr::var(VarId(0), Type::Scalar(ty)).cast(Type::I64);
        let bound = Expr::int(ScalarType::I64, bound);
        let (a, b) = (range(&counter, None), range(&bound, None));
        let decided = is_decided(op, a.unwrap(), b.unwrap());
        assert_eq!(decided, expected, "{op:?} {ty:?} {bound:?}");
    }

    #[test]
    fn what_a_type_decides() {
        use BinaryOp::*;
        check(Ge, ScalarType::U32, 0, true);
        check(Gt, ScalarType::U32, 0, false);
        check(Lt, ScalarType::U32, 0, true);
        check(Le, ScalarType::U8, 255, true);
        check(Lt, ScalarType::U8, 255, false);
        check(Ne, ScalarType::U8, 256, true);
        check(Ne, ScalarType::U8, 255, false);
        check(Ge, ScalarType::I32, 0, false);
        check(Lt, ScalarType::I16, 32_768, true);
        check(Gt, ScalarType::I8, -128, false);
        check(Ge, ScalarType::I8, -128, true);
    }

    #[test]
    fn what_may_wrap_has_the_whole_range() {
        let counter = || Expr::var(VarId(0), Type::U32);
        let sum = Expr::binary(BinaryOp::Add, counter(), Expr::int(ScalarType::U32, 1));
        assert_eq!(range(&sum, None), Some((0, u32::MAX.into())));
        let wide = Expr::binary(
            BinaryOp::Add,
            counter().cast(Type::I64),
            Expr::int(ScalarType::I64, 1),
        );
        assert_eq!(range(&wide, None), Some((1, 1 << 32)));
        let masked = Expr::binary(BinaryOp::BitAnd, counter(), Expr::int(ScalarType::U32, 7));
        assert_eq!(range(&masked, None), Some((0, 7)));
    }
}
