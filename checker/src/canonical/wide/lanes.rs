//! One register of many threads: total operations on it, lane by lane.

use crate::compiled::arithmetic;
use crate::compiled::instruction::{Op1, Op2, Reg};

/// Threads that share a strip.
pub const LANES: usize = 64;

/// A register of each thread of a strip.
pub type Lanes = [u64; LANES];

/// Which lanes of a strip take part.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    pub set: u64,
    /// All ones for each lane of the set, zero for the others; `None` when every lane may be
    /// written.
    pub chosen: Option<&'a Lanes>,
}

/// The set's lanes, each as a word of ones.
pub fn spread(set: u64) -> Lanes {
    let mut chosen = [0; LANES];
    for (lane, word) in chosen.iter_mut().enumerate() {
        *word = 0u64.wrapping_sub(set >> lane & 1);
    }
    chosen
}

/// The lanes of a set, ascending.
#[inline(always)]
pub fn each(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(lane)
    })
}

/// The lanes of `set` whose word is zero.
#[inline(always)]
pub fn zeros(words: &Lanes, set: u64) -> u64 {
    let mut zeros = 0;
    for (lane, word) in words.iter().enumerate() {
        zeros |= ((*word == 0) as u64) << lane;
    }
    zeros & set
}

/// The lanes of `set` whose word is `value`.
#[inline(always)]
pub fn equal(words: &Lanes, value: u64, set: u64) -> u64 {
    let mut equal = 0;
    for (lane, word) in words.iter().enumerate() {
        equal |= ((*word == value) as u64) << lane;
    }
    equal & set
}

/// Whether all lanes taking part hold `value`.
#[inline(always)]
pub fn all_are(words: &Lanes, value: u64, part: Part<'_>) -> bool {
    let mut other = 0;
    match part.chosen {
        None => words.iter().for_each(|word| other |= word ^ value),
        Some(chosen) => {
            for (word, chosen) in words.iter().zip(chosen) {
                other |= (word ^ value) & chosen;
            }
        }
    }
    other == 0
}

/// Writes the lanes taking part.
#[inline(always)]
pub fn put(dst: &mut Lanes, values: &Lanes, part: Part<'_>) {
    match part.chosen {
        None => *dst = *values,
        Some(chosen) => {
            for lane in 0..LANES {
                dst[lane] = values[lane] & chosen[lane] | dst[lane] & !chosen[lane];
            }
        }
    }
}

#[inline(always)]
fn map1(regs: &mut [Lanes], dst: Reg, a: Reg, part: Part<'_>, f: impl Fn(u64) -> u64) {
    let mut values = [0; LANES];
    for (value, a) in values.iter_mut().zip(&regs[a as usize]) {
        *value = f(*a);
    }
    put(&mut regs[dst as usize], &values, part);
}

/// `dst := f(a, b)`
#[inline(always)]
pub fn map2(
    regs: &mut [Lanes],
    dst: Reg,
    (a, b): (Reg, Reg),
    part: Part<'_>,
    f: impl Fn(u64, u64) -> u64,
) {
    let mut values = [0; LANES];
    let operands = regs[a as usize].iter().zip(&regs[b as usize]);
    for (value, (a, b)) in values.iter_mut().zip(operands) {
        *value = f(*a, *b);
    }
    put(&mut regs[dst as usize], &values, part);
}

/// One loop for each operation, so that each is compiled for vectors.
pub fn op1(code: Op1, regs: &mut [Lanes], dst: Reg, a: Reg, part: Part<'_>) {
    macro_rules! call {
        ($($op:ident)*) => {
            match code { $(Op1::$op => map1(regs, dst, a, part, |x| arithmetic::op1(Op1::$op, x)),)* }
        };
    }
    call!(NegI32 NegU32 Neg64 NegF32 NegF64 Not BitNotSigned BitNotU32 BitNotU64 ToBool ToI8 ToI16
        ToI32 ToU8 ToU16 ToU32 SignedToF32 SignedToF64 UnsignedToF32 UnsignedToF64 F32ToF64
        F64ToF32)
}

pub fn op2(code: Op2, regs: &mut [Lanes], dst: Reg, operands: (Reg, Reg), part: Part<'_>) {
    macro_rules! call {
        ($($op:ident)*) => {
            match code { $(
                Op2::$op => map2(regs, dst, operands, part, |x, y| arithmetic::op2(Op2::$op, x, y)),
            )* }
        };
    }
    call!(AddI32 SubI32 MulI32 AddU32 SubU32 MulU32 Add64 Sub64 Mul64 And Or Xor Eq Ne LtS LeS GtS
        GeS LtU LeU GtU GeU MinS MaxS MinU MaxU AddF32 SubF32 MulF32 DivF32 AddF64 SubF64 MulF64
        DivF64 EqF32 NeF32 LtF32 LeF32 GtF32 GeF32 EqF64 NeF64 LtF64 LeF64 GtF64 GeF64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_words_say_the_same() {
        for set in [0, 1, u64::MAX, 0x8000_0000_0000_0001, 0xf0f0] {
            let words = spread(set);
            assert_eq!(zeros(&words, u64::MAX), !set);
            assert_eq!(equal(&words, u64::MAX, u64::MAX), set);
            assert_eq!(each(set).fold(0, |all, lane| all | 1 << lane), set);
        }
    }

    #[test]
    fn only_lanes_taking_part_are_written() {
        let mut regs = vec![[7; LANES], [1; LANES], [2; LANES]];
        let chosen = spread(0b101);
        let part = Part {
            set: 0b101,
            chosen: Some(&chosen),
        };
        op2(Op2::AddI32, &mut regs, 0, (1, 2), part);
        assert_eq!(regs[0][..4], [3, 7, 3, 7]);
        // An operand may be the result.
        op2(Op2::SubI32, &mut regs, 1, (1, 2), part);
        assert_eq!(regs[1][..3], [u64::MAX, 1, u64::MAX]);
    }
}
