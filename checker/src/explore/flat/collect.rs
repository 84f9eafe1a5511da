//! What the search has come upon: ways runs end, races, faults. Schedules are worked out at the
//! end, from the states where things were seen.

use super::expand::{Race, Scene};
use super::path::Paths;
use super::symmetry::Symmetry;
use super::table::{Number, Table};
use crate::automaton::{Agent, Automaton};
use crate::explore::outcome::{MOST_DEADLOCKS, Outcome, StuckAt};
use crate::explore::search::outcome_of;
use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use gridlock_semantics::transition::fault::ThreadPosition;
use gridlock_semantics::transition::{Access, Actor};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where something was seen: a state, and who moves from there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Seen {
    pub at: Number,
    pub then: Vec<Agent>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Sight {
    Race(Box<[Access; 2]>),
    Fault(Box<gridlock_semantics::transition::fault::Fault>),
    Deadlock(Vec<ThreadPosition>),
}

#[derive(Default, Serialize, Deserialize)]
pub struct Collected {
    /// Words beyond the threads' at ends, to tell them apart quickly.
    ends: FxHashSet<Box<[u32]>>,
    outcomes: BTreeMap<Outcome, Seen>,
    deadlocks: Vec<(Vec<ThreadPosition>, Number)>,
    findings: Vec<(Sight, Seen)>,
    known_faults: FxHashSet<(DefectKind, gridlock_semantics::algebra::operator::OpId)>,
    pub executions: u64,
}

impl Collected {
    pub fn has_findings(&self) -> bool {
        !self.findings.is_empty()
    }

    /// A state from which no thread moves.
    pub fn end(&mut self, automaton: &Automaton, at: Number, words: &[u32]) {
        if automaton.gave_up(words) {
            return;
        }
        self.executions += 1;
        let then = Vec::new();
        if automaton.all_ended(words) {
            let n_threads = automaton.n_threads_in_all() as usize;
            if self.ends.insert(words[n_threads..].into()) {
                let outcome = Outcome::Observation(automaton.observation(words));
                self.outcomes.entry(outcome).or_insert(Seen { at, then });
            }
            return;
        }
        if self.deadlocks.len() < MOST_DEADLOCKS {
            let positions = automaton.positions_in(words);
            if self.deadlocks.iter().all(|(known, _)| *known != positions) {
                self.deadlocks.push((positions, at));
            }
        }
        if !self.outcomes.contains_key(&Outcome::Deadlock) {
            let seen = Seen { at, then };
            let positions = automaton.positions_in(words);
            (self.findings).push((Sight::Deadlock(positions), seen.clone()));
            self.outcomes.insert(Outcome::Deadlock, seen);
        }
    }

    pub fn race(&mut self, automaton: &Automaton, at: Number, words: &[u32], race: &Race) {
        let access = |agent: Agent| automaton.access_now(words, agent);
        let [first, second] = race.agents;
        if let (Some(a), Some(b)) = (access(first), access(second)) {
            let seen = Seen {
                at,
                then: race.agents.to_vec(),
            };
            self.findings.push((Sight::Race(Box::new([a, b])), seen));
        }
    }

    /// A fault that `agent` is about to run into.
    pub fn fault(&mut self, automaton: &Automaton, at: Number, words: &[u32], agent: Agent) {
        let Some(fault) = automaton.label(words, agent, true).fault else {
            return;
        };
        let outcome = outcome_of(&fault);
        if self.outcomes.contains_key(&outcome) {
            return;
        }
        self.executions += 1;
        let seen = Seen {
            at,
            then: vec![agent],
        };
        self.outcomes.insert(outcome, seen.clone());
        let kind = DefectKind::of_fault(&fault.kind);
        if self.known_faults.insert((kind, fault.op)) {
            (self.findings).push((Sight::Fault(Box::new(fault)), seen));
        }
    }

    /// The result with its schedules.
    pub fn finish(
        self,
        scene: &Scene<'_>,
        table: &Table,
        start: &[u32],
        symmetry: &Symmetry,
    ) -> Shown {
        let paths = Paths::new(scene, table, start);
        let schedule = |seen: &Seen| paths.schedule(seen.at, &seen.then);
        let outcomes: Vec<(Outcome, Seen)> = self.outcomes.into_iter().collect();
        let mut outcomes: BTreeMap<Outcome, Vec<ScheduleStep>> = outcomes
            .into_par_iter()
            .map(|(outcome, seen)| {
                let schedule = schedule(&seen);
                (outcome, schedule)
            })
            .collect::<Vec<_>>()
            .into_iter()
            .collect();
        let of_others = others(scene.automaton, symmetry, &outcomes);
        for (outcome, schedule) in of_others {
            outcomes.entry(outcome).or_insert(schedule);
        }
        let deadlocks = self.deadlocks.into_iter().map(|(positions, at)| StuckAt {
            positions,
            schedule: paths.schedule(at, &[]),
        });
        let findings = self.findings.into_iter().map(|(sight, seen)| {
            let schedule = schedule(&seen);
            let (kind, evidence) = match sight {
                Sight::Race(accesses) => {
                    let [first, second] = *accesses;
                    (DefectKind::DataRace, Evidence::Race { first, second })
                }
                Sight::Fault(fault) => {
                    let kind = DefectKind::of_fault(&fault.kind);
                    (kind, Evidence::Fault(*fault))
                }
                Sight::Deadlock(positions) => (DefectKind::Deadlock, Evidence::Stuck { positions }),
            };
            Finding {
                kind,
                schedule,
                evidence,
            }
        });
        Shown {
            deadlocks: deadlocks.collect(),
            findings: findings.collect(),
            outcomes,
        }
    }
}

pub struct Shown {
    pub outcomes: BTreeMap<Outcome, Vec<ScheduleStep>>,
    pub deadlocks: Vec<StuckAt>,
    pub findings: Vec<Finding>,
}

/// Faults of threads and blocks interchangeable with those that were seen to fault: the same run
/// with the two exchanged.
fn others(
    automaton: &Automaton,
    symmetry: &Symmetry,
    outcomes: &BTreeMap<Outcome, Vec<ScheduleStep>>,
) -> Vec<(Outcome, Vec<ScheduleStep>)> {
    let n_threads = automaton.n_threads();
    let mut found = Vec::new();
    for (outcome, schedule) in outcomes {
        let Outcome::Fault { kind, actor, op } = outcome else {
            continue;
        };
        let alike: Vec<Actor> = match *actor {
            Actor::Thread { block, thread } => symmetry
                .alike(block * n_threads + thread, n_threads)
                .into_iter()
                .map(|n| automaton.actor(n))
                .collect(),
            Actor::Block(block) => {
                let like = symmetry.blocks[block as usize];
                let blocks = (0..).zip(&symmetry.blocks);
                blocks
                    .filter(|(_, of)| **of == like)
                    .map(|(other, _)| Actor::Block(other))
                    .collect()
            }
            _ => continue,
        };
        for other in alike.into_iter().filter(|other| other != actor) {
            let outcome = Outcome::Fault {
                kind: *kind,
                actor: other,
                op: *op,
            };
            found.push((outcome, exchanged(schedule, *actor, other)));
        }
    }
    found
}

/// A schedule with two threads and their blocks, or two blocks, exchanged.
fn exchanged(schedule: &[ScheduleStep], one: Actor, other: Actor) -> Vec<ScheduleStep> {
    let parts = |actor| match actor {
        Actor::Thread { block, thread } => (block, thread),
        Actor::Block(block) => (block, 0),
        _ => (0, 0),
    };
    let ((a, s), (b, t)) = (parts(one), parts(other));
    let block_of = |block| match block {
        block if block == a => b,
        block if block == b => a,
        block => block,
    };
    // In the block it goes to, the thread takes the place of its like; in other blocks, and where
    // both are of one block, only the two change places.
    let thread_of = |block, thread| match thread {
        thread if thread == s && (block == a || block == b) => t,
        thread if thread == t && (block == a || block == b) => s,
        thread => thread,
    };
    let actor_of = |actor| match actor {
        Actor::Thread { block, thread } => Actor::Thread {
            block: block_of(block),
            thread: thread_of(block, thread),
        },
        Actor::Block(block) => Actor::Block(block_of(block)),
        actor => actor,
    };
    let steps = schedule.iter().map(|step| ScheduleStep {
        actors: step.actors.iter().map(|actor| actor_of(*actor)).collect(),
        ..step.clone()
    });
    steps.collect()
}
