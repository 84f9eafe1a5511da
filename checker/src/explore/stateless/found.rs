//! What a search found, from the run at hand.

use super::clocks::Position;
use super::run::{Effect, LOOKED_BACK, Run};
use crate::automaton::{Agent, Automaton, End, Kind, LocalId, Memo, State, Step, apply};
use crate::explore::collected::{Collected, Seen};
use crate::explore::flat::path::schedule_of;
use crate::finding::{ScheduleStep, append_schedule};
use crate::order::conflict;
use crate::system::acting;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::memory::conflict::conflict as may_conflict;
use gridlock_semantics::transition::Access;
use gridlock_semantics::transition::AccessMode;
use rustc_hash::FxHashSet;

/// States in which runs ended lately, so that what is seen there is not worked out each time.
const REMEMBERED_ENDS: usize = 1 << 8;

pub struct Found<'a> {
    automaton: &'a Automaton,
    /// Each with its whole schedule: of a run left behind, nothing else is kept.
    pub collected: Collected<Vec<ScheduleStep>, ScheduleStep>,
    /// Some thread is in a cycle without changing anything.
    pub cycle: bool,
    races: FxHashSet<(OpId, OpId)>,
    /// The profile calls writes of the same value no race.
    benign: bool,
    /// Whose faults were seen, and where the agent stood.
    faulty: FxHashSet<(Agent, LocalId)>,
    ends: Vec<Box<[u32]>>,
}

/// How a run ended in which no thread is left to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All threads have ended, or no actor can move, or one would fault or fail an assumption.
    Complete,
    /// A thread waits for a cell to change.
    Waiting,
    /// A thread was given up.
    GivenUp,
}

