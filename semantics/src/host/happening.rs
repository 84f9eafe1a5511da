//! What transitions of the host and of streams mean for the order between host threads and
//! operations: host defects are judged by it.

use super::streams::Ticket;
use crate::algebra::value::ArrayRef;
use crate::transition::AccessMode;
use crate::transition::Actor;

/// Elements in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// What they are elements of.
    pub array: ArrayRef,
    /// Index of the first.
    pub first: i64,
    /// How many.
    pub len: u64,
    /// Whether they are read or written.
    pub mode: AccessMode,
}

/// Who touches memory at the level of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toucher {
    /// A thread of the host.
    Host(Actor),
    /// An operation of a stream.
    Operation(Ticket),
}

/// What a transition means for the order between host threads and operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// `host` enqueued an operation, which begins when those of `after` have ended.
    Enqueued {
        /// The thread that enqueued it.
        host: Actor,
        /// The operation.
        ticket: Ticket,
        /// What must have ended before it begins.
        after: Vec<Ticket>,
    },
    /// `host` goes on after these have ended.
    Waited {
        /// The thread that waited.
        host: Actor,
        /// What has ended.
        tickets: Vec<Ticket>,
    },
    /// Elements were read or written.
    Touched {
        /// Who did.
        by: Toucher,
        /// Which elements, and how.
        range: Range,
    },
    /// The array was freed.
    Freed {
        /// Who freed it.
        by: Toucher,
        /// What was freed.
        array: ArrayRef,
    },
}
