//! The semantics of GPU programs: Glushkov's algebra of algorithms, memory, and a tower of
//! transition systems (CPU, thread, block, grid). This crate is the reference: literal, built on
//! persistent data, never tuned for speed. It knows no other crate of the workspace.

pub mod expr;
pub mod fault;
pub mod loops;
pub mod observation;
pub mod operator;
pub mod print;
pub mod profile;
pub mod program;
pub mod setup;
pub mod span;
pub mod transition;
pub mod types;
pub mod value;
