//! The first contents of arrays.

use super::random::{
    arbitrary_cell, cell_below, mixed, ordinary_cell, random_cell, whole_range_cell,
};
use crate::algebra::types::ScalarType;
use crate::algebra::value::Value;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// First contents of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contents {
    /// Every cell is uninitialised; reading one is a defect.
    Undef,
    /// Every cell is the zero of its type.
    Zero,
    /// Exactly these cells; those beyond, up to the extent, are zero.
    Values(Vec<Value>),
    /// These cells, by index; all others are zero.
    Cells(BTreeMap<u64, Value>),
    /// The same value everywhere.
    Fill(Value),
    /// Cell number `i` holds `first + i * step`, in the arithmetic of the element type.
    Range {
        /// What cell 0 holds.
        first: Value,
        /// The difference from one cell to the next; integers wrap.
        step: Value,
    },
    /// The reproducible pseudo-random contents of [`random_cell`].
    Random {
        /// Equal seeds give equal contents.
        seed: u64,
    },
    /// Reproducible pseudo-random values over the whole range of the type, its extremes among them:
    /// [`whole_range_cell`].
    WholeRange {
        /// Equal seeds give equal contents.
        seed: u64,
    },
    /// Reproducible pseudo-random floats of ordinary size that are no round numbers: [`ordinary_cell`].
    Ordinary {
        /// Equal seeds give equal contents.
        seed: u64,
        /// Of both signs, so that sums of them cancel in part.
        signed: bool,
    },
    /// Reproducible pseudo-random numbers from 0 up to, but not with, `bound`: indices into an array of
    /// so many elements ([`cell_below`]).
    Below {
        /// Equal seeds give equal contents.
        seed: u64,
        /// Above every cell; 0 counts as 1.
        bound: u64,
    },
    /// The values that a run chooses for arbitrary values: [`arbitrary_cell`].
    Arbitrary {
        /// Equal seeds give equal contents.
        seed: u64,
    },
    /// One cell in `one_in`, chosen reproducibly at random, holds one of `values`, also chosen at random; the others
    /// have the contents `rest`. Without any values, all cells have the contents `rest`.
    Sprinkled {
        /// Equal seeds give equal contents.
        seed: u64,
        /// How rare they are; 0 counts as 1.
        one_in: u64,
        /// Of the element type.
        values: Vec<Value>,
        /// Of the cells that hold none of `values`.
        rest: Box<Contents>,
    },
}

impl Contents {
    /// The value of cell `index` of an array of such elements.
    pub fn cell(&self, elem: ScalarType, index: u64) -> Value {
        match self {
            Contents::Undef => Value::Undef,
            Contents::Zero => Value::zero(elem),
            Contents::Values(values) => usize::try_from(index)
                .ok()
                .and_then(|index| values.get(index).copied())
                .unwrap_or(Value::zero(elem)),
            Contents::Cells(cells) => cells.get(&index).copied().unwrap_or(Value::zero(elem)),
            Contents::Fill(value) => *value,
            Contents::Range { first, step } => nth(elem, *first, *step, index),
            Contents::Random { seed } => random_cell(*seed, index, elem),
            Contents::WholeRange { seed } => whole_range_cell(*seed, index, elem),
            Contents::Ordinary { seed, signed } => ordinary_cell(*seed, *signed, index, elem),
            Contents::Below { seed, bound } => cell_below(*seed, *bound, index, elem),
            Contents::Arbitrary { seed } => arbitrary_cell(*seed, index, elem),
            Contents::Sprinkled {
                seed,
                one_in,
                values,
                rest,
            } => {
                let place = mixed(*seed, index);
                let which = mixed(place, index) % (values.len() as u64).max(1);
                match values.get(which as usize) {
                    Some(value) if place.is_multiple_of((*one_in).max(1)) => *value,
                    _ => rest.cell(elem, index),
                }
            }
        }
    }
}

/// `first + index * step`.
fn nth(elem: ScalarType, first: Value, step: Value, index: u64) -> Value {
    match (first, step) {
        (Value::F32(first), Value::F32(step)) => {
            Value::f32(f32::from_bits(first) + index as f32 * f32::from_bits(step))
        }
        (Value::F64(first), Value::F64(step)) => {
            Value::f64(f64::from_bits(first) + index as f64 * f64::from_bits(step))
        }
        _ => {
            let number = |value: Value| value.as_integer().unwrap_or(0);
            Value::int(elem, number(first) + index as i128 * number(step))
        }
    }
}
