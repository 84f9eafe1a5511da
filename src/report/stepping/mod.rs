//! Stepping through a replay, forward and back. The state of the view ([`stepper`]) knows nothing
//! of a terminal; [`draw`] draws it; the command line asks for keys.

pub mod draw;
pub mod stepper;
pub mod timeline;
pub mod watch;
