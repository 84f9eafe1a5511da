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
