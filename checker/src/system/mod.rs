//! The explored program: a program, a setup and a profile as a transition system, what every engine
//! asks of it, and one run of it followed.

mod acting;
pub(crate) mod array_name;
mod cycle_watch;
mod explorable;
pub(crate) mod fingerprint;
pub mod follow;
pub mod footprint;
mod present;
mod program;
mod reach;

pub use acting::actor_text;
pub(crate) use acting::{acting, label_text};
pub(crate) use cycle_watch::CycleWatch;
pub use explorable::{DeviceShape, Explorable, Threadwise, WarpWait};
pub(crate) use present::{present, unstarted};
pub use program::ExploredProgram;
