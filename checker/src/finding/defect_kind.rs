//! Kinds of defects.

use crate::verdict::Property;
use gridlock_semantics::transition::fault::FaultKind;
use serde::{Deserialize, Serialize};

/// Kinds of defects; the names are part of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefectKind {
    /// Two accesses that conflict, and that happens-before leaves unordered.
    DataRace,
    /// Threads wait at a barrier that others will never reach.
    BarrierDivergence,
    /// A warp operation names lanes that will not meet it, or not the caller's own.
    BadWarpMask,
    /// The width of a shuffle is no power of two up to the size of a warp.
    BadWarpWidth,
    /// An operation of warps where the profile knows none.
    NoWarps,
    /// A named barrier with a number or a count of threads that no barrier has, or other than what
    /// others wait there for.
    BadBarrier,
    /// Some actor has not finished, and no actor can move.
    Deadlock,
    /// A run that the progress guarantee allows goes on for ever.
    Livelock,
    /// An index outside of its array.
    OutOfBounds,
    /// An access through a null pointer.
    NullPointer,
    /// A write to constant memory.
    ConstantWrite,
    /// A byte count or a byte offset that is no whole number of elements, or an access at another
    /// element type than the array's.
    Misaligned,
    /// A read of a cell or a variable that was never written.
    UninitialisedRead,
    /// An integer divided by zero.
    DivisionByZero,
    /// Arithmetic that C leaves undefined: `MIN / -1`, a shift by the width or more, a float out of
    /// the integer's range.
    UndefinedArithmetic,
    /// An `assert` whose condition is false.
    Assertion,
    /// An access of several elements at once, as through a `float4 *`, where none may begin.
    MisalignedAccess,
    /// A run came to what was left out of the program. Never a defect, and never reported as one: why
    /// nothing is decided. Not among [`DefectKind::ALL`].
    Beyond,
    /// A launch that the device refuses.
    InvalidLaunch,
    /// The new program does something the old one never does.
    NotEquivalent,
    /// The host uses memory that an operation it has not waited for uses.
    StaleData,
    /// Operations of streams that nothing orders use one buffer.
    UnorderedStreams,
    /// The host reaches into device memory, or the device into host memory.
    WrongMemory,
    /// An access to memory that was given back.
    UseAfterFree,
    /// Memory that is given back twice.
    DoubleFree,
    /// Memory, a stream or an event that a finished host program never gave back.
    Leak,
}

impl DefectKind {
    /// Every kind that is reported, in the order of the declaration.
    pub const ALL: [DefectKind; 25] = {
        use DefectKind::*;
        [
            DataRace,
            BarrierDivergence,
            BadWarpMask,
            BadWarpWidth,
            NoWarps,
            BadBarrier,
            Deadlock,
            Livelock,
            OutOfBounds,
            NullPointer,
            ConstantWrite,
            Misaligned,
            UninitialisedRead,
            DivisionByZero,
            UndefinedArithmetic,
            Assertion,
            MisalignedAccess,
            InvalidLaunch,
            NotEquivalent,
            StaleData,
            UnorderedStreams,
            WrongMemory,
            UseAfterFree,
            DoubleFree,
            Leak,
        ]
    };

    /// The property a defect of this kind refutes.
    pub const fn property(self) -> Property {
        use DefectKind::*;
        match self {
            DataRace => Property::Races,
            BarrierDivergence | BadWarpMask | BadWarpWidth | NoWarps | BadBarrier => {
                Property::Divergence
            }
            Deadlock | Livelock => Property::Deadlock,
            OutOfBounds | NullPointer | ConstantWrite | Misaligned => Property::Bounds,
            UninitialisedRead => Property::UninitialisedReads,
            DivisionByZero | UndefinedArithmetic => Property::Arithmetic,
            Assertion | MisalignedAccess | Beyond => Property::Assertions,
            InvalidLaunch | StaleData | UnorderedStreams | WrongMemory | UseAfterFree
            | DoubleFree | Leak => Property::Host,
            NotEquivalent => Property::Equivalence,
        }
    }

    /// The kind of defect a fault is.
    pub const fn of_fault(fault: &FaultKind) -> DefectKind {
        match fault {
            FaultKind::OutOfBounds { .. } => DefectKind::OutOfBounds,
            FaultKind::NullPointer { .. } => DefectKind::NullPointer,
            FaultKind::ConstantWrite { .. } => DefectKind::ConstantWrite,
            FaultKind::Misaligned { .. } => DefectKind::Misaligned,
            FaultKind::UninitialisedRead { .. } | FaultKind::UnsetVariable { .. } => {
                DefectKind::UninitialisedRead
            }
            FaultKind::DeadHandle { again: false, .. } => DefectKind::UseAfterFree,
            FaultKind::DeadHandle { again: true, .. } => DefectKind::DoubleFree,
            FaultKind::NoSuchDevice { .. } => DefectKind::InvalidLaunch,
            FaultKind::DivisionByZero => DefectKind::DivisionByZero,
            FaultKind::UndefinedArithmetic => DefectKind::UndefinedArithmetic,
            FaultKind::AssertionFailed => DefectKind::Assertion,
            FaultKind::MisalignedAccess => DefectKind::MisalignedAccess,
            FaultKind::Beyond => DefectKind::Beyond,
            FaultKind::InvalidLaunch { .. } => DefectKind::InvalidLaunch,
            FaultKind::BarrierDivergence { .. } => DefectKind::BarrierDivergence,
            FaultKind::BadWarpMask { .. } => DefectKind::BadWarpMask,
            FaultKind::BadWarpWidth { .. } => DefectKind::BadWarpWidth,
            FaultKind::NoWarps => DefectKind::NoWarps,
            FaultKind::BadBarrier { .. } => DefectKind::BadBarrier,
            FaultKind::WrongMemory { .. } => DefectKind::WrongMemory,
            FaultKind::UseAfterFree { .. } => DefectKind::UseAfterFree,
            FaultKind::DoubleFree { .. } => DefectKind::DoubleFree,
        }
    }

    /// Whether a run goes on after it. What else may happen then was seen as well, unless the
    /// defect lets results depend on the schedule.
    pub const fn ends_run(self) -> bool {
        !matches!(
            self,
            DefectKind::DataRace
                | DefectKind::StaleData
                | DefectKind::UnorderedStreams
                | DefectKind::Leak
        )
    }

    /// The name in JSON and in corpus headers.
    pub const fn name(self) -> &'static str {
        use DefectKind::*;
        match self {
            DataRace => "data-race",
            BarrierDivergence => "barrier-divergence",
            BadWarpMask => "bad-warp-mask",
            BadWarpWidth => "bad-warp-width",
            NoWarps => "no-warps",
            BadBarrier => "bad-barrier",
            Deadlock => "deadlock",
            Livelock => "livelock",
            OutOfBounds => "out-of-bounds",
            NullPointer => "null-pointer",
            ConstantWrite => "constant-write",
            Misaligned => "misaligned",
            UninitialisedRead => "uninitialised-read",
            DivisionByZero => "division-by-zero",
            UndefinedArithmetic => "undefined-arithmetic",
            Assertion => "assertion",
            MisalignedAccess => "misaligned-access",
            Beyond => "beyond",
            InvalidLaunch => "invalid-launch",
            NotEquivalent => "not-equivalent",
            StaleData => "stale-data",
            UnorderedStreams => "unordered-streams",
            WrongMemory => "wrong-memory",
            UseAfterFree => "use-after-free",
            DoubleFree => "double-free",
            Leak => "leak",
        }
    }
}
