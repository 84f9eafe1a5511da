//! Integer expressions whose parts are all known, computed without terms: indices and counters are nearly all of that kind.

use super::run::{At, Run};
use super::value::{Known, Value};
use crate::machine::value::sort_of;
use crate::terms::simplify::mask;
use crate::terms::term::{Sort, TermId};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value as Constant;

impl Run<'_> {
    /// The term of an operation on known integers or of their conversion, or `None` where it is something else.
    pub fn known_word(&mut self, expr: &Expr, at: At) -> Option<TermId> {
        if !matches!(expr.kind, ExprKind::Binary(..) | ExprKind::Cast(_)) {
            return None;
        }
        let word = self.bits_of(expr, at.thread)?;
        Some(match sort_of(expr.ty.scalar()?) {
            Sort::Bool => self.terms.bool(word != 0),
            Sort::Bits(width) => self.terms.bits(width, word),
        })
    }

    /// The bits of an expression of an integer or of a truth value, zero above its width. `None`: not all of it is known, or
    /// it is an operation that may be a fault.
    fn bits_of(&self, expr: &Expr, thread: usize) -> Option<u64> {
        let ty = expr.ty.scalar().filter(|ty| !ty.is_float())?;
        match &expr.kind {
            ExprKind::Const(Constant::Int(_, bits)) => Some(*bits),
            ExprKind::Var(var) => {
                let held = self.frame().vars[var.0 as usize][thread].as_ref()?;
                let Value {
                    known: Known::Scalar(term),
                    defined,
                } = held
                else {
                    return None;
                };
                let is_there = self.terms.as_bool(*defined) == Some(true);
                self.terms.as_bits(*term).filter(|_| is_there)
            }
            ExprKind::Builtin(builtin) => self.terms.as_bits(self.coordinate(*builtin, thread)?),
            ExprKind::Binary(op, a, b) => {
                let of = a.ty.scalar().filter(|ty| ty.is_integer())?;
                let (x, y) = (self.bits_of(a, thread)?, self.bits_of(b, thread)?);
                binary(*op, of, x, y)
            }
            ExprKind::Cast(a) => {
                let from = a.ty.scalar()?;
                Some(cast(self.bits_of(a, thread)?, from, ty))
            }
            _ => None,
        }
    }
}

/// Of operands of one type; `None` for what may be a fault, and for what is no operation on words.
fn binary(op: BinaryOp, ty: ScalarType, x: u64, y: u64) -> Option<u64> {
    let less = |x, y| match ty.is_signed() {
        true => (in_64_bits(ty, x) as i64) < in_64_bits(ty, y) as i64,
        false => x < y,
    };
    let word = match op {
        BinaryOp::Add => x.wrapping_add(y),
        BinaryOp::Sub => x.wrapping_sub(y),
        BinaryOp::Mul => x.wrapping_mul(y),
        BinaryOp::BitAnd => x & y,
        BinaryOp::BitOr => x | y,
        BinaryOp::BitXor => x ^ y,
        BinaryOp::Lt => return Some(u64::from(less(x, y))),
        BinaryOp::Le => return Some(u64::from(!less(y, x))),
        BinaryOp::Gt => return Some(u64::from(less(y, x))),
        BinaryOp::Ge => return Some(u64::from(!less(x, y))),
        BinaryOp::Eq => return Some(u64::from(x == y)),
        BinaryOp::Ne => return Some(u64::from(x != y)),
        _ => return None,
    };
    Some(word & mask(ty.bits()))
}

/// An integer or a truth value as another.
fn cast(word: u64, from: ScalarType, to: ScalarType) -> u64 {
    match to {
        ScalarType::Bool => u64::from(word != 0),
        _ => in_64_bits(from, word) & mask(to.bits()),
    }
}

/// The sign of a signed word in all bits above it.
fn in_64_bits(ty: ScalarType, word: u64) -> u64 {
    let unused = 64 - ty.bits();
    match ty.is_signed() {
        true => (((word << unused) as i64) >> unused) as u64,
        false => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::algebra::types::Type;
    use gridlock_semantics::evaluation::arithmetic;
    use quickcheck::quickcheck;

    const TYPES: [ScalarType; 8] = [
        ScalarType::I8,
        ScalarType::U8,
        ScalarType::I16,
        ScalarType::U16,
        ScalarType::I32,
        ScalarType::U32,
        ScalarType::I64,
        ScalarType::U64,
    ];

    const OPS: [BinaryOp; 14] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::Eq,
        BinaryOp::Ne,
    ];

    fn bits(value: Constant) -> Option<u64> {
        match value {
            Constant::Bool(b) => Some(u64::from(b)),
            Constant::Int(_, bits) => Some(bits),
            _ => None,
        }
    }

    /// As the semantics computes them, or not at all; how many were computed.
    fn agree(ty: ScalarType, x: u64, y: u64) -> usize {
        let (x, y) = (x & mask(ty.bits()), y & mask(ty.bits()));
        let mut computed = 0;
        for op in OPS {
            if let Some(word) = binary(op, ty, x, y) {
                let exact = arithmetic::binary(op, Constant::Int(ty, x), Constant::Int(ty, y));
                assert_eq!(
                    exact.ok().and_then(bits),
                    Some(word),
                    "{x} {op:?} {y}: {ty:?}"
                );
                computed += 1;
            }
        }
        for to in TYPES.into_iter().chain([ScalarType::Bool]) {
            let exact = arithmetic::cast(Constant::Int(ty, x), Type::Scalar(to));
            assert_eq!(
                exact.ok().and_then(bits),
                Some(cast(x, ty, to)),
                "{x}: {ty:?} to {to:?}"
            );
        }
        computed
    }

    #[test]
    fn words_of_eight_bits_are_as_in_the_semantics() {
        for ty in [ScalarType::I8, ScalarType::U8] {
            for x in 0..256 {
                for y in 0..256 {
                    assert_eq!(agree(ty, x, y), OPS.len() - 2);
                }
            }
        }
    }

    quickcheck! {
        fn words_are_as_in_the_semantics(x: u64, y: u64) -> bool {
            TYPES.into_iter().all(|ty| agree(ty, x, y) == OPS.len() - 2)
        }
    }
}
