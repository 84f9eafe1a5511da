//! What a data race is (`race`): two accesses of a run that conflict (`conflict`) and that happens-before
//! does not order, on the device (`happens_before`) or among operations of the host (`host_order`, which
//! keeps what was used in `host_uses`). Beside it, what a state remembers of that order, and what a machine that is not
//! sequentially consistent may do.

mod along;
mod conflict;
pub mod happens_before;
pub(crate) mod host_order;
mod host_uses;
pub mod race;
mod remembering;
pub mod synchronisation;

pub use along::{Along, races_along};
pub(crate) use along::{launches_talk, races_of};
pub(crate) use conflict::{conflict, conflict_unless};
pub(crate) use remembering::Past;
pub use remembering::Remembering;
