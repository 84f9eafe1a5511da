//! What transitions of the host and of streams mean for the order between host threads and
//! operations: host defects are judged by it.

use super::streams::Ticket;
use crate::algebra::value::ArrayRef;
use crate::transition::AccessMode;
use crate::transition::Actor;

/// Elements in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub array: ArrayRef,
    pub first: i64,
    pub len: u64,
    pub mode: AccessMode,
}

/// Who touches memory at the level of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toucher {
    /// A thread of the host.
    Host(Actor),
    Operation(Ticket),
}

/// What a transition means for the order between host threads and operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// `host` enqueued an operation, which begins when those of `after` have ended.
    Enqueued {
        host: Actor,
        ticket: Ticket,
        after: Vec<Ticket>,
    },
    /// `host` goes on after these have ended.
    Waited {
        host: Actor,
        tickets: Vec<Ticket>,
    },
    Touched {
        by: Toucher,
        range: Range,
    },
    /// The array was freed.
    Freed {
        by: Toucher,
        array: ArrayRef,
    },
}
