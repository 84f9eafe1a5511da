//! The semantics of GPU programs: Glushkov's algebra of algorithms, memory, and a tower of
//! transition systems (CPU, thread, block, grid). This crate is the reference: literal, built on
//! persistent data, never tuned for speed. It knows no other crate of the workspace.
//!
//! Beside the paper, read [`algebra`] (section 2.1), [`transition`] (2.2), and the levels of the tower: [`thread`]
//! (2.2), [`block`] (2.4), [`grid`] (2.5) and [`host`] (2.3 and 2.6). Each rule is one file there, whose head has its
//! formula, its premises and its effect. They build on [`evaluation`], [`memory`] and [`setup`]; [`system`] makes one
//! transition system of a program.
//!
//! # Metatheory
//! The theorems that other engines rely on. `docs/metatheory.md` has their conditions,
//! counterexamples for each condition that is dropped, and the extent of the tests, which are in
//! `checker/tests/metatheory/`.
//! - **M1.** Under collective barriers, divergence `same-barrier`, granularity `access` and firing
//!   `one`, a canonical run without race, divergence and fault decides all schedules of its input,
//!   provided that the order of atomics has no observable effect, nothing is nondeterministic, and
//!   the participants of a join follow from program order.
//! - **M2.** At granularity `access`, firing sets has the outcomes of firing one; at granularity
//!   `operator` it has more.
//! - **M3.** Under firing `one`, steps of different threads whose accesses do not conflict commute.
//! - **M4.** Final contents of runs without deadlock and divergence under `lockstep-warp` are final
//!   contents under `cuda`; so are those under `paper`, of programs without `__syncwarp`.

#![warn(missing_docs)]

#[macro_use]
mod closed;

pub mod algebra;
pub mod analysis;
pub mod atomic_form;
pub mod block;
pub mod evaluation;
pub mod grid;
pub mod host;
pub mod memory;
pub mod print;
pub mod profile;
pub mod setup;
pub mod system;
pub mod thread;
pub mod transition;
pub mod well_formed;
