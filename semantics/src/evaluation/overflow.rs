//! Signed overflow, which C leaves undefined and which wraps here. It changes no result: whoever has to know
//! whether a run met it asks around that run.

use std::cell::Cell;

thread_local! {
    static MET: Cell<bool> = const { Cell::new(false) };
}

/// Whether a signed sum, difference, product or negation left its type while `act` ran on this thread, beside what
/// `act` gives.
pub fn watching<T>(act: impl FnOnce() -> T) -> (T, bool) {
    let before = MET.replace(false);
    let given = act();
    let met = MET.get();
    MET.set(before || met);
    (given, met)
}

pub(super) fn note() {
    MET.set(true);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::expr::{BinaryOp, UnaryOp};
    use crate::algebra::types::ScalarType;
    use crate::algebra::value::Value;
    use crate::evaluation::arithmetic::{binary, unary};

    fn check(op: BinaryOp, a: Value, b: Value, expected: bool) {
        let (_, met) = watching(|| binary(op, a, b));
        assert_eq!(met, expected, "{op:?} {a} {b}");
    }

    #[test]
    fn signed_overflow_is_seen_and_no_other() {
        let greatest = Value::i32(i32::MAX);
        check(BinaryOp::Add, greatest, Value::i32(1), true);
        check(BinaryOp::Add, greatest, Value::i32(0), false);
        check(BinaryOp::Sub, Value::i32(i32::MIN), Value::i32(1), true);
        check(BinaryOp::Mul, greatest, greatest, true);
        check(BinaryOp::BitXor, greatest, Value::i32(-1), false);
        let unsigned = |n| Value::int(ScalarType::U32, n);
        check(BinaryOp::Mul, unsigned(1 << 31), unsigned(2), false);
        let long = |n| Value::int(ScalarType::I64, n);
        check(BinaryOp::Mul, long(1 << 62), long(2), true);
        let negated = watching(|| unary(UnaryOp::Neg, Value::i32(i32::MIN)));
        assert!(negated.1 && negated.0 == Ok(Value::i32(i32::MIN)));
    }

    #[test]
    fn what_was_met_before_does_not_count() {
        let overflow = || binary(BinaryOp::Add, Value::i32(i32::MAX), Value::i32(1));
        let (inside, outside) = watching(|| {
            let first = watching(overflow).1;
            (first, watching(|| ()).1)
        });
        assert_eq!((inside, outside), ((true, false), true));
    }
}
