//! Level 3 of the tower: a grid is a family of blocks over the memory of the device (paper 2, section 2.5).
//!
//! Its configuration is [`Device`]: the blocks of one launch ([`GridState`]) and the memory they share. Its
//! transitions are sets of moves of blocks, as far as the scheduling of blocks admits ([`moves`]), performed from one
//! memory and combined by [`merge`] ([`transition`]), and the barrier of the grid ([`barrier`]). It is final when
//! every block has finished.

pub mod alone;
pub mod barrier;
pub mod meetings;
pub mod merge;
pub mod moves;
pub mod start;
mod state;
pub mod transition;

pub use state::{Device, GridState};
