//! C's own typing of arithmetic: integer promotion and the usual arithmetic conversions.

use gridlock_semantics::algebra::types::ScalarType;

/// Integers narrower than `int` (and `bool`) become `int`.
pub(crate) const fn promoted(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::Bool | ScalarType::I8 | ScalarType::I16 | ScalarType::U8 | ScalarType::U16 => {
            ScalarType::I32
        }
        other => other,
    }
}

/// The type C computes `a op b` in.
pub(crate) fn usual_conversion(a: ScalarType, b: ScalarType) -> ScalarType {
    let (a, b) = (promoted(a), promoted(b));
    let rank = |ty| match ty {
        ScalarType::F64 => 5,
        ScalarType::F32 => 4,
        ScalarType::U64 => 3,
        ScalarType::I64 => 2,
        ScalarType::U32 => 1,
        _ => 0,
    };
    if rank(a) >= rank(b) { a } else { b }
}

/// The unsigned type of the width of `ty`, at least 32 bits.
pub(crate) const fn unsigned_of(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::I64 | ScalarType::U64 => ScalarType::U64,
        _ => ScalarType::U32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScalarType::*;

    #[test]
    fn conversions_are_those_of_c() {
        let check = |a, b, expected| {
            assert_eq!(usual_conversion(a, b), expected, "{a:?} {b:?}");
            assert_eq!(usual_conversion(b, a), expected, "{b:?} {a:?}");
        };
        check(I8, U8, I32);
        check(U16, U16, I32);
        check(Bool, I32, I32);
        check(I32, U32, U32);
        check(U32, I64, I64);
        check(I64, U64, U64);
        check(U64, F32, F32);
        check(F32, F64, F64);
    }
}
