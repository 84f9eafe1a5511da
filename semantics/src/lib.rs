//! The semantics of GPU programs: Glushkov's algebra of algorithms, memory, and a tower of
//! transition systems (CPU, thread, block, grid). This crate is the reference: literal, built on
//! persistent data, never tuned for speed. It knows no other crate of the workspace.
//!
//! # Metatheory
//! What other engines lean on. Conditions, counterexamples where one is dropped, and what is tested
//! how far: `docs/metatheory.md`; the tests: `checker/tests/metatheory/`.
//! - **M1.** Under collective barriers, divergence `same-barrier`, granularity `access` and firing
//!   `one`, a canonical run without race, divergence and fault decides all schedules of its input,
//!   where the order of atomics cannot show, nothing is nondeterministic, and who takes part in a
//!   join follows from program order.
//! - **M2.** At granularity `access`, firing sets has the outcomes of firing one; at granularity
//!   `operator` it has more.
//! - **M3.** Under firing `one`, steps of different threads whose accesses do not conflict commute.
//! - **M4.** Final contents of runs without deadlock and divergence under `lockstep-warp` are final
//!   contents under `cuda`; so are those under `paper`, of programs without `__syncwarp`.

#[macro_use]
mod closed;

pub mod admission;
pub mod arbitrary;
pub mod arithmetic;
pub mod array_names;
pub mod asynchronous;
pub mod atomic_form;
pub mod barrier;
pub mod cell_expression;
pub mod cell_names;
pub mod conflict;
pub mod context;
#[cfg(feature = "coverage")]
pub mod coverage;
pub mod definite_assignment;
pub mod device_limits;
pub mod device_transition;
pub mod elementary;
pub mod eval;
pub mod expr;
pub mod fault;
pub mod grid;
pub mod grid_barrier;
pub mod happening;
pub mod host;
mod host_memory;
pub mod host_threads;
pub mod launch_axes;
pub mod loops;
pub mod memory;
pub mod merge;
pub mod moves;
pub mod named_barrier;
pub mod observation;
pub mod operator;
pub mod premises;
pub mod print;
pub mod profile;
pub mod program;
pub mod residual;
pub mod rules;
pub mod setup;
pub mod source_names;
pub mod span;
pub mod stream_operator;
pub mod streams;
pub mod system;
pub mod thread;
pub mod transition;
pub mod types;
pub mod value;
pub mod view;
pub mod warp;
pub mod well_formed;
