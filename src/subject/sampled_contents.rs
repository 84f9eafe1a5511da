//! What sampled array arguments hold: random cells; of arrays whose contents are indices, in all samples
//! but every third, cells within what they index, so that values repeat and runs get past the access.
//! Where a program compares what an array holds with constants, those and their neighbours are
//! sprinkled over it in the second of every three samples, and in the third all cells are one of them.

use crate::subject::EntryPoint;
use crate::subject::compared_contents::{Constant, Constants, compared_contents};
use crate::subject::indices::{Flow, Named};
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Contents, Launch};
use std::collections::BTreeMap;

/// Of how many cells one holds a constant, where constants are sprinkled.
const ONE_IN: u64 = 4;

/// What is known of what arrays hold.
pub struct Bounds {
    /// By array whose contents are indices: the least number of elements of those it indexes.
    least: BTreeMap<Named, u64>,
    compared: BTreeMap<Named, Constants>,
    n_threads: u64,
}

impl Bounds {
    /// `extents`: the numbers of elements known, by array. Where the length of an array is not given, it
    /// has an element for each thread, the usual case.
    pub fn of(
        program: &Program,
        entry: &EntryPoint,
        launch: Option<Launch>,
        extents: &BTreeMap<Named, u64>,
    ) -> Bounds {
        let n_threads = n_threads(launch);
        let elements = |array: &Named| {
            let declared = match array {
                Named::Param(_) => None,
                Named::Declared(id) => {
                    let decl = program.array(*id);
                    match (decl.extent, launch) {
                        (Extent::Fixed(elements), _) => Some(elements),
                        (Extent::LaunchShared, Some(launch)) => {
                            Some(u64::from(launch.shared_bytes) / decl.elem.size())
                        }
                        (Extent::LaunchShared, None) => None,
                    }
                }
            };
            extents
                .get(array)
                .copied()
                .or(declared)
                .unwrap_or(n_threads)
        };
        let flow = Flow::of(program, entry.proc);
        let all = flow.indexed().iter().filter_map(|(array, targets)| {
            let least = targets.iter().map(elements).min()?;
            Some((*array, least.max(1)))
        });
        let least = all.collect();
        let mut compared = compared_contents(program, &flow, entry.proc);
        for (var, constants) in &entry.elsewhere.contents {
            let known = compared.entry(Named::Param(*var)).or_default();
            known.extend(constants);
        }
        Bounds {
            least,
            compared,
            n_threads,
        }
    }

    /// Contents of an array in sample number `sample`.
    pub fn contents(&self, array: Named, elem: ScalarType, seed: u64, sample: u32) -> Contents {
        let bound = self.least.get(&array).copied();
        let bound = bound.filter(|_| sample % 3 != 1 && elem != ScalarType::Bool);
        let random = match bound {
            Some(bound) => Contents::Below { seed, bound },
            None => Contents::Random { seed },
        };
        let Some(constants) = self
            .compared
            .get(&array)
            .filter(|_| !sample.is_multiple_of(3))
        else {
            return random;
        };
        let is_indexing = self.least.contains_key(&array);
        if sample % 3 == 2 && !is_indexing {
            return match self.one(constants, elem, seed) {
                Some(value) => Contents::Fill(value),
                None => random,
            };
        }
        let in_range = |value: &Value| match (bound, value.as_integer()) {
            (Some(bound), Some(number)) => (0..i128::from(bound)).contains(&number),
            (Some(_), None) => false,
            (None, _) => true,
        };
        let values: Vec<Value> = constants.iter().flat_map(|c| around(*c, elem)).collect();
        let values: Vec<Value> = values.into_iter().filter(in_range).collect();
        match values.is_empty() {
            true => random,
            false => Contents::Sprinkled {
                seed,
                one_in: ONE_IN,
                values,
                rest: Box::new(random),
            },
        }
    }

    /// What all cells of an array in the third of every three samples hold, if it is compared with
    /// something.
    pub fn everywhere(&self, array: Named, elem: ScalarType, seed: u64) -> Option<Value> {
        self.one(self.compared.get(&array)?, elem, seed)
    }

    /// One of the constants, another for another launch.
    fn one(&self, constants: &Constants, elem: ScalarType, seed: u64) -> Option<Value> {
        let values: Vec<Value> = constants.iter().filter_map(|c| itself(*c, elem)).collect();
        let turn = seed.wrapping_add(self.n_threads) % (values.len() as u64).max(1);
        values.get(turn as usize).copied()
    }
}

/// A constant as a cell of such elements.
fn itself(constant: Constant, elem: ScalarType) -> Option<Value> {
    let as_float = match constant {
        Constant::Integer(n) => n as f64,
        Constant::Float(bits) => f64::from_bits(bits),
    };
    match (elem, constant) {
        (ScalarType::Bool, Constant::Integer(n)) => Some(Value::Bool(n != 0)),
        (ScalarType::F32, _) => Some(Value::f32(as_float as f32)),
        (ScalarType::F64, _) => Some(Value::f64(as_float)),
        (elem, Constant::Integer(n)) if elem.is_integer() => Some(Value::int(elem, n)),
        _ => None,
    }
}

/// A constant and its neighbours, itself as often as those together. What does not fit into a cell is no
/// neighbour.
fn around(constant: Constant, elem: ScalarType) -> Vec<Value> {
    let Some(value) = itself(constant, elem) else {
        return Vec::new();
    };
    let beside = |by: i8| match value {
        Value::Int(ty, _) => {
            let number = value.as_integer()? + i128::from(by);
            Some(Value::int(ty, number)).filter(|v| v.as_integer() == Some(number))
        }
        Value::F32(bits) => Some(Value::f32(f32::from_bits(bits) + f32::from(by))),
        Value::F64(bits) => Some(Value::f64(f64::from_bits(bits) + f64::from(by))),
        Value::Bool(b) => Some(Value::Bool(!b)),
        Value::Pointer(_) | Value::Undef => None,
    };
    let neighbours = [-1, 1].into_iter().filter_map(beside);
    [value, value].into_iter().chain(neighbours).collect()
}

/// How many threads there are where sizes are made to fit them.
pub fn n_threads(launch: Option<Launch>) -> u64 {
    launch.map_or(64, |l| l.n_blocks() * l.n_threads())
}
