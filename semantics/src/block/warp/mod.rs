//! Warps: the operations that threads of a warp do together.
//!
//! *Meeting* is `__syncwarp(m)`; *exchanging* is a shuffle, vote, match or reduction
//! ([`crate::algebra::operator::WarpFn`]). Among independent threads a thread waits at either until every
//! lane of `m` that exists and has not ended waits with the same mask, at the same occurrence for
//! an exchange, at whichever `__syncwarp` otherwise; then all of them go on in one step. An
//! exchange orders no memory. `__activemask()` waits for nobody: any set of lanes that stand at
//! it may fire together, and each of them is told that set.
//!
//! What a thread brings is in [`arrival`], who waits for whom in [`gathering`], what an exchange
//! gives in [`exchange`], the step itself in [`together`]. Warps in lockstep are in [`lockstep`].
//!
//! Sources: CUDA C++ Programming Guide, *Warp Vote*, *Warp Match*, *Warp Reduce* and *Warp
//! Shuffle Functions*; PTX ISA, `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`,
//! `bar.warp.sync`.

pub mod active;
pub mod arrival;
pub mod exchange;
pub mod gathering;
pub mod lockstep;
pub mod state;
pub mod together;

pub use arrival::{Operation, mask_of};
pub use gathering::Gathering;
