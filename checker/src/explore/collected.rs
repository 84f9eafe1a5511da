//! What a search has come upon: ways runs end, races, faults, leaks. Every search keeps it here, so
//! that what counts as one outcome, one deadlock or one defect is decided once.
//!
//! Where something was seen is kept in the search's own terms, and schedules are worked out at the
//! end: most of what is seen has been seen before.

use crate::explore::outcome::{MOST_DEADLOCKS, Outcome, StuckAt, outcome_of};
use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::system::Leak;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::Access;
use gridlock_semantics::transition::fault::{Fault, ThreadPosition};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where something was seen: a state (`A` names it), and what is done from there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen<A, T> {
    pub at: A,
    pub then: Vec<T>,
}

impl<A, T> Seen<A, T> {
    /// In the state itself.
    pub fn at(at: A) -> Seen<A, T> {
        let then = Vec::new();
        Seen { at, then }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Sight {
    Race(Box<[Access; 2]>),
    Fault(Box<Fault>),
    Deadlock(Vec<ThreadPosition>),
    Leak { name: String, op: OpId },
}

/// Everything seen so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Collected<A, T> {
    outcomes: BTreeMap<Outcome, Seen<A, T>>,
    deadlocks: Vec<(Vec<ThreadPosition>, A)>,
    findings: Vec<(Sight, Seen<A, T>)>,
    /// Faults and leaks that have a finding.
    known: FxHashSet<(DefectKind, OpId)>,
}

/// The same with its schedules, as an exploration has it.
#[derive(Default)]
pub struct Shown {
    pub outcomes: BTreeMap<Outcome, Vec<ScheduleStep>>,
    pub deadlocks: Vec<StuckAt>,
    pub findings: Vec<Finding>,
}

impl<A, T> Default for Collected<A, T> {
    fn default() -> Collected<A, T> {
        Collected {
            outcomes: BTreeMap::new(),
            deadlocks: Vec::new(),
            findings: Vec::new(),
            known: FxHashSet::default(),
        }
    }
}

impl<A: Clone, T: Clone> Collected<A, T> {
    pub fn n_findings(&self) -> usize {
        self.findings.len()
    }

    /// Where each outcome was seen first.
    pub fn outcomes(&self) -> impl Iterator<Item = &Seen<A, T>> {
        self.outcomes.values()
    }

    /// Whether another way of being stuck may still be told apart from those known.
    pub fn has_room_for_deadlocks(&self) -> bool {
        self.deadlocks.len() < MOST_DEADLOCKS
    }

    /// A run has come to its end.
    pub fn ended(&mut self, observation: Observation, seen: impl FnOnce() -> Seen<A, T>) {
        let outcome = Outcome::Observation(observation);
        self.outcomes.entry(outcome).or_insert_with(seen);
    }

    /// No actor can move, and some have not ended. One finding speaks for all deadlocks.
    pub fn stuck(&mut self, positions: Vec<ThreadPosition>, at: impl FnOnce() -> A) {
        let is_new = self.deadlocks.iter().all(|(known, _)| *known != positions);
        if !is_new || !self.has_room_for_deadlocks() {
            return;
        }
        let at = at();
        if !self.outcomes.contains_key(&Outcome::Deadlock) {
            let seen = Seen::at(at.clone());
            (self.findings).push((Sight::Deadlock(positions.clone()), seen.clone()));
            self.outcomes.insert(Outcome::Deadlock, seen);
        }
        self.deadlocks.push((positions, at));
    }

    /// A fault; whether it is an outcome not seen before.
    pub fn fault(&mut self, fault: &Fault, seen: impl FnOnce() -> Seen<A, T>) -> bool {
        let outcome = outcome_of(fault);
        if self.outcomes.contains_key(&outcome) {
            return false;
        }
        let seen = seen();
        let kind = DefectKind::of_fault(&fault.kind);
        if self.known.insert((kind, fault.op)) {
            let sight = Sight::Fault(Box::new(fault.clone()));
            self.findings.push((sight, seen.clone()));
        }
        self.outcomes.insert(outcome, seen);
        true
    }

    /// A race of operators that are not known to race.
    pub fn race(&mut self, accesses: [Access; 2], seen: Seen<A, T>) {
        self.findings.push((Sight::Race(Box::new(accesses)), seen));
    }

    /// Something that a run which has ended never gave back.
    pub fn leak(&mut self, leak: &Leak, seen: impl FnOnce() -> Seen<A, T>) {
        if self.known.insert((DefectKind::Leak, leak.op)) {
            let name = leak.name.to_string();
            (self.findings).push((Sight::Leak { name, op: leak.op }, seen()));
        }
    }
}

impl<A: Send, T: Send> Collected<A, T> {
    /// The result; `schedule` leads to a state, and through what is done from there.
    pub fn shown(self, schedule: impl Fn(&A, &[T]) -> Vec<ScheduleStep> + Sync) -> Shown {
        let outcomes: Vec<(Outcome, Seen<A, T>)> = self.outcomes.into_iter().collect();
        let outcomes: Vec<(Outcome, Vec<ScheduleStep>)> = outcomes
            .into_par_iter()
            .map(|(outcome, seen)| (outcome, schedule(&seen.at, &seen.then)))
            .collect();
        let deadlocks = self.deadlocks.into_iter().map(|(positions, at)| StuckAt {
            positions,
            schedule: schedule(&at, &[]),
        });
        let findings = self.findings.into_iter().map(|(sight, seen)| {
            let (kind, evidence) = sight.evidence();
            Finding {
                kind,
                schedule: schedule(&seen.at, &seen.then),
                evidence,
            }
        });
        Shown {
            deadlocks: deadlocks.collect(),
            findings: findings.collect(),
            outcomes: outcomes.into_iter().collect(),
        }
    }
}

impl Sight {
    fn evidence(self) -> (DefectKind, Evidence) {
        match self {
            Sight::Race(accesses) => {
                let [first, second] = *accesses;
                (DefectKind::DataRace, Evidence::Race { first, second })
            }
            Sight::Fault(fault) => {
                let kind = DefectKind::of_fault(&fault.kind);
                (kind, Evidence::Fault(*fault))
            }
            Sight::Deadlock(positions) => (DefectKind::Deadlock, Evidence::Stuck { positions }),
            Sight::Leak { name, op } => (DefectKind::Leak, Evidence::Leak { name, op }),
        }
    }
}