impl<'a> Found<'a> {
    pub fn new(automaton: &'a Automaton) -> Found<'a> {
        Found {
            automaton,
            collected: Collected::default(),
            cycle: false,
            races: FxHashSet::default(),
            benign: false,
            faulty: FxHashSet::default(),
            ends: Vec::new(),
        }
    }

    /// `agent` would fault in the state the run leads to. `ends`: the events it comes after.
    pub fn fault(&mut self, run: &Run, agent: Agent, ends: &[Position]) {
        let stands = match agent < self.automaton.n_threads_in_all() {
            true => run.words[agent as usize],
            false => LocalId::MAX,
        };
        if !self.faulty.insert((agent, stands)) {
            return;
        }
        let label = self.automaton.label(&run.words, agent, true);
        let Some(fault) = &label.fault else {
            return;
        };
        let schedule = || {
            let mut schedule = schedule_of(self.automaton, run.past_of(ends, true));
            let step = ScheduleStep {
                actors: acting(&label),
                steps: 1,
                choice: 0,
            };
            append_schedule(&mut schedule, &[step]);
            Seen::at(schedule)
        };
        self.collected.fault(fault, schedule);
    }

    /// The last event of the run and the one at `first` race: both are possible in the state that
    /// what happens before them leads to.
    pub fn race(&mut self, run: &Run, first: Position) {
        let last = run.len() - 1;
        let (one, other) = (&run.events[first as usize], &run.events[last as usize]);
        let (Some(a), Some(b)) = (&one.touch, &other.touch) else {
            return;
        };
        let ops = (a.op.min(b.op), a.op.max(b.op));
        let writes = a.mode == AccessMode::Write && b.mode == AccessMode::Write;
        let same_value = writes && a.written == b.written;
        let block = |agent: Agent| self.automaton.block_of(agent);
        let is_one_block = block(one.agent) == block(other.agent);
        let is_benign = || self.benign && same_value;
        if self.races.contains(&ops) || !may_conflict(a.kind(), b.kind(), is_one_block, is_benign) {
            return;
        }
        // A fault ends the run, so it comes second; where both would fault, none can come first.
        let (one, other) = match (one.effect, other.effect) {
            (Effect::Faults, Effect::Faults) => return,
            (Effect::Faults, _) => (other.agent, one.agent),
            _ => (one.agent, other.agent),
        };
        let before = run.past_of(&[first, last], false);
        let Some(words) = self.after(&before) else {
            return;
        };
        let access = |agent: Agent| -> Option<Access> { self.automaton.access_now(&words, agent) };
        let (Some(one_access), Some(other_access)) = (access(one), access(other)) else {
            return;
        };
        let state = State {
            words,
            end: End::No,
        };
        if !conflict(self.automaton, &state, &one_access, &other_access) {
            self.benign |= same_value;
            return;
        }
        self.races.insert(ops);
        let agents = before.into_iter().chain([one, other]);
        let schedule = schedule_of(self.automaton, agents);
        (self.collected).race([one_access, other_access], Seen::at(schedule));
    }

    /// The words after these agents have moved one after another from the start.
    fn after(&self, agents: &[Agent]) -> Option<Box<[u32]>> {
        let mut words = self.automaton.start();
        let (mut memo, mut step) = (Memo::of_size(64), Step::default());
        for &agent in agents {
            let moves = self.automaton.step(&words, agent, &mut memo, &mut step);
            if !moves || step.kind != Kind::Moves {
                return None;
            }
            apply(&mut words, &step.patches);
        }
        Some(words)
    }

    /// The last event brought its thread back to where it was. Whether it could cycle for ever
    /// is another question, since others may have moved in between: it is asked of the thread alone
    /// in the state that what happens before leads to.
    pub fn looked(&mut self, run: &Run) {
        let Some(event) = run.events.last().filter(|_| !self.cycle) else {
            return;
        };
        let before = run.past_of(&[run.len() - 1], false);
        let words = self.after(&before);
        self.cycle = words.is_some_and(|words| self.is_cycle(words, event.agent));
    }

    /// Whether a thread, alone, comes back to where it is and changes nothing on the way.
    fn is_cycle(&self, mut words: Box<[u32]>, thread: Agent) -> bool {
        let start = words[thread as usize];
        let (mut memo, mut step) = (Memo::of_size(64), Step::default());
        for _ in 0..=LOOKED_BACK {
            let moves = self.automaton.step(&words, thread, &mut memo, &mut step);
            let only_itself = step.patches.iter().all(|&(at, _)| at == thread);
            if !moves || step.kind != Kind::Moves || !only_itself {
                return false;
            }
            apply(&mut words, &step.patches);
            if words[thread as usize] == start {
                return true;
            }
        }
        false
    }

    /// The run leads to a state in which no thread is left to move.
    pub fn end(&mut self, run: &mut Run) -> Ended {
        if self.automaton.gave_up(&run.words) {
            return Ended::GivenUp;
        }
        let (mut faults, mut waits) = (false, false);
        for agent in 0..self.automaton.n_agents() {
            if run.look(agent) {
                match run.step.kind {
                    Kind::Moves => waits = true,
                    Kind::Faults | Kind::Discards => faults = true,
                }
            }
        }
        match (faults, waits) {
            (true, _) => Ended::Complete,
            (false, true) => Ended::Waiting,
            (false, false) => {
                if !self.remembers(&run.words) {
                    self.outcome(run);
                }
                Ended::Complete
            }
        }
    }

    fn remembers(&mut self, words: &[u32]) -> bool {
        use std::hash::BuildHasher;
        let at = rustc_hash::FxBuildHasher.hash_one(words) as usize % REMEMBERED_ENDS;
        if self.ends.is_empty() {
            self.ends = vec![Box::default(); REMEMBERED_ENDS];
        }
        if *self.ends[at] == *words {
            return true;
        }
        self.ends[at] = words.into();
        false
    }

    fn outcome(&mut self, run: &Run) {
        let automaton = self.automaton;
        let whole = || {
            let moves = run.events.iter();
            let moves = moves.filter(|event| matches!(event.effect, Effect::Moves { .. }));
            schedule_of(automaton, moves.map(|event| event.agent))
        };
        if automaton.all_ended(&run.words) {
            let observation = automaton.observation(&run.words);
            (self.collected).ended(observation, || Seen::at(whole()));
        } else {
            let positions = automaton.positions_in(&run.words);
            self.collected.stuck(positions, whole);
        }
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> u64 {
        let ends: usize = self.ends.iter().map(|end| size_of_val(&**end) + 16).sum();
        let steps: usize = self.collected.outcomes().map(|seen| seen.at.len()).sum();
        ends as u64 + steps as u64 * 48
    }
}
