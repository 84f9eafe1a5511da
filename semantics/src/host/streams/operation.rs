//! Streams, events, and operations in them.

use crate::algebra::ids::ProcId;
use crate::algebra::operator::{AllocSpace, CopyKind, OpId};
use crate::algebra::value::{Pointer, Value};
use crate::setup::Launch;
use crate::transition::Actor;

/// An operation's place in the order in which operations were enqueued.
pub type Ticket = u32;

/// A stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StreamId {
    /// The legacy default stream of a device.
    Default(u32),
    /// The stream with this handle, counting from 1.
    Created(u32),
    /// The default stream of a device that belongs to the host thread the program begins with.
    PerThread(u32),
}

impl StreamId {
    /// The actor of a transition in which the oldest operation of the stream runs.
    pub fn actor(self) -> Actor {
        match self {
            StreamId::Default(device) => Actor::DefaultStream(device),
            StreamId::Created(handle) => Actor::Stream(handle),
            StreamId::PerThread(device) => Actor::PerThreadStream(device),
        }
    }

    /// The stream an actor is, if it is one.
    pub fn of_actor(actor: Actor) -> Option<StreamId> {
        match actor {
            Actor::DefaultStream(device) => Some(StreamId::Default(device)),
            Actor::Stream(handle) => Some(StreamId::Created(handle)),
            Actor::PerThreadStream(device) => Some(StreamId::PerThread(device)),
            _ => None,
        }
    }
}

/// What an operation does, its operands evaluated when it was enqueued.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// As [`copy`](crate::thread::copy) makes it.
    Copy {
        /// A direction, never [`CopyKind::Default`].
        kind: CopyKind,
        /// Where the first element goes.
        dst: Pointer,
        /// Where the first element comes from.
        src: Pointer,
        /// A whole number of elements.
        bytes: u64,
    },
    /// Frees the memory that the pointer points to.
    Free {
        /// To the first element.
        pointer: Pointer,
        /// The kind of memory that the call gives back.
        space: AllocSpace,
    },
    /// R8, and R9 when it has ended.
    Launch {
        /// What each thread runs.
        kernel: ProcId,
        /// Its shape, which the device accepts.
        launch: Launch,
        /// One for each parameter of the kernel.
        args: Vec<Value>,
        /// All blocks are resident together.
        cooperative: bool,
    },
}

/// An operation that was enqueued and has not ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    /// Whose operation it is.
    pub stream: StreamId,
    /// The host operator that enqueued it.
    pub op: OpId,
    /// The operations that must have ended before it may begin. Ascending.
    pub after: Vec<Ticket>,
    /// What it does.
    pub work: Work,
}

/// A stream that the host has made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stream {
    /// The device whose operations it takes.
    pub device: u32,
    /// A non-blocking stream, for which the default stream does not wait.
    pub non_blocking: bool,
    /// What the next operation waits for. Ascending.
    pub frontier: Vec<Ticket>,
    /// The operator that made it.
    pub op: OpId,
    /// It was destroyed.
    pub destroyed: bool,
}

/// An event that the host has made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The work captured last.
    pub recorded: Vec<Ticket>,
    /// The operator that made it.
    pub op: OpId,
    /// It was destroyed.
    pub destroyed: bool,
}
