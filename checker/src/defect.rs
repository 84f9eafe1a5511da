//! Defects: what is reported when something is refuted.

use crate::explanation::Explanation;
use crate::grade::Grade;
use crate::verdict::Property;
use crate::witness::Witness;
use gridlock_semantics::fault::{AccessMode, FaultKind};
use gridlock_semantics::program::Space;
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

/// A place in the source and, on the device, the thread that was there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// Thread and block coordinates `[x, y, z]`; absent for the host.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub thread: Option<[u32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub block: Option<[u32; 3]>,
    /// Only for accesses.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mode: Option<AccessMode>,
    /// Who it is, where it is neither a device thread nor the host's only thread: `stream 1`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub who: Option<String>,
    /// What the thread does there: `waits at a barrier`, `has returned`, …; empty for accesses of
    /// one program.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub state: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Defect {
    /// Index into [`crate::report::Report::subjects`].
    pub subject: usize,
    pub kind: DefectKind,
    /// One sentence: what happens, in the program's own names.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub array: Option<String>,
    /// In elements.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<i64>,
    /// The element as the source writes it: `s[1][0]`, `s[0].y`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub element: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub space: Option<Space>,
    /// Both sides of a race, the guilty access otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub accesses: Vec<Site>,
    /// Who waits where and who never comes (barriers, deadlock).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub threads: Vec<Site>,
    /// How it came about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub explanation: Option<Explanation>,
    /// When it shows, and what it does.
    #[serde(flatten)]
    pub grade: Grade,
    /// Replayed; always true for a defect that refutes.
    pub confirmed: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub witness: Option<Witness>,
    /// The run of the old program beside that of the new one (`not-equivalent` only).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub original: Option<Witness>,
}
