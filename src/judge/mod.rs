//! What is said of a program, or of two, from the runs of some configurations and the proofs for all: `check`,
//! `equivalence`, the conditions under which a kernel is right, and the judgement of mutants.

pub mod check;
pub mod equivalence;
pub mod mutation;
pub mod overall;
mod question;
pub mod what_must_hold;
