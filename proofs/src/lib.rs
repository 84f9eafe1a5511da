//! For all inputs and all sizes: race, divergence and bounds freedom of kernels by the two-thread
//! argument, on Z3. Over-approximates throughout: what it proves holds, what it cannot prove is
//! `Unknown` or a [`Candidate`] that the checker replays; it never refutes.
//!
//! Sources: Betts, Chong, Donaldson, Qadeer, Thomson, *GPUVerify* (OOPSLA 2012), for the two-thread
//! reduction; Cogumbreiro, Lange, Rong, Zicarelli, *Checking Data-Race Freedom of GPU Kernels,
//! Compositionally* (CAV 2021), for access protocols and loops with barriers. `docs/proofs.md`
//! says what is over-approximated and lists the deviations by number.

#![warn(missing_docs)]

mod counters;
pub mod independence;
pub mod kernel;
#[cfg(test)]
mod lemmas;
mod machine;
mod reals;
pub mod solver;
pub mod summary;
mod symbolic_run;
mod terms;

pub use independence::{Independence, independent_iterations};
pub use kernel::contents::{Met, contents_that_meet};
pub use kernel::outcome::{Candidate, ProofOutcome, ProofStatus, PropertyProof};
pub use kernel::prove::{Tell, prove_and_tell, prove_kernel};
pub use kernel::request::{ExtentTerm, ProofRequest};
pub use solver::budget::Budget;
pub use symbolic_run::{all_sizes, defects, equivalence, left};
