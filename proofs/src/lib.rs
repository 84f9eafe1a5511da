//! For all inputs and all sizes: race, divergence and bounds freedom of kernels by the two-thread
//! argument, on Z3. Over-approximates throughout: what it proves holds, what it cannot prove is
//! `Unknown` or a [`outcome::Candidate`] that somebody else replays; it never refutes.
//!
//! Sources: Betts, Chong, Donaldson, Qadeer, Thomson, *GPUVerify* (OOPSLA 2012), for the two-thread
//! reduction; Cogumbreiro, Lange, Rong, Zicarelli, *Checking Data-Race Freedom of GPU Kernels,
//! Compositionally* (CAV 2021), for access protocols and loops with barriers. `docs/proofs.md`
//! says what is over-approximated and lists the deviations by number.

mod analysis;
mod bit_functions;
mod bounds;
pub mod budget;
mod candidate;
mod contents;
mod counter_step;
mod counters;
mod courses;
mod divergence;
mod evaluate;
mod execute;
mod given_extents;
pub mod independence;
mod induction;
mod integers;
mod interval;
mod iterate;
mod launch;
#[cfg(test)]
mod lemmas;
mod liveness;
mod machine;
pub mod outcome;
pub mod prove;
mod races;
mod repeat;
pub mod request;
mod simplify;
mod small_model;
mod solve;
mod term;
mod uninitialised;
mod value;

pub use budget::Budget;
pub use contents::{Met, contents_that_meet};
pub use independence::{Independence, independent_iterations};
pub use outcome::{Candidate, ProofOutcome, ProofStatus, PropertyProof};
pub use prove::{Tell, prove_and_tell, prove_kernel};
pub use request::{ExtentTerm, FIRST_ELEMENTS, ProofRequest};
