//! The search: runs one after another, each from where the one before it may have gone otherwise.

use super::choices::Choices;
use super::dependence::{Dependence, dependent};
use super::found::{Ended, Found};
use super::races;
use super::run::{Effect, Head, Run};
use crate::automaton::{Agent, Automaton, Kind};
use crate::explore::exploration::{Exploration, StatelessCounts};
use crate::explore::options::ExploreOptions;
use crate::finding::Statistics;
use crate::limits::Limits;
use std::time::Instant;

/// The longest run followed where the limits allow longer ones: each visible step of a run takes
/// memory, and a run that never ends takes it for ever.
pub const MOST_DEEP: u64 = 100_000;
/// Steps between two looks at the clock.
const LOOK_AT_CLOCK: u64 = 1 << 12;

pub struct Search<'a, D> {
    by: &'a D,
    limits: &'a Limits,
    options: &'a ExploreOptions,
    started: Instant,
    run: Run<'a>,
    choices: Choices,
    found: Found<'a>,
    statistics: Statistics,
    counts: StatelessCounts,
    limits_hit: Vec<String>,
    stopped: bool,
    /// Kept to be filled again.
    raced: Vec<u32>,
}

impl<'a, D: Dependence> Search<'a, D> {
    pub fn new(
        automaton: &'a Automaton,
        by: &'a D,
        limits: &'a Limits,
        options: &'a ExploreOptions,
    ) -> Search<'a, D> {
        Search {
            by,
            limits,
            options,
            started: Instant::now(),
            run: Run::new(automaton),
            choices: Choices::new(automaton.n_agents()),
            found: Found::new(automaton),
            statistics: Statistics::default(),
            counts: StatelessCounts::default(),
            limits_hit: Vec::new(),
            stopped: false,
            raced: Vec::new(),
        }
    }

    pub fn explore(mut self) -> Exploration {
        for agent in 0..self.run.heads.len() as Agent {
            self.find_head(agent);
        }
        self.choices.push(|_| false);
        self.arrive();
        while !self.over_a_limit() {
            match self.choices.next(self.run.len()) {
                Some(agent) => self.go(agent),
                None => {
                    self.choices.pop();
                    match self.run.pop() {
                        // Whatever begins with this step from here has been seen.
                        Some(agent) => self.choices.put_to_sleep(self.run.len(), agent),
                        None => break,
                    }
                }
            }
        }
        self.finish()
    }

    /// Takes a step, and arrives in the state behind it.
    fn go(&mut self, agent: Agent) {
        if !self.run.look(agent) {
            return self.choices.put_to_sleep(self.run.len(), agent);
        }
        self.statistics.transitions += 1;
        let mut raced = std::mem::take(&mut self.raced);
        self.run.push(self.by, agent, &mut raced);
        for &first in &raced {
            self.found.race(&self.run, first);
            races::reverse(&self.run, &mut self.choices, first);
        }
        self.raced = raced;
        let Some(event) = self.run.events.last().copied() else {
            return;
        };
        let (by, heads) = (self.by, &self.run.heads);
        self.choices.push(|other| match &heads[other as usize] {
            Head::Moves(touch) => other != agent && !dependent(by, touch, &event.touch),
            Head::Waits | Head::Stuck | Head::Stopped => false,
        });
        match event.effect {
            Effect::Moves { .. } => {
                self.find_head(agent);
                // Who goes on by itself is waited for as before.
                if event.joint || !matches!(self.run.heads[agent as usize], Head::Moves(_)) {
                    let changed: Vec<Agent> = self.run.changed_by_last().collect();
                    for other in changed {
                        // Who has stopped stays so.
                        if !matches!(self.run.heads[other as usize], Head::Stopped) {
                            self.find_head(other);
                        }
                    }
                }
            }
            Effect::Faults => {
                let last = self.run.len() - 1;
                self.run.heads[agent as usize] = Head::Stopped;
                self.found.fault(&self.run, agent, &[last]);
            }
            Effect::Looks => {
                self.run.heads[agent as usize] = Head::Stopped;
                self.found.looked(&self.run);
            }
        }
        self.arrive();
    }

    /// What an agent does next.
    fn find_head(&mut self, agent: Agent) {
        let moves = self.run.look(agent);
        let step = &self.run.step;
        let head = match (moves, step.kind, step.touch) {
            (false, ..) => Head::Waits,
            (true, _, Some(touch)) => Head::Moves(Some(touch)),
            (true, Kind::Moves, None) if !step.patches.is_empty() => Head::Moves(None),
            (true, Kind::Moves, None) => {
                self.found.cycle = true;
                Head::Stuck
            }
            (true, Kind::Faults, None) => {
                let ends = self.run.last_of(agent);
                self.found.fault(&self.run, agent, &ends);
                Head::Stuck
            }
            (true, Kind::Discards, None) => Head::Stuck,
        };
        self.run.heads[agent as usize] = head;
    }

    /// Chooses who is tried first in a state, or notes how the run ends there.
    fn arrive(&mut self) {
        let depth = self.run.len();
        let (mut first, mut asleep) = (None, false);
        // Staying with who moved last makes runs with few switches.
        let last = self.run.events.last().map(|event| event.agent);
        for agent in last.into_iter().chain(0..self.run.heads.len() as Agent) {
            if !matches!(self.run.heads[agent as usize], Head::Moves(_)) {
                continue;
            }
            if self.choices.sleeps(depth, agent) {
                asleep = true;
                continue;
            }
            first = first.or(Some(agent));
            // A look that changes nothing had better come late.
            if self.run.look(agent) && !self.run.step.patches.is_empty() {
                first = Some(agent);
                break;
            }
        }
        match first {
            Some(_) if depth as u64 >= self.limits.depth.min(MOST_DEEP) => {
                let most = Limits {
                    depth: self.limits.depth.min(MOST_DEEP),
                    ..*self.limits
                };
                self.hit_once(most.cut_by_depth());
            }
            Some(agent) => self.choices.try_later(depth, agent),
            None if asleep => self.counts.redundant += 1,
            None => match self.found.end(&mut self.run) {
                Ended::Complete => self.statistics.executions += 1,
                Ended::Waiting => self.counts.waiting += 1,
                Ended::GivenUp => self.hit_once(crate::limits::ALONE.to_owned()),
            },
        }
    }

    fn hit_once(&mut self, limit: String) {
        if !self.limits_hit.contains(&limit) {
            self.limits_hit.push(limit);
        }
    }

    fn over_a_limit(&mut self) -> bool {
        if self.options.stop_at_first && self.found.collected.n_findings() > 0 {
            self.stopped = true;
            return true;
        }
        let limits = self.limits;
        let n = self.statistics.transitions;
        if n >= limits.states {
            self.limits_hit.push(limits.cut_by_steps());
            return true;
        }
        if !n.is_multiple_of(LOOK_AT_CLOCK) {
            return false;
        }
        let bytes = self.bytes();
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(bytes);
        // It keeps no states.
        let reached = limits.reached(0, bytes, || limits.are_over_since(self.started));
        let is_over = reached.is_some();
        self.limits_hit.extend(reached);
        is_over
    }

    fn bytes(&self) -> u64 {
        self.run.bytes() + self.choices.bytes() + self.found.bytes()
    }

    fn finish(mut self) -> Exploration {
        let bytes = self.bytes();
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(bytes);
        self.statistics.seconds = self.started.elapsed().as_secs_f64();
        let shown = (self.found.collected).shown(|schedule, _| schedule.clone());
        Exploration {
            cycle: self.found.cycle,
            stateless: Some(self.counts),
            ..Exploration::of(shown, self.limits_hit, self.stopped, self.statistics)
        }
    }
}
