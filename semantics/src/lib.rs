//! The semantics of GPU programs: Glushkov's algebra of algorithms, memory, and a tower of
//! transition systems (CPU, thread, block, grid). This crate is the reference: literal, built on
//! persistent data, never tuned for speed. It knows no other crate of the workspace.

pub mod arithmetic;
pub mod atomic_form;
pub mod definite_assignment;
pub mod device_limits;
pub mod eval;
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
pub mod well_formed;
