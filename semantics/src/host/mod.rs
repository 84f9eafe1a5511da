//! The uppermost level of the tower: the CPU and its device, `S_gc` (paper 2, sections 2.3 and 2.6).
//!
//! Its configuration is [`State`]: the threads of the CPU, the memory, what has been enqueued in streams, and the
//! launch in progress (level 3). Its [`transitions`] are
//! - R1 to R5 of each thread of the CPU (level 1), whose operators `copy_gpu` and `copy_back` reach the device's memory;
//! - R8 and R9, which begin and end a launch ([`launch`]), and between them those of the launch in progress, while
//!   the CPU does not move;
//! - beyond the paper, calls and operations of streams ([`asynchronous`]), and fork and join of `PAR` ([`par`]).
//!
//! It is final when the CPU's thread has ended, the device is idle and nothing is left in streams; or, where a kernel
//! is run on its own, when its grid is final.

pub mod asynchronous;
pub mod happening;
mod label;
pub mod launch;
mod launch_end;
pub mod par;
mod state;
pub mod streams;
pub mod transitions;

pub use state::State;
