//! Verdicts and what they cover. One vocabulary for all engines.

use serde::{Deserialize, Serialize};

/// Ordered from worst to best; the verdict of a whole is the least of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A defect was found and replayed.
    Refuted,
    /// Nothing is claimed; see the [`Reason`].
    Unknown,
    /// A kernel whose launch nobody gave has a defect at some launch, and none at those that meet a condition which the
    /// report shows.
    Conditional,
    /// No defect in any schedule of the inputs tried, or only tested.
    Passed,
    /// No defect for any input, at least at this launch.
    Proved,
}

/// What a verdict covers, ordered from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assurance {
    /// Some schedules of some inputs.
    Tested,
    /// Every schedule of the inputs tried.
    AllSchedules,
    /// Every schedule of every input, at this launch.
    AllInputs,
    /// Every schedule of every input at every launch.
    AllInputsAllSizes,
}

/// Why a verdict is `unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A bound on states, bytes, seconds or depth was reached.
    Limit,
    /// The assumptions cannot hold.
    Vacuous,
    /// It communicates in a way interleaving does not describe.
    WeakMemory,
    /// The program has a construct that the tool does not know.
    Unsupported,
    /// The original is itself defective, which makes the comparison moot.
    SourceDefective,
    /// Over-approximation, the solver gave up, or a model did not replay.
    Inconclusive,
    /// The premise is there, but no engine is able.
    NotAttempted,
    /// The judgement was stopped from outside before it was done.
    Interrupted,
}

/// Properties `check` judges; `Equivalence` is `equiv`'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Property {
    /// Data races.
    Races,
    /// Barrier divergence, bad warp operations and bad named barriers.
    Divergence,
    /// Deadlock and livelock.
    Deadlock,
    /// Indices outside of arrays, null pointers, writes to constant memory, misaligned copies.
    Bounds,
    /// Reads of what was never written.
    UninitialisedReads,
    /// Division by zero, undefined arithmetic.
    Arithmetic,
    /// Failed assertions and misaligned accesses of several elements.
    Assertions,
    /// Invalid launches, stale data, unordered streams, wrong memory, use after free, double free,
    /// leaks.
    Host,
    /// Whether a new program does only what an old one may do.
    Equivalence,
}

impl Property {
    /// What `check` judges when nothing is said, in the order of the report.
    pub const DEFAULT: [Property; 8] = [
        Property::Races,
        Property::Divergence,
        Property::Deadlock,
        Property::Bounds,
        Property::UninitialisedReads,
        Property::Arithmetic,
        Property::Assertions,
        Property::Host,
    ];

    /// The name in JSON and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Property::Races => "races",
            Property::Divergence => "divergence",
            Property::Deadlock => "deadlock",
            Property::Bounds => "bounds",
            Property::UninitialisedReads => "uninitialised-reads",
            Property::Arithmetic => "arithmetic",
            Property::Assertions => "assertions",
            Property::Host => "host",
            Property::Equivalence => "equivalence",
        }
    }
}

/// Who established something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// The search of every schedule.
    Explorer,
    /// One schedule that speaks for all.
    CanonicalRun,
    /// A proof on Z3.
    Symbolic,
}

/// What was established about one property of one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyResult {
    /// Index into [`crate::report::Judgement::subjects`].
    pub subject: usize,
    /// The property.
    pub kind: Property,
    /// What was established.
    pub verdict: Verdict,
    /// Why the verdict is `unknown`; `None` for other verdicts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<Reason>,
    /// What the verdict covers; `None` where it claims nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub assurance: Option<Assurance>,
    /// Who established it; `None` where no engine did.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub engine: Option<Engine>,
    /// One plain sentence: what was established or what stood in the way.
    pub explanation: String,
}
