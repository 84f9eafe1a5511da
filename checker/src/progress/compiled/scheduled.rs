//! A launch whose blocks start as the scheduling for termination lets them.
//!
//! A state is that of the automaton, a word for each block that says whether it has started, and
//! one that says how many blocks may run together ([`FREE`]: as many as there are). Agents are the
//! automaton's, and behind them the start of each block.
//!
//! A block starts with the first step of one of its threads. All of them stand at the same
//! operator first: where that is a private step, starting is a step by itself here, and the threads
//! then stand where it and the private steps behind it have brought them. Where others can see it,
//! it is a step of the automaton that starts the block besides.
//!
//! **Blocks start at once** where each has a place whatever happens. If one never started, the
//! guarantee would be broken, or there is none; and to start is independent of what others do.
//! Of blocks that have a place whatever happens it is not kept how many places there are.

use crate::automaton::{Agent, Automaton, Kind, Memo, Patch, Standing, Step, Touch};
use crate::explore::flat::classes::CodeAt;
use crate::explore::flat::walk::changes;
use gridlock_semantics::profile::{BlockScheduling, NextBlock, Residency};

/// The number of places that are no limit.
pub const FREE: u32 = u32::MAX;

/// Harmless steps of one thread in a row, before it is left where it was.
const MOST_HARMLESS: usize = 500;
/// Barriers met in a row.
const MOST_RELEASES: u32 = 1_000;

/// A launch and how its blocks start.
pub struct Scheduled<'a> {
    pub automaton: &'a Automaton,
    code: CodeAt,
    scheduling: BlockScheduling,
    /// The first step of a thread is private.
    pub starts_privately: bool,
    /// Steps that meet nothing others may do are taken at once ([`super`]).
    pub leaps: bool,
    n_own: usize,
}

impl<'a> Scheduled<'a> {
    pub fn new(
        automaton: &'a Automaton,
        scheduling: BlockScheduling,
        starts_privately: bool,
    ) -> Scheduled<'a> {
        Scheduled {
            automaton,
            code: CodeAt::new(automaton),
            scheduling,
            starts_privately,
            leaps: true,
            n_own: automaton.plan().n_words as usize,
        }
    }

    /// Words of a state.
    pub fn n_words(&self) -> usize {
        self.n_own + self.automaton.n_blocks() as usize + 1
    }

    /// All who may move.
    pub fn n_agents(&self) -> u32 {
        self.automaton.n_agents() + self.automaton.n_blocks()
    }

    /// The block that an agent starts.
    pub fn starts(&self, agent: Agent) -> Option<u32> {
        agent.checked_sub(self.automaton.n_agents())
    }

    fn start_of(&self, block: u32) -> Agent {
        self.automaton.n_agents() + block
    }

    /// The numbers of places that runs begin with.
    pub fn places(&self) -> Vec<u32> {
        let n_blocks = self.automaton.n_blocks();
        if self.automaton.is_cooperative() {
            return vec![FREE];
        }
        match self.scheduling.residency {
            // Where one thread moves at a time, a block that starts beside another leaves it out.
            Residency::StartRule | Residency::RunToCompletion => vec![1],
            Residency::Resident(limit) => vec![limit.max(1)],
            Residency::EveryResident => (1..=n_blocks).collect(),
            Residency::AllResident => vec![FREE],
        }
    }

    fn in_order(&self) -> bool {
        self.scheduling.next == NextBlock::InOrder && !self.automaton.is_cooperative()
    }

    /// Whether a block may take the place of another.
    pub fn blocks_are_alike(&self) -> bool {
        !self.in_order()
    }

    /// Whether all blocks start at once where places are no limit.
    fn starts_at_once(&self) -> bool {
        self.starts_privately || !self.in_order()
    }

    pub fn is_started(&self, words: &[u32], block: u32) -> bool {
        words[self.n_own + block as usize] != 0
    }

    fn n_places(&self, words: &[u32]) -> u32 {
        words[self.n_words() - 1]
    }

    /// Blocks that have started and not ended, and those that have not started.
    fn running(&self, words: &[u32]) -> (u32, u32) {
        let n_threads = self.automaton.n_threads();
        let (mut active, mut fresh) = (0, 0);
        for block in 0..self.automaton.n_blocks() {
            let mut own = block * n_threads..(block + 1) * n_threads;
            if !self.is_started(words, block) {
                fresh += 1;
            } else if own.any(|t| self.automaton.standing(words, t) != Standing::Ended) {
                active += 1;
            }
        }
        (active, fresh)
    }

    /// The blocks that may start next, ascending.
    pub fn startable(&self, words: &[u32]) -> Vec<u32> {
        let fresh = |block: &u32| !self.is_started(words, *block);
        let mut blocks: Vec<u32> = (0..self.automaton.n_blocks()).filter(fresh).collect();
        if blocks.is_empty() {
            return blocks;
        }
        let places = self.n_places(words);
        if places != FREE && self.running(words).0 >= places {
            blocks.clear();
        } else if self.in_order() {
            blocks.truncate(1);
        }
        blocks
    }

    /// Whether nothing that the code of others may do gets in the way of a step.
    fn is_harmless(&self, touch: Option<&Touch>) -> bool {
        touch.is_none_or(|touch| !self.code.meets(touch))
    }
}

