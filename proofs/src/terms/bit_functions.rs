//! Functions of the bits of an integer (`__popc`, `__ffs`, `__clz`, `__brev`), exactly, bit by bit.

use crate::terms::term::{BitOp, TermId, Terms};
use gridlock_semantics::algebra::expr::MathFn;

/// The value of `function` on the bit vector `a` of `width` bits; `None` when it is no function
/// of bits.
pub fn bit_function(terms: &mut Terms, function: MathFn, width: u32, a: TermId) -> Option<TermId> {
    use MathFn::*;
    if !matches!(
        function,
        PopCount | FindFirstSet | CountLeadingZeros | ReverseBits
    ) {
        return None;
    }
    let one = terms.bits(width, 1);
    let zero = terms.bits(width, 0);
    let at = |terms: &mut Terms, position: u32| {
        let shift = terms.bits(width, position as u64);
        let shifted = terms.bit(BitOp::LShr, a, shift);
        terms.bit(BitOp::And, shifted, one)
    };
    let mut result = match function {
        CountLeadingZeros => terms.bits(width, width as u64),
        _ => zero,
    };
    // The last position looked at decides for `__ffs` and `__clz`.
    for step in 0..width {
        let position = match function {
            FindFirstSet => width - 1 - step,
            _ => step,
        };
        let bit = at(terms, position);
        result = match function {
            PopCount => terms.bit(BitOp::Add, result, bit),
            ReverseBits => {
                let place = terms.bits(width, (width - 1 - position) as u64);
                let moved = terms.bit(BitOp::Shl, bit, place);
                terms.bit(BitOp::Or, result, moved)
            }
            _ => {
                let value = match function {
                    FindFirstSet => position + 1,
                    _ => width - 1 - position,
                };
                let value = terms.bits(width, value as u64);
                let clear = terms.eq(bit, zero);
                terms.ite(clear, result, value)
            }
        };
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::algebra::types::ScalarType;
    use gridlock_semantics::algebra::value::Value;
    use gridlock_semantics::evaluation::arithmetic::math;

    #[test]
    fn the_encoding_agrees_with_the_reference() {
        let functions = [
            MathFn::PopCount,
            MathFn::FindFirstSet,
            MathFn::CountLeadingZeros,
            MathFn::ReverseBits,
        ];
        for ty in [ScalarType::U32, ScalarType::U64] {
            for n in [0u64, 1, 2, 40, 0x8000_0000, 0xffff_ffff, 0x00f0_1000] {
                for function in functions {
                    let mut terms = Terms::default();
                    let a = terms.bits(ty.bits(), n);
                    let got = bit_function(&mut terms, function, ty.bits(), a).expect("of bits");
                    let expected = math(function, &[Value::int(ty, n as i128)]).expect("total");
                    let Value::Int(_, bits) = expected else {
                        panic!("{expected:?}")
                    };
                    let node = terms.bits(ty.bits(), bits);
                    assert_eq!(got, node, "{function:?} {n:#x} {:?}", terms.node(got));
                }
            }
        }
        let mut terms = Terms::default();
        let a = terms.bits(32, 1);
        assert_eq!(bit_function(&mut terms, MathFn::Abs, 32, a), None);
    }
}
