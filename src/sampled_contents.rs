//! What sampled array arguments hold: random cells; of arrays whose contents are indices, in all samples
//! but every third, cells within what they index, so that values repeat and runs get past the access.

use crate::declared_contents;
use crate::indices::{Named, indexed};
use crate::subject::EntryPoint;
use gridlock_semantics::program::{Extent, Program};
use gridlock_semantics::setup::{Contents, Launch};
use gridlock_semantics::types::ScalarType;
use std::collections::BTreeMap;

/// By array whose contents are indices: the least number of elements of those it indexes.
pub struct Bounds(BTreeMap<Named, u64>);

impl Bounds {
    /// `extents`: the numbers of elements known, by array. Where nobody says how long an array is, it
    /// has an element for each thread, the usual case.
    pub fn of(
        program: &Program,
        entry: &EntryPoint,
        launch: Option<Launch>,
        extents: &BTreeMap<Named, u64>,
    ) -> Bounds {
        let n_threads = declared_contents::n_threads(launch);
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
        let least = |(array, targets): (Named, std::collections::BTreeSet<Named>)| {
            let least = targets.iter().map(elements).min()?;
            Some((array, least.max(1)))
        };
        let all = indexed(program, entry.proc).into_iter();
        Bounds(all.filter_map(least).collect())
    }

    /// Random contents of an array in sample number `sample`.
    pub fn contents(&self, array: Named, elem: ScalarType, seed: u64, sample: u32) -> Contents {
        match self.0.get(&array) {
            Some(&bound) if sample % 3 != 1 && elem != ScalarType::Bool => {
                Contents::Below { seed, bound }
            }
            _ => Contents::Random { seed },
        }
    }
}
