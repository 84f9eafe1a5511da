//! Kinds of defects.

use crate::verdict::Property;
use gridlock_semantics::transition::fault::FaultKind;
use serde::{Deserialize, Serialize};

/// Kinds of defects; the names are part of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefectKind {
    DataRace,
    BarrierDivergence,
    BadWarpMask,
    /// The width of a shuffle is no power of two up to the size of a warp.
    BadWarpWidth,
    /// An operation of warps where the profile knows none.
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
    /// An access of several elements at once, as through a `float4 *`, where none may begin.
    MisalignedAccess,
    /// A run came to what was left out of the program. Never a defect, and never reported as one: why
    /// nothing is decided. Not among [`DefectKind::ALL`].
    Beyond,
    InvalidLaunch,
    NotEquivalent,
    /// The host uses memory that an operation it has not waited for uses.
    StaleData,
    /// Operations of streams that nothing orders use one buffer.
    UnorderedStreams,
    WrongMemory,
    UseAfterFree,
    DoubleFree,
    Leak,
}

impl DefectKind {
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
            FaultKind::UninitialisedRead { .. } => DefectKind::UninitialisedRead,
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
