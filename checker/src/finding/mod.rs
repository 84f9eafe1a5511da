//! Findings: what an engine believes it saw, before it is replayed. Only a replay
//! (`crate::replay`) turns a finding into a [`crate::report::defect::Defect`].

mod defect_kind;
mod schedule;
mod statistics;

pub use defect_kind::DefectKind;
pub use schedule::ScheduleStep;
#[cfg(test)]
pub(crate) use schedule::of_steps;
pub(crate) use schedule::{append_schedule, is_zero};
pub use statistics::Statistics;

use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::transition::Access;
use gridlock_semantics::transition::fault::{Fault, ThreadPosition};
use serde::{Deserialize, Serialize};

/// A schedule counts *visible* transitions only: those that access memory other threads could
/// reach, synchronise, start or end a launch, exit, or fault. The private transitions before a
/// visible one belong to it. So engines that take private steps differently share schedules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What the engine believes it saw.
    pub kind: DefectKind,
    /// From the initial state to the end of the story: the second access of a race, the fault,
    /// or the state in which no actor can move.
    pub schedule: Vec<ScheduleStep>,
    /// What shows it at the end of the schedule.
    pub evidence: Evidence,
}

/// What shows a finding at the end of its schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evidence {
    /// Two accesses unordered by happens-before, in the order of the schedule. Also of operations
    /// of streams, and of the host's freeing of memory (as a write).
    Race {
        /// The access the schedule makes first.
        first: Access,
        /// The access that ends the schedule.
        second: Access,
    },
    /// The last transition of the schedule ends in this fault.
    Fault(Fault),
    /// What the finished run never gave back: the name of an array, `stream` or `event`, and what
    /// made it.
    Leak {
        /// Name of the array, `stream` or `event`.
        name: String,
        /// The operator that made it.
        op: OpId,
    },
    /// Where every unfinished thread stands.
    Stuck {
        /// Unfinished threads only.
        positions: Vec<ThreadPosition>,
    },
    /// The schedule leads to a state from which `cycle` leads back to it. In both *every*
    /// transition counts, private ones too.
    Cycle {
        /// What is repeated for ever.
        cycle: Vec<ScheduleStep>,
        /// Whether some schedule could still end the run from there; `None` when that is not known.
        can_end: Option<bool>,
    },
}

impl Evidence {
    /// The operators of a race, the lower first.
    pub fn racing(&self) -> Option<(OpId, OpId)> {
        match self {
            Evidence::Race { first, second } => {
                Some((first.op.min(second.op), first.op.max(second.op)))
            }
            _ => None,
        }
    }
}
