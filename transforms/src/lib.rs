//! Terms, rules, strategies and the library of transformations (papers 1 and 2, in the manner of
//! TermWare). A transformation proposes a program; whether it still does what the original did is
//! judged elsewhere, never assumed here.

pub mod analysis;
pub mod apply;
pub mod conversion;
pub mod display;
pub mod term;
