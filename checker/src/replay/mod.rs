//! Replay: the only way from a finding to a defect, and from a witness file to a run one can
//! read. It runs the reference semantics, whatever engine made the finding.

mod confirmed;
mod error;
mod step;

pub use confirmed::Confirmed;
pub use error::ReplayError;
pub use step::{AccessSeen, Replay, ReplayStep};
