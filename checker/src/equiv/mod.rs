//! Equivalence of two programs by what is seen of them: outcome sets compared through an
//! observation map.

mod comparison;
mod map;

pub use comparison::{Comparison, Difference, OutcomeSet};
pub use map::{MapError, ObservationMap};
