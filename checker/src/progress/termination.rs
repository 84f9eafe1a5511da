//! Whether every run ends.

use crate::finding::{Finding, Statistics};

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Every run that the guarantee allows ends, if only in a fault.
    Ends,
    /// Some run that it allows goes on for ever.
    Livelock(Finding),
    /// No run goes on for ever, but some end where no actor can move.
    Deadlock,
    /// A limit was reached, in words; nothing is claimed.
    Cut(String),
}

/// An answer, and what it took.
#[derive(Clone, Debug)]
pub struct TerminationSearch {
    /// Whether every run ends.
    pub answer: Termination,
    /// What the search took.
    pub statistics: Statistics,
}
