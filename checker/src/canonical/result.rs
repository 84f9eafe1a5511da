//! What a canonical run says.

use crate::finding::{Finding, Statistics};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::Access;
use std::sync::Arc;

/// How far a canonical run speaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CanonicalStatus {
    /// It ran to the end and M1's conditions held. Without findings: no schedule of this input
    /// has a race, a divergence or a fault, and all have the one outcome observed. With findings
    /// (races): those are what it found; it may have ended some way behind the first of them.
    Decides,
    /// The same of a launch in which the order of atomics on floats, or of exchanges, shows in cells that no thread reads
    /// afterwards: what these hold in the end is another matter.
    DecidesDefects {
        /// One phrase, in the program's own names.
        why: String,
    },
    /// As [`CanonicalStatus::Decides`], of all launches of a host program, and of its code as far as it was followed: a
    /// limit cut it behind the last of them, in loops that end.
    LaunchesDecide {
        /// Where in host code it was cut.
        from: OpId,
        /// By which limit, in words.
        what: String,
    },
    /// It ended in a fault, the last of the findings. Races found before are among them too.
    Faulted,
    /// An `assume` was false: runs of this input do not count.
    AssumptionFailed,
    /// M1's conditions did not hold, so other schedules may do otherwise: ask the explorer.
    /// Findings are still what this one schedule showed.
    NotCanonical {
        /// One phrase, in the program's own names.
        why: String,
    },
    /// A thread came back to a state it was in while only it, or its warp, moved. Another schedule
    /// may lead out of the loop, or none.
    Cycle {
        /// One phrase, in the program's own names.
        why: String,
    },
    /// A limit cut it.
    Limit {
        /// Which limit, in words.
        what: String,
    },
    /// The configuration does not fit the program, or the program is too large to compile.
    Unfit {
        /// One sentence.
        why: String,
    },
}

/// How launches are run. The result never depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// Wide where it pays, thread after thread where something is out of the ordinary.
    #[default]
    Auto,
    /// Thread after thread.
    Narrow,
    /// Wide wherever it is possible, also where it does not pay.
    Wide,
}

/// Two lanes of a warp communicated in order only because lanes move in lockstep, through memory
/// that is not `volatile`: right only if the compiler keeps the accesses in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockstepRemark {
    /// Name of the array.
    pub array: Arc<str>,
    /// The access made first.
    pub first: Access,
    /// The access of another lane that relies on it.
    pub second: Access,
}

/// What a finished host program never gave back. There is a finding for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leak {
    /// Name of the array, `stream` or `event`.
    pub name: Arc<str>,
    /// What made it.
    pub op: OpId,
}

/// What a launch is given.
#[derive(Clone, Debug)]
pub struct Alone {
    /// Its number, from 1.
    pub launch: u32,
    /// The kernel as an entry, with its launch, arguments and memory.
    pub setup: Setup,
}

/// The result of a canonical run.
#[derive(Clone, Debug)]
pub struct CanonicalResult {
    /// How far it speaks.
    pub status: CanonicalStatus,
    /// Final contents, when the run reached its end.
    pub observation: Option<Observation>,
    /// At most one for each pair of source lines (races) and the fault that ended the run, if any.
    pub findings: Vec<Finding>,
    /// How often each finding was seen (races at other elements or by other threads, same lines).
    pub occurrences: Vec<u64>,
    /// What the run took.
    pub statistics: Statistics,
    /// Under `lockstep` only.
    pub lockstep_remark: Option<LockstepRemark>,
    /// What a host program that came to its end never gave back.
    pub leaks: Vec<Leak>,
    /// Launches that were run wide. Nothing else here depends on it.
    pub wide_launches: u64,
    /// Launches whose blocks ran side by side, thread after thread. The same holds.
    pub parted_launches: u64,
    /// Blocks that were run wide in launches that were not. The same holds.
    pub wide_blocks: u64,
    /// How many launches there were; `None` where that was not counted.
    pub launches: Option<u64>,
    /// Of a host program that has made many steps, instead of findings: the launch in which something was found.
    pub alone: Option<Box<Alone>>,
}
