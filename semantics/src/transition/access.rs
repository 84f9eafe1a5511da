//! Accesses to memory, as labels have them.

use super::actor::Actor;
use crate::algebra::operator::OpId;
use crate::algebra::value::ArrayRef;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccessMode {
    Read,
    Write,
    Atomic,
    /// A compare-and-swap that fails: it reads, atomically, and writes nothing (C11, 7.17.7.4; OpenCL C
    /// 3.0, 6.15.12.7.4).
    AtomicRead,
}

impl AccessMode {
    pub const fn is_atomic(self) -> bool {
        matches!(self, AccessMode::Atomic | AccessMode::AtomicRead)
    }

    pub const fn reads_only(self) -> bool {
        matches!(self, AccessMode::Read | AccessMode::AtomicRead)
    }
}

/// One access to memory that other threads could reach, at one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Access {
    pub actor: Actor,
    pub array: ArrayRef,
    /// In elements.
    pub index: i64,
    pub mode: AccessMode,
    pub op: OpId,
}
