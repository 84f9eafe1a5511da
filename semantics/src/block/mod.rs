//! Level 2 of the tower: a block is a family of threads over one shared memory (paper 2, section 2.4).
//!
//! Its configuration is [`BlockState`]. Its transitions ([`moves`]) are those of its threads (level 1), of several at
//! one operator together, and those in which waiting threads continue together: barriers and the operations of warps.
//! It has finished when every thread has ended.

pub mod collective_barrier;
pub mod demanded;
pub mod literal_barrier;
pub mod moves;
pub mod named_barrier;
pub mod part;
pub mod place;
mod state;
mod transition;
pub mod warp;

pub use state::{BlockState, Gathered, positions};
