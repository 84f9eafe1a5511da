//! What a search found.

use crate::explore::collected::Shown;
use crate::explore::graph::Graph;
use crate::explore::outcome::{Outcome, StuckAt};
use crate::finding::{Finding, ScheduleStep, Statistics};
use crate::order::synchronisation::WeakMemory;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Runs that a stateless search began and that showed nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatelessCounts {
    /// Left before their end, because whatever could follow had been seen (blocked by sleep sets).
    pub redundant: u64,
    /// Whose end is that some thread is in a cycle which changes nothing.
    pub waiting: u64,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// Every schedule was covered. False when a limit was reached or the search was told to stop
    /// at the first defect.
    pub complete: bool,
    /// The limits reached, in words.
    pub limits_hit: Vec<String>,
    /// What the search took, and how many states and transitions it saw.
    pub statistics: Statistics,
    /// Every outcome seen, each with a schedule that leads to it.
    pub outcomes: BTreeMap<Outcome, Vec<ScheduleStep>>,
    /// Every way of being stuck that was seen, by where each thread stands; at most
    /// [`MOST_DEADLOCKS`](crate::explore::MOST_DEADLOCKS).
    pub deadlocks: Vec<StuckAt>,
    /// One finding for each defect: races by pair of operators, faults by kind and operator, the
    /// first deadlock.
    pub findings: Vec<Finding>,
    /// A state was reached again on a path through itself: some schedule never ends. Whether a
    /// fair scheduler could follow it is not judged.
    pub cycle: bool,
    /// Why what interleaving shows need not be all that the machine does. Judged under
    /// `sc-if-synchronised` only; empty when nothing stands against it.
    pub weak_memory: Vec<WeakMemory>,
    /// Why the search was not reduced; `None` when it was.
    pub unreduced_because: Option<String>,
    /// The visited states, when asked for.
    pub graph: Option<Graph>,
    /// What the stateless search counts besides; `None` when another searched. It judges neither
    /// livelock nor weak memory.
    pub stateless: Option<StatelessCounts>,
}

impl Exploration {
    /// Nothing was seen, because of this.
    pub fn nothing(because: String) -> Exploration {
        let statistics = Statistics::default();
        Exploration::of(Shown::default(), vec![because], false, statistics)
    }

    /// What every search says; `stopped`: before its end.
    pub(in crate::explore) fn of(
        shown: Shown,
        limits_hit: Vec<String>,
        stopped: bool,
        statistics: Statistics,
    ) -> Exploration {
        Exploration {
            complete: limits_hit.is_empty() && !stopped,
            limits_hit,
            statistics,
            outcomes: shown.outcomes,
            deadlocks: shown.deadlocks,
            findings: shown.findings,
            cycle: false,
            weak_memory: Vec::new(),
            unreduced_because: None,
            graph: None,
            stateless: None,
        }
    }
}
