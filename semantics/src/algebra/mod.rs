//! Glushkov's algebra of algorithms over a domain of GPU programs: operators, expressions and values, and the
//! programs made of them. What running a program means is defined elsewhere.

pub mod cell_names;
pub mod declaration;
pub mod described_cells;
pub mod elementary;
pub mod expr;
pub mod ids;
pub mod operator;
pub mod program;
pub mod span;
pub mod types;
pub mod value;
