//! Reproducible pseudo-random contents of cells.

use crate::algebra::types::ScalarType;
use crate::algebra::value::Value;

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
pub(super) fn mixed(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Pseudo-random contents of cell `index` of an array with `seed`: a number from 0 up to, but not with,
/// `bound`, as far as the type has it. The same on every machine.
pub fn cell_below(seed: u64, bound: u64, index: u64, elem: ScalarType) -> Value {
    let number = mixed(seed, index) % bound.max(1);
    match elem {
        ScalarType::Bool => Value::Bool(number & 1 == 1),
        ScalarType::F32 => Value::f32(number as f32),
        ScalarType::F64 => Value::f64(number as f64),
        int => {
            let most = (1i128 << (int.bits() - u32::from(int.is_signed()))) - 1;
            Value::int(int, i128::from(number) % (most + 1))
        }
    }
}

/// Pseudo-random contents of cell `index` of an array with `seed`: the same on every machine.
/// Integers are small (−100..=99, or 0..=199 unsigned) so that sums do not overflow and equal
/// values do occur; floats are multiples of 1/8 in −16..16.
pub fn random_cell(seed: u64, index: u64, elem: ScalarType) -> Value {
    let z = mixed(seed, index);
    match elem {
        ScalarType::Bool => Value::Bool(z & 1 == 1),
        ScalarType::F32 => Value::f32((z % 256) as f32 / 8.0 - 16.0),
        ScalarType::F64 => Value::f64((z % 256) as f64 / 8.0 - 16.0),
        int if int.is_signed() => Value::int(int, (z % 200) as i128 - 100),
        int => Value::int(int, (z % 200) as i128),
    }
}

/// Pseudo-random contents of cell `index` of an array with `seed`, over the whole range of the type. One integer
/// in four is a bound of the type, 0, a power of two or a neighbour of one of these; the others have random
/// bits. Of eight floats one is special (a zero of either sign, an infinity, NaN, the least and the greatest
/// numbers), one is subnormal, one has any exponent, and the others are those of [`ordinary_cell`].
pub fn whole_range_cell(seed: u64, index: u64, elem: ScalarType) -> Value {
    let z = mixed(seed, index);
    let bits = mixed(z, index);
    match elem {
        ScalarType::Bool => Value::Bool(bits & 1 == 1),
        ScalarType::F32 => match z % 8 {
            0 => Value::f32(of(&SPECIAL_F32, bits)),
            1 => Value::f32(f32::from_bits(bits as u32 & !f32::INFINITY.to_bits())),
            2 => Value::f32(f32::from_bits(bits as u32)),
            _ => ordinary_cell(seed, true, index, elem),
        },
        ScalarType::F64 => match z % 8 {
            0 => Value::f64(of(&SPECIAL_F64, bits)),
            1 => Value::f64(f64::from_bits(bits & !f64::INFINITY.to_bits())),
            2 => Value::f64(f64::from_bits(bits)),
            _ => ordinary_cell(seed, true, index, elem),
        },
        int if z.is_multiple_of(4) => {
            let power = 1i128 << (bits % u64::from(int.bits()));
            let near = i128::from(bits / 64 % 3) - 1;
            let sign = if (bits / 256).is_multiple_of(2) {
                1
            } else {
                -1
            };
            // What leaves the type comes in again at its other end: -1 is the greatest unsigned number.
            Value::int(int, sign * power + near)
        }
        int => Value::int(int, i128::from(bits)),
    }
}

fn of<T: Copy>(values: &[T], bits: u64) -> T {
    values[(bits % values.len() as u64) as usize]
}

const SPECIAL_F32: [f32; 10] = [
    0.0,
    -0.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    f32::EPSILON,
];

const SPECIAL_F64: [f64; 10] = [
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    f64::EPSILON,
];

/// Pseudo-random contents of cell `index` of an array with `seed`: floats of absolute value from 1/8 up to 1024,
/// each binade as likely, with every bit of the significand random, so that sums of them are rounded. Both
/// signs where `signed`, else positive. What is no float is as in [`random_cell`].
pub fn ordinary_cell(seed: u64, signed: bool, index: u64, elem: ScalarType) -> Value {
    let z = mixed(seed, index);
    let exponent = (z % 13) as i32 - 3;
    let is_negative = signed && mixed(z, 1) & 1 == 1;
    match elem {
        ScalarType::F32 => {
            let significand = f32::from_bits(1f32.to_bits() | (z >> 40) as u32 & 0x007f_ffff);
            let size = significand * 2f32.powi(exponent);
            Value::f32(if is_negative { -size } else { size })
        }
        ScalarType::F64 => {
            let significand = f64::from_bits(1f64.to_bits() | z >> 12);
            let size = significand * 2f64.powi(exponent);
            Value::f64(if is_negative { -size } else { size })
        }
        _ => random_cell(seed, index, elem),
    }
}

/// Contents of cell `index` of an array of arbitrary values: as [`random_cell`] or zero, so that branches on such a
/// value go both ways and loops on it end. The seed decides how neighbouring cells are related: of each two, exactly
/// one is random (needed for two threads to diverge); or each is random with probability one half; or seven of eight
/// are (needed to show what two threads do after they took the same branch).
pub fn arbitrary_cell(seed: u64, index: u64, elem: ScalarType) -> Value {
    let coins = |at: u64| {
        let salted = random_cell(seed ^ 0x5bd1_e995_9d1b_54a5, at, ScalarType::U8);
        salted.as_integer().unwrap_or(0)
    };
    let is_drawn = match seed % 3 {
        0 => coins(index / 2) % 2 != i128::from(index % 2),
        1 => coins(index) % 2 == 0,
        _ => coins(index) % 8 != 0,
    };
    match is_drawn {
        true => random_cell(seed, index, elem),
        false => Value::zero(elem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn integers(elem: ScalarType) -> BTreeSet<i128> {
        let cells = (0..2000).map(|index| whole_range_cell(5, index, elem));
        cells.filter_map(Value::as_integer).collect()
    }

    #[test]
    fn the_whole_range_has_its_ends() {
        let signed = integers(ScalarType::I32);
        for end in [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX] {
            assert!(signed.contains(&i128::from(end)), "{end}");
        }
        let unsigned = integers(ScalarType::U64);
        for end in [0, 1, 1 << 63, u64::MAX] {
            assert!(unsigned.contains(&i128::from(end)), "{end}");
        }
        let high = unsigned.iter().filter(|n| **n > 1 << 40).count();
        assert!(high > 1000, "{high}");
    }

    #[test]
    fn floats_of_every_kind_come() {
        let all: Vec<f32> = (0..2000)
            .filter_map(|index| match whole_range_cell(9, index, ScalarType::F32) {
                Value::F32(bits) => Some(f32::from_bits(bits)),
                _ => None,
            })
            .collect();
        let has = |what: fn(&f32) -> bool| all.iter().any(what);
        assert_eq!(all.len(), 2000);
        assert!(has(|x| x.is_nan()) && has(|x| x.is_infinite() && *x < 0.0));
        assert!(has(|x| x.is_subnormal()) && has(|x| *x == f32::MAX));
        assert!(has(|x| *x == 0.0 && x.is_sign_negative()));
        assert!(
            has(|x| x.is_normal() && x.abs() > 1e20) && has(|x| x.is_normal() && x.abs() < 1e-20)
        );
        let ordinary = |signed| (0..500).map(move |i| ordinary_cell(3, signed, i, ScalarType::F32));
        let sizes = |cell| match cell {
            Value::F32(bits) => f32::from_bits(bits),
            _ => f32::NAN,
        };
        assert!(
            ordinary(true)
                .map(sizes)
                .all(|x| (0.125..1024.0).contains(&x.abs()))
        );
        assert!(ordinary(true).map(sizes).any(|x| x < 0.0));
        assert!(ordinary(false).map(sizes).all(|x| x > 0.0));
        let (mut forward, mut backward) = (0f32, 0f32);
        let cells: Vec<f32> = ordinary(true).map(sizes).collect();
        cells.iter().for_each(|x| forward += x);
        cells.iter().rev().for_each(|x| backward += x);
        assert_ne!(forward, backward);
    }
}
