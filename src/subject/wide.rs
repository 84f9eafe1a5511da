//! Wide samples: what arguments and arrays hold where two programs are compared over the whole range of
//! their types. Sizes and indices stay in range, or runs would end before they show anything; all other
//! numbers may be any, the extremes and the constants of both programs among them.

use super::compared_contents::{Constant, Constants, around, itself};
use super::drawn::{Floats, Wide};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{
    Contents, Launch, cell_below, ordinary_cell, random_cell, whole_range_cell,
};

/// Of how many cells one holds a constant, where constants are sprinkled.
const ONE_IN: u64 = 3;
/// Of how many cells one holds the first or the last index, in an array of indices.
const ONE_END_IN: u64 = 4;
/// Whole numbers below this stand for floats whose sums, and sums of whose products, are exact.
const BOUND_OF_EXACT: u64 = 128;

/// Small sizes that tell arguments apart: all large enough for a second round; and an element and a stride of one
/// among them.
const UNEQUAL: [[i128; 5]; 2] = [[2, 3, 5, 7, 4], [3, 1, 5, 2, 7]];

impl Wide {
    /// The numbers of samples of all floats, one after another.
    pub fn numbers_of_odd_floats() -> impl Iterator<Item = u32> {
        (1..).step_by(4)
    }

    /// What an array holds. `bound`: its cells are indices of arrays of so many elements. `known`: the
    /// constants of both programs.
    pub fn contents(
        &self,
        elem: ScalarType,
        seed: u64,
        bound: Option<u64>,
        known: &Constants,
    ) -> Contents {
        if elem == ScalarType::Bool {
            return Contents::Random { seed };
        }
        if let Some(bound) = bound {
            let ends = [0, bound.saturating_sub(1)].map(|end| Constant::Integer(end.into()));
            let values = ends.into_iter().filter_map(|end| itself(end, elem));
            let rest = Contents::Below { seed, bound };
            return sprinkled(seed, ONE_END_IN, values.collect(), rest);
        }
        match elem.is_float() {
            true => self.floats(elem, seed, known),
            false => self.integers(elem, seed, known),
        }
    }

    fn integers(&self, elem: ScalarType, seed: u64, known: &Constants) -> Contents {
        let any = Contents::WholeRange { seed };
        match self.number % 3 {
            0 => any,
            // Constants among small numbers: sums of these do not overflow, which C leaves undefined.
            1 => sprinkled(seed, ONE_IN, near(elem, known), Contents::Random { seed }),
            _ => sprinkled(seed, ONE_IN, near(elem, known), any),
        }
    }

    fn floats(&self, elem: ScalarType, seed: u64, known: &Constants) -> Contents {
        let ordinary = |signed| Contents::Ordinary { seed, signed };
        match (self.floats, self.number % 4) {
            (Floats::Exact, 1 | 3) => Contents::Below {
                seed,
                bound: BOUND_OF_EXACT,
            },
            (Floats::Exact, _) => Contents::Random { seed },
            (_, 0) => ordinary(true),
            (Floats::Any, 1) => {
                let any = Contents::WholeRange { seed };
                // Zeros that are equal and not the same, what halving loses, and what is no number.
                let values = [near(elem, known), odd_floats(elem)].concat();
                sprinkled(seed, ONE_IN, values, any)
            }
            (_, 2) => ordinary(false),
            _ => sprinkled(seed, ONE_IN, near(elem, known), ordinary(true)),
        }
    }

    /// The value of a scalar argument, number `var` of the entry's variables. `is_data`: it is neither a size nor a place.
    pub fn scalar(
        &self,
        ty: ScalarType,
        var: u32,
        is_data: bool,
        launch: Option<Launch>,
        known: &Constants,
    ) -> Value {
        let (seed, at) = (u64::from(self.number) + 1, u64::from(var));
        if ty == ScalarType::Bool {
            return Value::Bool((self.number + var).is_multiple_of(2));
        }
        let values = near(ty, known);
        let turn = (u64::from(self.number / 2) + at) % (values.len() as u64).max(1);
        let one = || values.get(turn as usize).copied();
        if ty.is_float() {
            return match (self.floats, self.number % 4) {
                (Floats::Exact, _) => random_cell(seed, at, ty),
                (Floats::Any, 1) => whole_range_cell(seed, at, ty),
                (_, 3) => one().unwrap_or_else(|| ordinary_cell(seed, true, at, ty)),
                _ => ordinary_cell(seed, true, at, ty),
            };
        }
        match (is_data, self.number % 3) {
            (true, 0) => whole_range_cell(seed, at, ty),
            (true, 1) => cell_below(seed, u64::from(ty.bits()), at, ty),
            (true, _) => one().unwrap_or_else(|| random_cell(seed, at, ty)),
            (false, _) => self.size(ty, var, launch),
        }
    }

    /// A size, of argument number `var`: beside multiples of the numbers of threads in the launch, a block and a warp, or
    /// none, the same for all sizes; or small, of each argument another.
    fn size(&self, ty: ScalarType, var: u32, launch: Option<Launch>) -> Value {
        let (threads, block) = launch.map_or((64, 32), |launch| {
            let threads = launch.n_blocks() * launch.n_threads();
            (threads.min(1 << 30), launch.n_threads())
        });
        let (threads, block) = (i128::from(threads), i128::from(block));
        let unequal = UNEQUAL.map(|sizes| sizes[var as usize % sizes.len()]);
        let sizes = [
            threads,
            threads + 1,
            0,
            -1,
            unequal[0],
            unequal[1],
            block,
            threads - 1,
            2 * threads,
            block + 1,
            33,
            block - 1,
            1,
        ];
        match sizes[self.number as usize % sizes.len()] {
            ..0 if !ty.is_signed() => Value::int(ty, 1),
            size => Value::int(ty, size),
        }
    }
}

/// The constants and their neighbours, as far as the type has them.
fn near(elem: ScalarType, known: &Constants) -> Vec<Value> {
    let fits = |constant: &&Constant| match (itself(**constant, elem), constant) {
        (Some(value), Constant::Integer(n)) if elem.is_integer() => {
            // -1 stands for the greatest of an unsigned type, as it does in code.
            value.as_integer() == Some(*n) || *n == -1
        }
        (value, _) => value.is_some(),
    };
    let constants = known.iter().filter(fits);
    constants.flat_map(|c| around(*c, elem)).collect()
}

fn odd_floats(elem: ScalarType) -> Vec<Value> {
    match elem {
        ScalarType::F32 => [0.0, -0.0, f32::from_bits(1), f32::NAN]
            .map(Value::f32)
            .to_vec(),
        ScalarType::F64 => [0.0, -0.0, f64::from_bits(1), f64::NAN]
            .map(Value::f64)
            .to_vec(),
        _ => Vec::new(),
    }
}

fn sprinkled(seed: u64, one_in: u64, values: Vec<Value>, rest: Contents) -> Contents {
    match values.is_empty() {
        true => rest,
        false => Contents::Sprinkled {
            seed,
            one_in,
            values,
            rest: Box::new(rest),
        },
    }
}
