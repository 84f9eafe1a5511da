//! What is known, after one access, about the threads ordered behind it.

use crate::system::footprint::MemoryPlace;
use gridlock_semantics::algebra::operator::OpId;
use serde::{Deserialize, Serialize};

/// How far a fence reaches.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub enum Width {
    #[default]
    None,
    Block,
    Device,
}

/// The fences that would make a thread ordered behind an access: before a releasing atomic, after
/// an acquiring one.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Missing {
    pub before: Option<OpId>,
    pub after: Option<OpId>,
}

/// A release read, which a fence turns into order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Heard {
    /// Block of the releasing thread.
    pub block: u32,
    /// Both atomics and the releasing fence reach across blocks.
    pub wide: bool,
}

/// One thread's relation to an access. Threads that know nothing of it have no entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Known {
    pub thread: u32,
    /// `None`: what the thread does now happens after the access. Otherwise it has only heard of
    /// it through atomics, and these fences are missing.
    pub missing: Option<Missing>,
    /// The widest fence passed since it was ordered.
    pub fenced: Width,
    /// Proper releases read since the last fence; sorted. Empty once ordered.
    pub heard: Vec<Heard>,
    /// It, or a thread it has met at a barrier of the block since, has heard of a proper release:
    /// where the profile lets that barrier stand in for the fence, its volatile reads are ordered.
    /// False once ordered, and where the profile does not.
    pub met: bool,
}

impl Known {
    pub fn ordered(thread: u32) -> Known {
        Known {
            thread,
            missing: None,
            fenced: Width::None,
            heard: Vec::new(),
            met: false,
        }
    }

    /// Whether a fence that reaches all threads is all that is missing for the thread, of `block`, to
    /// be ordered.
    pub fn has_heard(&self, block: u32) -> bool {
        self.heard.iter().any(|h| h.block == block || h.wide)
    }

    pub fn is_ordered(&self) -> bool {
        self.missing.is_none()
    }

    /// From now on the thread is ordered.
    pub fn order(&mut self) {
        if self.missing.is_some() {
            *self = Known::ordered(self.thread);
        }
    }
}

/// An atomic write, or a chain of read-modify-writes that began with one, by a thread that knows
/// of the access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Release {
    pub place: MemoryPlace,
    /// Block of the thread that released.
    pub block: u32,
    /// The releasing fence and atomic reach across blocks.
    pub wide: bool,
    /// The last read-modify-write of the chain reaches across blocks; its block where it does not.
    pub link: Option<u32>,
    /// `None`: a proper release. Otherwise fences are missing for it to be one.
    pub missing: Option<Missing>,
}

impl Release {
    /// Whether an atomic of `block`, `wide` or not, that reads the end of the chain and it are of
    /// sufficient scope for each other.
    pub fn is_read_by(&self, block: u32, wide: bool) -> bool {
        match self.link {
            None => wide,
            Some(own) => own == block,
        }
    }
}
