//! How runs end.

use crate::finding::{DefectKind, ScheduleStep};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::Actor;
use gridlock_semantics::transition::fault::{Fault, ThreadPosition};
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It came to its end, and this was seen.
    Observation(Observation),
    /// It ran into a fault. For barrier divergence, which concerns a block and shows at several
    /// states of one run, `actor` is the block and `op` is `None`.
    Fault {
        /// What the fault is.
        kind: DefectKind,
        /// Who ran into it.
        actor: Actor,
        /// The operator; `None` where no single one is at fault.
        op: Option<OpId>,
    },
    /// No actor could move, and some had not finished.
    Deadlock,
}

/// The outcome a fault is.
pub fn outcome_of(fault: &Fault) -> Outcome {
    let kind = DefectKind::of_fault(&fault.kind);
    let (actor, op) = match (kind, fault.actor) {
        (DefectKind::BarrierDivergence, Actor::Thread { block, .. } | Actor::Block(block)) => {
            (Actor::Block(block), None)
        }
        (_, actor) => (actor, Some(fault.op)),
    };
    Outcome::Fault { kind, actor, op }
}

/// Most deadlocks told apart.
pub const MOST_DEADLOCKS: usize = 16;

/// A state in which no actor can move and some have not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StuckAt {
    /// Where each unfinished thread stands.
    pub positions: Vec<ThreadPosition>,
    /// A schedule that leads there.
    pub schedule: Vec<ScheduleStep>,
}
