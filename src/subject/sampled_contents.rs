//! What sampled array arguments hold: random cells; of arrays whose contents are indices, in all samples
//! but every third, cells within what they index, so that values repeat and runs get past the access.
//! Where a program compares what an array holds with constants, those and their neighbours are
//! sprinkled over it in the second of every three samples, and in the third all cells are one of them.

use crate::subject::EntryPoint;
use crate::subject::compared_contents::{Constants, around, compared_contents, itself};
use crate::subject::drawn::{Drawn, Wide};
use crate::subject::indices::{Flow, Named};
use crate::subject::literals::literals;
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
    /// The constants of both programs, where two are compared.
    literals: Constants,
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
        let mut literals = literals(program, entry.proc);
        literals.extend(&entry.elsewhere.literals);
        Bounds {
            least,
            compared,
            literals,
            n_threads,
        }
    }

    /// Contents of an array in a sample.
    pub(super) fn drawn(
        &self,
        array: Named,
        elem: ScalarType,
        seed: u64,
        drawn: Drawn,
    ) -> Contents {
        match drawn {
            Drawn::Usual(sample) => self.contents(array, elem, seed, sample),
            Drawn::Wide(wide) => self.wide(array, elem, seed, wide),
        }
    }

    fn wide(&self, array: Named, elem: ScalarType, seed: u64, wide: Wide) -> Contents {
        let mut known = self.literals.clone();
        known.extend(self.compared.get(&array).into_iter().flatten());
        wide.contents(elem, seed, self.least.get(&array).copied(), &known)
    }

    /// Contents of an array in sample number `sample`.
    pub fn contents(&self, array: Named, elem: ScalarType, seed: u64, sample: u32) -> Contents {
        let bound = self.least.get(&array).copied();
        let bound = bound.filter(|_| !has_any_indices(sample) && elem != ScalarType::Bool);
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

/// Whether arrays of indices hold any numbers in usual sample number `sample`, instead of those in range.
pub fn has_any_indices(sample: u32) -> bool {
    sample % 3 == 1
}

/// How many threads there are where sizes are made to fit them.
pub fn n_threads(launch: Option<Launch>) -> u64 {
    launch.map_or(64, |l| l.n_blocks() * l.n_threads())
}
