//! Values of scalars that were not given.

use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{cell_below, random_cell};
/// Samples in which all scalars are numbers around the number of threads.
const FIRST_SAMPLES: u32 = 7;

/// A value for a scalar that was not given, by its number among the parameters: in the first samples a number around
/// the number of threads, where guards and bounds change their minds, the same for all; after them random
/// ones, of each scalar another.
pub fn sampled_scalar(ty: ScalarType, threads: u64, sample: u32, number: u32) -> Value {
    if sample >= FIRST_SAMPLES {
        let seed = u64::from(sample);
        return match ty.is_integer() {
            true => cell_below(seed, threads.saturating_mul(4), u64::from(number), ty),
            false => random_cell(seed, u64::from(number), ty),
        };
    }
    match ty {
        ScalarType::Bool => Value::Bool(sample.is_multiple_of(2)),
        ScalarType::F32 => Value::f32(0.5 + sample as f32),
        ScalarType::F64 => Value::f64(0.5 + sample as f64),
        integer => {
            let threads = threads.min(1 << 30) as i128;
            let choices: [i128; FIRST_SAMPLES as usize] =
                [threads, threads - 1, threads / 2 + 1, 1, threads + 1, 2, 0];
            Value::int(integer, choices[sample as usize])
        }
    }
}
