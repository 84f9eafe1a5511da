//! Accesses to memory, as labels record them.

use super::actor::Actor;
use crate::algebra::operator::OpId;
use crate::algebra::value::ArrayRef;
use serde::{Deserialize, Serialize};

/// How a location is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccessMode {
    /// A plain load.
    Read,
    /// A plain store.
    Write,
    /// An atomic that reads and writes in one step.
    Atomic,
    /// A compare-and-swap that fails: it reads, atomically, and writes nothing (C11, 7.17.7.4; OpenCL C
    /// 3.0, 6.15.12.7.4).
    AtomicRead,
}

impl AccessMode {
    /// Whether it is made by an atomic, be it one that only reads.
    pub const fn is_atomic(self) -> bool {
        matches!(self, AccessMode::Atomic | AccessMode::AtomicRead)
    }

    /// Whether it leaves the location as it is.
    pub const fn reads_only(self) -> bool {
        matches!(self, AccessMode::Read | AccessMode::AtomicRead)
    }
}

/// One access to memory that other threads could reach, at one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    /// The actor that made it.
    pub actor: Actor,
    /// In which array; shared and private ones are those of the actor.
    pub array: ArrayRef,
    /// In elements.
    pub index: i64,
    /// The kind of access.
    pub mode: AccessMode,
    /// The operator that made it.
    pub op: OpId,
}
