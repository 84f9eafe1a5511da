//! The semantics of GPU programs: Glushkov's algebra of algorithms, memory, and a tower of
//! transition systems (CPU, thread, block, grid). This crate is the reference: literal, built on
//! persistent data, never tuned for speed. It knows no other crate of the workspace.

#[macro_use]
mod closed;

pub mod admission;
pub mod arithmetic;
pub mod asynchronous;
pub mod atomic_form;
pub mod barrier;
pub mod context;
#[cfg(feature = "coverage")]
pub mod coverage;
pub mod definite_assignment;
pub mod device_limits;
pub mod device_transition;
pub mod eval;
pub mod expr;
pub mod fault;
#[cfg(feature = "generate")]
pub mod generate;
pub mod grid;
pub mod host;
mod host_memory;
pub mod host_threads;
pub mod loops;
pub mod memory;
pub mod merge;
pub mod moves;
pub mod observation;
pub mod operator;
pub mod premises;
pub mod print;
pub mod profile;
pub mod program;
pub mod residual;
pub mod rules;
pub mod setup;
pub mod span;
pub mod streams;
pub mod system;
pub mod thread;
pub mod transition;
pub mod types;
pub mod value;
pub mod view;
pub mod warp;
pub mod well_formed;
