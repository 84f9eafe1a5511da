//! Faults: what ends a run because the program did something it must not do. A fault is a result,
//! never an error of the tool. Races are no faults: they do not end a run.

use super::access::AccessMode;
use super::actor::Actor;
use crate::algebra::declaration::Space;
use crate::algebra::expr::{Expr, ExprKind, MathFn};
use crate::algebra::ids::VarId;
use crate::algebra::operator::OpId;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where a thread stands at a barrier.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadPosition {
    /// The thread.
    pub actor: Actor,
    /// The barrier it waits at, or the operator it would run next; `None` when it has ended.
    pub op: Option<OpId>,
    /// It ended by an explicit `return` (only when `op` is `None`).
    pub returned: bool,
}

/// What a program must not do.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum FaultKind {
    /// An index below 0 or from the extent on.
    OutOfBounds {
        /// Name of the array.
        array: Arc<str>,
        /// Where the array lives.
        space: Space,
        /// In elements.
        index: i64,
        /// In elements.
        extent: u64,
        /// How it was accessed.
        mode: AccessMode,
    },
    /// An access through the null pointer.
    NullPointer {
        /// How memory was to be accessed.
        mode: AccessMode,
    },
    /// A store or an atomic to constant memory.
    ConstantWrite {
        /// Name of the array.
        array: Arc<str>,
        /// In elements.
        index: i64,
    },
    /// A byte count or a byte offset that is no whole number of elements, or an access at
    /// another element type than the array's.
    Misaligned {
        /// Name of the array.
        array: Arc<str>,
    },
    /// A cell was read that was never written.
    UninitialisedRead {
        /// Name of the array.
        array: Arc<str>,
        /// Where the array lives.
        space: Space,
        /// In elements.
        index: i64,
    },
    /// A private variable was used that has no value.
    UnsetVariable {
        /// Of the procedure that the thread runs.
        var: VarId,
    },
    /// The host uses a stream or an event that it has destroyed.
    DeadHandle {
        /// What it is, with its number: `stream 1`.
        handle: Arc<str>,
        /// It is destroyed once more.
        again: bool,
    },
    /// The host chooses a device that is not there.
    NoSuchDevice {
        /// The number it gives.
        device: i64,
    },
    /// Of integers; floats have infinities.
    DivisionByZero,
    /// `MIN / -1`, a shift by the width or more, a float out of the integer's range.
    UndefinedArithmetic,
    /// An assertion's condition is false.
    AssertionFailed,
    /// An access of several elements at once through a pointer that is no multiple of them.
    MisalignedAccess,
    /// A run reached a part that was left out of the program ([`crate::algebra::operator::Basic::Beyond`]), or a
    /// device accessed page-locked memory of the host. This is not a defect of the program: nothing is known about
    /// the rest of the run.
    Beyond,
    /// `reason` says which number is refused and why.
    InvalidLaunch {
        /// Names the number that is refused, and the limit.
        reason: String,
    },
    /// Threads wait at a barrier that others will never reach.
    BarrierDivergence {
        /// Of all threads that the barrier is one of.
        positions: Vec<ThreadPosition>,
    },
    /// A warp operation whose mask does not fit. Without the caller's own lane in it, nothing
    /// else is wrong: `missing` is 0.
    BadWarpMask {
        /// The mask of the caller.
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
        /// The width asked for.
        width: i64,
    },
    /// Lanes of a warp exchange values, or are asked for, where the profile knows no warps.
    NoWarps,
    /// A named barrier with a number or a count of threads that no barrier has, or that differs
    /// from what others wait there for. `reason` says which.
    BadBarrier {
        /// A sentence without a full stop.
        reason: String,
    },
    /// The host read device memory, or the device host memory.
    WrongMemory {
        /// Name of the array.
        array: Arc<str>,
        /// Where the array lives.
        space: Space,
    },
    /// Memory that was freed, or a stream or an event that was destroyed, is used.
    UseAfterFree {
        /// Name of the array; `stream n` or `event n`.
        array: Arc<str>,
        /// Where the array lives.
        space: Space,
    },
    /// Memory, a stream or an event is freed or destroyed a second time.
    DoubleFree {
        /// Name of the array; `stream n` or `event n`.
        array: Arc<str>,
        /// Where the array lives.
        space: Space,
    },
}

/// A fault, with the actor and the operator that ran into it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The actor that ran into it.
    pub actor: Actor,
    /// The operator that was to run.
    pub op: OpId,
}

impl FaultKind {
    /// The fault of asserting `cond` where it is false.
    pub fn of_assertion(cond: &Expr) -> FaultKind {
        match cond.kind {
            ExprKind::Math(MathFn::Aligned(_), _) => FaultKind::MisalignedAccess,
            _ => FaultKind::AssertionFailed,
        }
    }
}

/// The fault of a thread that reaches a grid barrier in an ordinary launch.
pub fn not_cooperative() -> FaultKind {
    FaultKind::InvalidLaunch {
        reason: "a kernel that synchronises its grid must be launched with \
                 cudaLaunchCooperativeKernel"
            .to_owned(),
    }
}
