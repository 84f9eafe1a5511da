//! A launch as a finite automaton: the explorer's compiled core.
//!
//! Control is a small number (a position in register code, calls inlined), a thread by itself is a
//! small number (its *local state*: position and live registers, found once), and a state of the
//! launch is those numbers and the cells that can be written, in flat words. A thread's visible
//! step is a look-up; the private steps behind it are taken at once.
//!
//! It has the same visible transitions as the reference semantics, with two differences in what
//! counts as one state: private steps are never states of their own, and registers that will never
//! be read again are no part of a state. Both only merge states that no continuation tells apart.
//!
//! Where the verdict depends on it, a state also keeps what is known of the order of accesses so
//! far, as a small number ([`Keeps`]).
//!
//! Host code is explored by [`crate::explore::explore_launches`], launch by launch. Not here: `__activemask()` where warps are known, named barriers of a whole block, lockstep,
//! profiles that fire sets or restrict which blocks run together.
//! [`Automaton::of`] says so.

mod barrier;
mod cells;
mod describe;
mod history;
mod launching;
mod local;
mod named;
mod reading;
mod standing;
mod state;
mod step;
mod system;
mod thread;
mod warp;

pub(crate) use describe::Numbered;
pub use history::Keeps;
pub(crate) use launching::is_fresh;
pub(crate) use local::{LocalId, Memo};
pub(crate) use standing::Standing;
pub(crate) use state::{End, FIXED, Patch, PlaceId, State, apply};
pub use step::Touch;
pub(crate) use step::{Agent, Kind, Step};
pub(crate) use system::Tables;
pub use system::{Automaton, Unfit};
