//! The CPU and its device, `S_gc` (paper 2, sections 2.3 and 2.6): the uppermost level of the tower.
//!
//! Its configuration is [`State`]: the threads of the CPU, which run R1 to R5 (level 1), the device's memory, the
//! launch in progress (level 3), and what has been enqueued in streams. While a launch is in progress the CPU does
//! not move, so its memory does not change. It is final when the CPU's thread has ended and the device is idle.
//!
//! R8: CPU head `call_gpu(P, block, grid)`, device idle: the device holds the initial state of
//! the grid; the CPU's head stays.
//! R9: CPU head `call_gpu(…)`, device final: the head is removed and the device is idle; the
//! device's memory stays.
//!
//! While a launch is in progress the CPU does not move, so its memory does not change. With
//! streams, launches are operations of a stream: see [`crate::host::asynchronous`].

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
