//! What orders the accesses of a run, and which conflict: happens-before, of the device and of the
//! host, what a state remembers of it, and what a machine that is not sequentially consistent may do.

mod along;
mod conflict;
pub mod happens_before;
pub mod host_order;
mod remembering;
pub mod synchronisation;

pub use along::races_along;
pub(crate) use along::{launches_talk, races_of};
pub(crate) use conflict::conflict;
pub(crate) use remembering::Past;
pub use remembering::Remembering;
