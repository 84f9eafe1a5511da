//! Faults: what ends a run because the program did something it must not do. A fault is a result,
//! never an error of the tool. Races are no faults: they do not end a run.

use super::access::AccessMode;
use super::actor::Actor;
use crate::algebra::declaration::Space;
use crate::algebra::expr::{Expr, ExprKind, MathFn};
use crate::algebra::operator::OpId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where a thread stands at a barrier.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadPosition {
    pub actor: Actor,
    /// The barrier it waits at, or the operator it would run next; `None` when it has ended.
    pub op: Option<OpId>,
    /// It ended by an explicit `return` (only when `op` is `None`).
    pub returned: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum FaultKind {
    OutOfBounds {
        array: Arc<str>,
        space: Space,
        /// In elements.
        index: i64,
        extent: u64,
        mode: AccessMode,
    },
    NullPointer {
        mode: AccessMode,
    },
    ConstantWrite {
        array: Arc<str>,
        index: i64,
    },
    /// A byte count or a byte offset that is no whole number of elements, or an access at
    /// another element type than the array's.
    Misaligned {
        array: Arc<str>,
    },
    UninitialisedRead {
        /// Empty for a private variable.
        array: Arc<str>,
        space: Space,
        index: i64,
    },
    DivisionByZero,
    /// `MIN / -1`, a shift by the width or more, a float out of the integer's range.
    UndefinedArithmetic,
    AssertionFailed,
    /// An access of several elements at once through a pointer that is no multiple of them.
    MisalignedAccess,
    /// A run came to what was left out of the program ([`crate::algebra::operator::Basic::Beyond`]), or a device to
    /// page-locked memory of the host. No defect of the program: nothing is known of the run.
    Beyond,
    /// `reason` says which number is refused and why.
    InvalidLaunch {
        reason: String,
    },
    /// Threads wait at a barrier that others will never reach.
    BarrierDivergence {
        positions: Vec<ThreadPosition>,
    },
    /// A warp operation whose mask does not fit. Without the caller's own lane in it, nothing
    /// else is wrong: `missing` is 0.
    BadWarpMask {
        mask: u32,
        /// The caller's lane.
        #[serde(default)]
        lane: u32,
        /// The lanes it names that will not meet it: they wait elsewhere, or with another mask.
        #[serde(default)]
        missing: u32,
        /// The mask of the lowest of these that waits with another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        other: Option<u32>,
    },
    /// The width of a shuffle is no power of two up to the size of a warp.
    BadWarpWidth {
        width: i64,
    },
    /// Lanes of a warp exchange values, or are asked for, where the profile knows no warps.
    NoWarps,
    /// A named barrier with a number or a count of threads that no barrier has, or that differs
    /// from what others wait there for. `reason` says which.
    BadBarrier {
        reason: String,
    },
    /// The host read device memory, or the device host memory.
    WrongMemory {
        array: Arc<str>,
        space: Space,
    },
    UseAfterFree {
        array: Arc<str>,
        space: Space,
    },
    DoubleFree {
        array: Arc<str>,
        space: Space,
    },
}

/// A fault, who ran into it and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fault {
    pub kind: FaultKind,
    pub actor: Actor,
    pub op: OpId,
}

impl FaultKind {
    /// What it is to assert `cond` where it is false.
    pub fn of_assertion(cond: &Expr) -> FaultKind {
        match cond.kind {
            ExprKind::Math(MathFn::Aligned(_), _) => FaultKind::MisalignedAccess,
            _ => FaultKind::AssertionFailed,
        }
    }
}

/// The fault of a thread that comes to a grid barrier in an ordinary launch.
pub fn not_cooperative() -> FaultKind {
    FaultKind::InvalidLaunch {
        reason: "a kernel that synchronises its grid must be launched with \
                 cudaLaunchCooperativeKernel"
            .to_owned(),
    }
}
