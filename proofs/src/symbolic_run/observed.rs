//! What is compared of two programs.

use super::value::Place;
use gridlock_semantics::algebra::ids::ArrayId;

/// Which program something is said of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The original.
    Old,
    /// The other.
    New,
}

/// Memory whose final contents are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// The array of this number among those of the setup.
    Argument(usize),
    /// A variable of the file.
    OfFile(ArrayId),
}

impl Observed {
    pub(super) fn place(self) -> Place {
        match self {
            Observed::Argument(index) => Place::Argument(index),
            Observed::OfFile(id) => Place::Global(id),
        }
    }
}
