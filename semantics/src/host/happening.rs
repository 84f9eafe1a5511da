//! The effect of host and stream transitions on the order between host threads and operations, from
//! which host defects are found.

use super::streams::Ticket;
use crate::algebra::value::ArrayRef;
use crate::transition::AccessMode;
use crate::transition::Actor;

/// A range of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The array that they belong to.
    pub array: ArrayRef,
    /// Index of the first.
    pub first: i64,
    /// How many.
    pub len: u64,
    /// Whether they are read or written.
    pub mode: AccessMode,
}

/// A thread of the host or an operation that accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toucher {
    /// A thread of the host.
    Host(Actor),
    /// An operation of a stream.
    Operation(Ticket),
}

/// The effect of a transition on the order between host threads and operations.
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
    /// `host` continues after these have ended.
    Waited {
        /// The thread that waited.
        host: Actor,
        /// What has ended.
        tickets: Vec<Ticket>,
    },
    /// Elements were read or written.
    Touched {
        /// The thread or operation that accessed them.
        by: Toucher,
        /// Which elements, and how.
        range: Range,
    },
    /// The array was freed.
    Freed {
        /// The thread or operation that freed it.
        by: Toucher,
        /// What was freed.
        array: ArrayRef,
    },
}
