//! What the search of a compiled launch has come upon. Schedules are worked out by taking again what
//! led to the states where things were seen.

use super::expand::{Race, Scene};
use super::path::Paths;
use super::symmetry::Symmetry;
use super::table::{Number, Table};
use crate::automaton::{Agent, Automaton};
use crate::explore::collected::{self, Seen, Shown};
use crate::explore::outcome::Outcome;
use crate::finding::ScheduleStep;
use gridlock_semantics::transition::Actor;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Default, Serialize, Deserialize)]
pub struct Collected {
    /// Words beyond the threads' at ends, to tell them apart quickly.
    ends: FxHashSet<Box<[u32]>>,
    seen: collected::Collected<Number, Agent>,
    pub executions: u64,
}

impl Collected {
    pub fn has_findings(&self) -> bool {
        self.seen.n_findings() > 0
    }

    /// A state from which no thread moves.
    pub fn end(&mut self, automaton: &Automaton, at: Number, words: &[u32]) {
        if automaton.gave_up(words) {
            return;
        }
        self.executions += 1;
        if automaton.all_ended(words) {
            let n_threads = automaton.n_threads_in_all() as usize;
            if self.ends.insert(words[n_threads..].into()) {
                let observation = automaton.observation(words);
                self.seen.ended(observation, || Seen::at(at));
            }
        } else if self.seen.has_room_for_deadlocks() {
            self.seen.stuck(automaton.positions_in(words), || at);
        }
    }

    pub fn race(&mut self, automaton: &Automaton, at: Number, words: &[u32], race: &Race) {
        let access = |agent: Agent| automaton.access_now(words, agent);
        let [first, second] = race.agents;
        if let (Some(a), Some(b)) = (access(first), access(second)) {
            let then = race.agents.to_vec();
            self.seen.race([a, b], Seen { at, then });
        }
    }

    /// A fault that `agent` is about to run into.
    pub fn fault(&mut self, automaton: &Automaton, at: Number, words: &[u32], agent: Agent) {
        let seen = || Seen {
            at,
            then: vec![agent],
        };
        if let Some(fault) = automaton.label(words, agent, true).fault {
            self.executions += self.seen.fault(&fault, seen) as u64;
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
        let mut shown = (self.seen).shown(|at, then| paths.schedule(*at, then));
        for (outcome, schedule) in others(scene.automaton, symmetry, &shown.outcomes) {
            shown.outcomes.entry(outcome).or_insert(schedule);
        }
        shown
    }
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
