//! What the two sides of a map speak of.

use crate::equiv::differences::Differences;
use crate::equiv::map::Side;
use gridlock_semantics::print::array_names::ArrayNames;
use gridlock_semantics::system::observation::Observation;
use std::collections::BTreeMap;

/// What the cells of both programs are called in their sources.
#[derive(Clone, Copy)]
pub struct NamesOfSides<'a> {
    /// Of the new program.
    pub new: &'a ArrayNames<'a>,
    /// Of the original.
    pub old: &'a ArrayNames<'a>,
}

/// The two observations and the constants the map may name.
pub(crate) struct Sides<'a> {
    /// What a run of the new program leaves.
    pub new: &'a Observation,
    /// What a run of the old program leaves.
    pub old: &'a Observation,
    /// Values of the map's constants, by name.
    pub constants: &'a BTreeMap<String, i64>,
    /// Without them cells are numbered, as those of a relation that was given are.
    pub names: Option<NamesOfSides<'a>>,
    /// Which floats may stand for one another, and those that differed.
    pub differences: Differences,
}

impl Sides<'_> {
    /// A cell of one side, as its source writes it: `new.s[3].y`.
    pub(super) fn cell(&self, side: Side, array: &str, index: i64) -> String {
        let (word, names) = match side {
            Side::New => ("new", self.names.map(|names| names.new)),
            Side::Old => ("old", self.names.map(|names| names.old)),
        };
        let cell = match names {
            Some(names) => names.cell(array, index),
            None => format!("{array}[{index}]"),
        };
        format!("{word}.{cell}")
    }
}