/// What an agent can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Disabled,
    /// It can move, and no run goes on from there: a fault, or a failing assumption.
    Ends,
    Goes,
}

/// Where steps are taken.
pub struct Walk<'s> {
    scheduled: &'s Scheduled<'s>,
    memo: Memo,
    step: Step,
    pub words: Vec<u32>,
    /// Words changed, and what they were.
    log: Vec<Patch>,
    /// Who moved, in order.
    pub agents: Vec<Agent>,
    todo: Vec<Agent>,
    saved: Vec<u32>,
    /// Barriers were met again and again: states in between are not canonical.
    pub overran: bool,
}

impl<'s> Walk<'s> {
    pub fn new(scheduled: &'s Scheduled<'s>) -> Walk<'s> {
        Walk {
            scheduled,
            memo: Memo::default(),
            step: Step::default(),
            words: Vec::new(),
            log: Vec::new(),
            agents: Vec::new(),
            todo: Vec::new(),
            saved: Vec::new(),
            overran: false,
        }
    }

    fn begin(&mut self, words: &[u32]) {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.log.clear();
        self.agents.clear();
        self.todo.clear();
    }

    /// The state a run with so many places begins in is left in `words`.
    pub fn start(&mut self, places: u32) {
        let own = self.scheduled.automaton.start();
        self.begin(&own);
        self.words.resize(self.scheduled.n_words(), 0);
        let last = self.words.len() - 1;
        self.words[last] = places;
        self.place();
        self.settle();
    }

    /// What `agent` can do in a state; where it goes, the state behind it, and behind all harmless
    /// steps, is left in `words`. `startable` as [`Scheduled::startable`].
    pub fn go(&mut self, words: &[u32], startable: &[u32], agent: Agent) -> Way {
        let scheduled = self.scheduled;
        let automaton = scheduled.automaton;
        if let Some(block) = scheduled.starts(agent) {
            if !scheduled.starts_privately || !startable.contains(&block) {
                return Way::Disabled;
            }
            self.begin(words);
            self.start_block(block);
        } else {
            let block = automaton.block_of(agent);
            let is_one = block < automaton.n_blocks();
            let fresh = is_one && !scheduled.is_started(words, block);
            if fresh && (scheduled.starts_privately || !startable.contains(&block)) {
                return Way::Disabled;
            }
            if !automaton.step(words, agent, &mut self.memo, &mut self.step) {
                return Way::Disabled;
            }
            if self.step.kind != Kind::Moves {
                return Way::Ends;
            }
            self.begin(words);
            self.apply(agent);
            if fresh {
                self.mark_started(block);
            }
            if agent < automaton.n_threads_in_all() {
                self.todo.push(agent);
            }
        }
        self.place();
        self.settle();
        Way::Goes
    }

    fn set(&mut self, at: usize, to: u32) {
        self.log.push((at as u32, self.words[at]));
        self.words[at] = to;
    }

    fn mark_started(&mut self, block: u32) {
        self.set(self.scheduled.n_own + block as usize, 1);
        let n_threads = self.scheduled.automaton.n_threads();
        self.todo.extend(block * n_threads..(block + 1) * n_threads);
    }

    fn start_block(&mut self, block: u32) {
        self.mark_started(block);
        self.agents.push(self.scheduled.start_of(block));
    }

    /// Makes the changes of the step at hand.
    fn apply(&mut self, agent: Agent) {
        let n_threads = self.scheduled.automaton.n_threads_in_all();
        for number in 0..self.step.patches.len() {
            let (at, to) = self.step.patches[number];
            self.set(at as usize, to);
            if at < n_threads && at != agent {
                self.todo.push(at);
            }
        }
        self.agents.push(agent);
    }

    /// Forgets how many places there are where that is no limit any more, and starts the blocks
    /// that then start at once.
    fn place(&mut self) {
        let scheduled = self.scheduled;
        let last = self.words.len() - 1;
        if self.words[last] != FREE {
            let (active, fresh) = scheduled.running(&self.words);
            if active + fresh > self.words[last] {
                return;
            }
            self.set(last, FREE);
        }
        if scheduled.starts_at_once() {
            for block in 0..scheduled.automaton.n_blocks() {
                if !scheduled.is_started(&self.words, block) {
                    self.start_block(block);
                }
            }
        }
    }

    /// Takes the harmless steps of those who have moved, and of those whom they let go.
    fn settle(&mut self) {
        if !self.scheduled.leaps {
            return;
        }
        let automaton = self.scheduled.automaton;
        let mut releases = 0;
        while let Some(thread) = self.todo.pop() {
            if !(self.scheduled).is_started(&self.words, automaton.block_of(thread)) {
                continue;
            }
            self.run(thread);
            releases += self.release(thread) as u32;
            if releases > MOST_RELEASES {
                self.overran = true;
                self.todo.clear();
            }
        }
    }

    /// The harmless steps of one thread by itself; none where they never end.
    fn run(&mut self, thread: Agent) {
        let (scheduled, automaton) = (self.scheduled, self.scheduled.automaton);
        let (n_before, log_before) = (self.agents.len(), self.log.len());
        let mut next_save = 16;
        loop {
            if automaton.standing(&self.words, thread) != Standing::Free
                || !automaton.step(&self.words, thread, &mut self.memo, &mut self.step)
                || self.step.kind != Kind::Moves
                || self.step.patches.is_empty()
                || !self.step.alone
                || !scheduled.is_harmless(self.step.touch.as_ref())
            {
                return;
            }
            self.apply(thread);
            let n = self.agents.len() - n_before;
            if n > MOST_HARMLESS || next_save > 16 && self.words == self.saved {
                self.agents.truncate(n_before);
                for (at, old) in self.log.drain(log_before..).rev() {
                    self.words[at as usize] = old;
                }
                return;
            }
            if n == next_save {
                next_save *= 2;
                self.saved.clone_from(&self.words);
            }
        }
    }

    /// Lets those go on who waited for a thread; whether any did.
    fn release(&mut self, thread: Agent) -> bool {
        let automaton = self.scheduled.automaton;
        let standing = automaton.standing(&self.words, thread);
        let mut any = false;
        if matches!(
            standing,
            Standing::Ended | Standing::AtBarrier | Standing::AtGridBarrier
        ) {
            let first = automaton.n_threads_in_all();
            any |= self.meet(first + automaton.block_of(thread));
            if automaton.n_agents() > first + automaton.n_blocks() {
                any |= self.meet(automaton.n_agents() - 1);
            }
        }
        if standing == Standing::Ended {
            self.place();
        }
        if standing != Standing::Free && automaton.has_warp_operations() {
            for lane in automaton.warp_of(thread) {
                if automaton.standing(&self.words, lane) == Standing::WithLanes {
                    any |= self.meet(lane);
                }
            }
        }
        any
    }

    /// A barrier of any kind, where it is complete.
    fn meet(&mut self, agent: Agent) -> bool {
        let automaton = self.scheduled.automaton;
        let meets = automaton.step(&self.words, agent, &mut self.memo, &mut self.step)
            && self.step.kind == Kind::Moves
            && !self.step.patches.is_empty();
        if meets {
            self.apply(agent);
            if agent < automaton.n_threads_in_all() {
                self.todo.push(agent);
            }
        }
        meets
    }

    /// What has changed since the start of the last step.
    pub fn patches(&mut self, out: &mut Vec<Patch>) {
        changes(&mut self.log, &self.words, out);
    }
}
