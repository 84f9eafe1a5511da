//! How a run ends before its time.

use super::fault::Fault;
use std::sync::Arc;

/// How a run has ended before its time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The program ran into a fault.
    Fault(Arc<Fault>),
    /// An assumption failed: the run does not count.
    Discarded,
}
