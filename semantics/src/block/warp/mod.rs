//! Warps: the operations that threads of a warp do together.
//!
//! *Meeting* is `__syncwarp(m)`; *exchanging* is a shuffle, vote, match or reduction
//! ([`crate::algebra::operator::WarpFn`]). Among independent threads, a thread waits at either of them until every
//! lane of `m` that exists and has not ended waits with the same mask: at the same occurrence for an exchange, at any
//! `__syncwarp` otherwise. Then all of them continue in one step. An exchange orders no memory. `__activemask()` does
//! not wait: any set of lanes that stand at it may fire together, and that set is the result for each of them.
//!
//! [`arrival`] has the contribution of a thread, [`gathering`] the lanes that it waits for,
//! [`exchange`] the results of exchanges, [`together`] the step itself. Warps in lockstep are in
//! [`lockstep`].
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
