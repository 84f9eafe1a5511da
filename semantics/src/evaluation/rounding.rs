//! Whether sums and products of floats are exact. Where all of them are, another order of the same sum or product gives
//! the same, so that two runs that differ are no two orders of one. It changes no result: whoever has to know asks around
//! a run.

use std::cell::Cell;

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    static MET: Cell<bool> = const { Cell::new(false) };
}

/// Below it the error of a product may be no number of 64 bits itself.
const LEAST_PRODUCT: f64 = 1e-250;

/// Whether a sum, difference or product of floats may have been rounded while `act` ran on this thread, beside what
/// `act` gives. What is not finite counts as rounded, and so does a zero below zero, or a sum of zeros of both signs, which
/// leaving out a zero changes.
pub fn watching<T>(act: impl FnOnce() -> T) -> (T, bool) {
    let (was_watched, before) = (IS_WATCHED.replace(true), MET.replace(false));
    let given = act();
    let met = MET.get();
    IS_WATCHED.set(was_watched);
    MET.set(before || met);
    (given, met)
}

fn note(is_exact: impl FnOnce() -> bool) {
    if IS_WATCHED.get() && !is_exact() {
        MET.set(true);
    }
}

fn is_plain(result: f64) -> bool {
    result.is_finite() && !(result == 0.0 && result.is_sign_negative())
}

/// `sum` is `a + b`, rounded to 32 bits.
pub(super) fn sum_of_singles(a: f32, b: f32, sum: f32) {
    note(|| {
        // The error of a sum is a float (Knuth's two-sum).
        let rest = sum - a;
        let is_of_zeros = a == 0.0 && b == 0.0 && a.is_sign_negative() != b.is_sign_negative();
        !is_of_zeros && is_plain(sum.into()) && (a - (sum - rest)) + (b - rest) == 0.0
    });
}

/// `sum` is `a + b`, rounded to 64 bits.
pub(super) fn sum_of_doubles(a: f64, b: f64, sum: f64) {
    note(|| {
        let rest = sum - a;
        let is_of_zeros = a == 0.0 && b == 0.0 && a.is_sign_negative() != b.is_sign_negative();
        !is_of_zeros && is_plain(sum) && (a - (sum - rest)) + (b - rest) == 0.0
    });
}

/// `product` is `a * b`, rounded to 32 bits: 64 have room for all of it.
pub(super) fn product_of_singles(a: f32, b: f32, product: f32) {
    note(|| is_plain(product.into()) && f64::from(a) * f64::from(b) == f64::from(product));
}

/// `product` is `a * b`, rounded to 64 bits.
pub(super) fn product_of_doubles(a: f64, b: f64, product: f64) {
    note(|| {
        let is_large = product.abs() >= LEAST_PRODUCT || a == 0.0 || b == 0.0;
        is_plain(product) && is_large && a.mul_add(b, -product) == 0.0
    });
}

/// `quotient` is `a / b`, rounded to 32 bits. By a power of two it is a product; others have one order.
pub(super) fn quotient_of_singles(a: f32, b: f32, quotient: f32) {
    let is_power = b.to_bits() << 9 == 0;
    if is_power {
        product_of_singles(quotient, b, a);
    }
}

/// `quotient` is `a / b`, rounded to 64 bits.
pub(super) fn quotient_of_doubles(a: f64, b: f64, quotient: f64) {
    let is_power = b.to_bits() << 12 == 0;
    if is_power {
        product_of_doubles(quotient, b, a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::expr::BinaryOp;
    use crate::algebra::value::Value;
    use crate::evaluation::arithmetic::binary;

    #[test]
    fn what_is_rounded_is_met() {
        let single = |op, a: f32, b: f32| watching(|| binary(op, Value::f32(a), Value::f32(b))).1;
        let double = |op, a: f64, b: f64| watching(|| binary(op, Value::f64(a), Value::f64(b))).1;
        use BinaryOp::{Add, Div, Mul, Sub};
        for (op, a, b, expected) in [
            (Add, 1.5, 2.25, false),
            (Add, 16_777_216.0, 1.0, true),
            (Add, 16_777_216.0, 2.0, false),
            (Add, 1e30, 1e-30, true),
            (Add, 3e38, 3e38, true),
            (Add, f32::NAN, 1.0, true),
            (Add, -0.0, -0.0, true),
            (Add, -0.0, 0.0, true),
            (Add, -0.0, 3.0, false),
            (Sub, 0.1, 0.1, false),
            (Sub, 16_777_216.0, 0.5, true),
            (Mul, 3.0, 0.125, false),
            (Mul, 0.1, 0.1, true),
            (Mul, 1e-30, 1e-30, true),
            (Mul, -2.0, 0.0, true),
            (Mul, 2.0, 0.0, false),
            // Of such a quotient no order is another.
            (Div, 1.0, 3.0, false),
            (Div, 1.0, 4.0, false),
            (Div, f32::from_bits(3), 2.0, true),
        ] {
            assert_eq!(single(op, a, b), expected, "{op:?} {a} {b}");
        }
        for (op, a, b, expected) in [
            (Add, 0.1, 0.2, true),
            (Add, 0.5, 0.25, false),
            (Mul, 0.1, 3.0, true),
            (Mul, 1e-200, 1e-200, true),
            (Mul, 1e-130, 1.5e-130, true),
            (Mul, 4096.0, 0.75, false),
            (Sub, 9_007_199_254_740_992.0, -1.0, true),
        ] {
            assert_eq!(double(op, a, b), expected, "{op:?} {a} {b}");
        }
    }

    /// Beside exact numbers: a sum of small multiples of a power of two has few digits.
    #[test]
    fn sums_of_few_digits_are_exact() {
        for a in -40..40i16 {
            for b in -40..40i16 {
                let (x, y) = (f32::from(a) / 8.0, f32::from(b) / 8.0);
                let (_, met) = watching(|| binary(BinaryOp::Add, Value::f32(x), Value::f32(y)));
                assert!(!met, "{x} {y}");
            }
        }
    }

    #[test]
    fn what_was_met_before_is_kept() {
        let add = || binary(BinaryOp::Add, Value::f32(0.1), Value::f32(1e9));
        let (inner, outer) = watching(|| {
            let _ = add();
            watching(|| ()).1
        });
        assert_eq!((inner, outer), (false, true));
        // Nobody asks.
        let _ = add();
        assert!(!watching(|| ()).1);
    }
}
