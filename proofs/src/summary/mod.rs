//! What a launch leaves in memory, as formulas over its inputs: of each cell that it writes one, and one for all cells
//! that are alike, as in `out[i] = Σ in[64 * i + j] for j in 0..=63`.
//!
//! The run on unknown inputs gives a term for each cell (`symbolic_run`). A term becomes a [`Formula`], in which
//! sums and products of many alike operands are folded; formulas of neighbouring cells become one whose numbers hang on
//! the number of the cell. Whatever is folded is unfolded again and compared, before it is taken.

mod alike;
mod chain;
mod formula;
mod grouped;
mod kind;
mod made;
mod of_term;
mod text;
mod unrolled;

pub use formula::{Affine, Formula, Many, Operator, Order, Part, Range, Variable};
pub use made::{ArraySummary, CellGroup, Summary, SummaryRequest, summary};
