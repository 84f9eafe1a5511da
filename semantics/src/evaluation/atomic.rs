//! Read-modify-write functions.

use crate::algebra::expr::{BinaryOp, MathFn};
use crate::algebra::operator::AtomicFn;
use crate::algebra::types::ScalarType;
use crate::algebra::value::Value;
use crate::evaluation::arithmetic;
use crate::transition::fault::FaultKind;
use half::{bf16, f16};

/// The cell's new value.
pub fn apply(function: AtomicFn, old: Value, operands: &[Value]) -> Value {
    let operand = operands.first().copied().unwrap_or(Value::Undef);
    let binary = |op| arithmetic::binary(op, old, operand);
    // None of these operators can fail on operands of one type.
    let result = match function {
        AtomicFn::Add => binary(BinaryOp::Add),
        AtomicFn::Sub => binary(BinaryOp::Sub),
        AtomicFn::And => binary(BinaryOp::BitAnd),
        AtomicFn::Or => binary(BinaryOp::BitOr),
        AtomicFn::Xor => binary(BinaryOp::BitXor),
        AtomicFn::Min => arithmetic::math(MathFn::Min, &[old, operand]),
        AtomicFn::Max => arithmetic::math(MathFn::Max, &[old, operand]),
        AtomicFn::Exch => Ok(operand),
        // Compares bits, so that a NaN equals itself and −0 differs from +0.
        AtomicFn::Cas if old == operand => Ok(operands.get(1).copied().unwrap_or(Value::Undef)),
        AtomicFn::Cas => Ok(old),
        // CUDA C++ Programming Guide, atomicInc() and atomicDec().
        AtomicFn::Inc => match (old.as_integer(), operand.as_integer()) {
            (Some(n), Some(limit)) if n >= limit => number(old, 0),
            (Some(n), _) => number(old, n + 1),
            _ => Ok(Value::Undef),
        },
        AtomicFn::Dec => match (old.as_integer(), operand.as_integer()) {
            (Some(n), Some(limit)) if n == 0 || n > limit => Ok(operand),
            (Some(n), _) => number(old, n - 1),
            _ => Ok(Value::Undef),
        },
        AtomicFn::AddHalf | AtomicFn::AddBfloat => match (old.as_integer(), operand.as_integer()) {
            (Some(a), Some(b)) => number(old, add_narrow(function, a as u16, b as u16).into()),
            _ => Ok(Value::Undef),
        },
    };
    result.unwrap_or(Value::Undef)
}

/// The bits of the sum of two floats of 16 bits. What is no number has the bits that the GPU gives it.
pub fn add_narrow(function: AtomicFn, a: u16, b: u16) -> u16 {
    const NO_NUMBER: u16 = 0x7fff;
    // One operation on such numbers loses nothing by the rounding of `f32` in between.
    let bits = |sum: f32, bits: u16| if sum.is_nan() { NO_NUMBER } else { bits };
    match function {
        AtomicFn::AddBfloat => {
            let sum = bf16::from_bits(a).to_f32() + bf16::from_bits(b).to_f32();
            bits(sum, bf16::from_f32(sum).to_bits())
        }
        _ => {
            let sum = f16::from_bits(a).to_f32() + f16::from_bits(b).to_f32();
            bits(sum, f16::from_f32(sum).to_bits())
        }
    }
}

/// Whether a cell that holds `old` is only read: a compare-and-swap that fails.
pub fn fails(function: AtomicFn, old: Value, operands: &[Value]) -> bool {
    function == AtomicFn::Cas && operands.first().is_some_and(|compare| *compare != old)
}

/// `n` as a value of the type of `like`.
fn number(like: Value, n: i128) -> Result<Value, FaultKind> {
    match like {
        Value::Int(ty, _) => Ok(Value::int(ty, n)),
        _ => Ok(Value::Undef),
    }
}

/// Whether several of them on one location give the same final contents in every order.
pub fn order_is_unseen(function: AtomicFn, elem: ScalarType, result_used: bool) -> bool {
    function.is_commutative() && !elem.is_float() && !result_used
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(function: AtomicFn, bits: u16) -> f64 {
        match function {
            AtomicFn::AddBfloat => bf16::from_bits(bits).to_f64(),
            _ => f16::from_bits(bits).to_f64(),
        }
    }

    /// Whether no other float is nearer to a sum, and none as near with an even last digit. The sum in `f64` is on the
    /// same side of what lies between two floats as the exact one.
    fn is_nearest(function: AtomicFn, sum: f64, bits: u16) -> bool {
        let off = |bits: u16| (value(function, bits) - sum).abs();
        [bits.wrapping_add(1), bits.wrapping_sub(1)]
            .iter()
            .all(|&other| {
                let (own, other) = (off(bits), off(other));
                own < other || own == other && bits.is_multiple_of(2) || other.is_nan()
            })
    }

    #[test]
    fn sums_of_16_bits_are_rounded_once() {
        let mut seed = 0x2545_f491_4f6c_dd1du64;
        for round in 0..200_000u64 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            let a = seed as u16;
            // Every other pair is of one size and of other signs, where digits are lost.
            let near = a ^ 0x8000 ^ (seed >> 60) as u16;
            let b = if round % 2 == 0 {
                (seed >> 16) as u16
            } else {
                near
            };
            for function in [AtomicFn::AddHalf, AtomicFn::AddBfloat] {
                let sum = value(function, a) + value(function, b);
                let found = add_narrow(function, a, b);
                let greatest = if function == AtomicFn::AddHalf {
                    65504.0
                } else {
                    3.38e38
                };
                let is_right = match sum.is_nan() {
                    true => found == 0x7fff,
                    // Around the greatest: see below.
                    false if sum.abs() >= greatest => true,
                    false => is_nearest(function, sum, found),
                };
                assert!(is_right, "{function:?} {a:#06x} {b:#06x} {found:#06x}");
            }
        }
    }

    #[test]
    fn known_sums() {
        let of = |function, a, b| add_narrow(function, a, b);
        // 1 + 1, 2048 + 1 (a tie to even), 65504 + 16 (infinite), infinity − infinity.
        assert_eq!(of(AtomicFn::AddHalf, 0x3c00, 0x3c00), 0x4000);
        assert_eq!(of(AtomicFn::AddHalf, 0x6800, 0x3c00), 0x6800);
        assert_eq!(of(AtomicFn::AddHalf, 0x7bff, 0x4c00), 0x7c00);
        assert_eq!(of(AtomicFn::AddHalf, 0x7c00, 0xfc00), 0x7fff);
        assert_eq!(of(AtomicFn::AddBfloat, 0x3f80, 0x3f80), 0x4000);
        assert_eq!(of(AtomicFn::AddBfloat, 0x4380, 0x3f80), 0x4380);
        assert_eq!(of(AtomicFn::AddBfloat, 0x7f80, 0xff80), 0x7fff);
    }
}
