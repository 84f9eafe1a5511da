//! What is said of a program, or of two, from the runs of some configurations and the proofs for all: `check`,
//! `equivalence`, the `preconditions` of a kernel, and the judgement of mutants.

pub mod check;
pub mod equivalence;
pub mod mutation;
pub mod overall;
mod pointer_premises;
pub mod preconditions;
mod question;
pub mod summary;
