//! Equivalence of two programs by what is seen of them: outcome sets compared through an
//! observation map. `T` refines `S` if everything `T` may do `S` may do; they are equivalent if
//! both refine each other. Every element either side observes is compared; one that only one side
//! has is a difference.

mod comparison;
mod differences;
mod evaluate;
mod filled;
mod identity;
mod map;
mod parse;
mod relate;
mod sides;

pub use comparison::{
    CompareOptions, Comparison, Difference, Modulo, OutcomeSet, compare_outcomes,
};
pub use filled::Filled;
pub use map::{MapError, ObservationMap, Range, Relation, Side, Term, TermOp};
pub use relate::Unrelated;
pub use sides::NamesOfSides;
