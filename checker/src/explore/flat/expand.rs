//! The successors of a state, and what is seen from it.

use super::classes::{CodeAt, against, bit};
use super::footprints::{Footprints, Noted};
use super::print::{Base, Print, Printer};
use super::table::{N_SHARDS, Table, shard_of};
use super::walk::Ground;
use crate::automaton::{Agent, Automaton, FIXED, Kind, Memo, Patch, Step, Touch};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::memory::conflict::conflict;
use gridlock_semantics::transition::AccessMode;
use rustc_hash::FxHashSet;
use std::time::Instant;

/// How one state is reached from another: an agent's step, or a walk that can be taken again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Start,
    Agent(Agent),
    /// All blocks as far as nothing interferes; or, `Some`, one block.
    Launch(Option<u32>),
    /// Threads to their barriers, of all blocks or one.
    Threads(Option<u32>),
    /// All threads until no thread moves, though some wait for others in loops.
    Waiting,
}

const LAUNCH: u32 = 1 << 31;
const THREADS: u32 = 3 << 30;

impl Way {
    pub fn code(self) -> u32 {
        match self {
            Way::Agent(agent) => agent,
            Way::Launch(Some(block)) => LAUNCH | block,
            Way::Threads(Some(block)) => THREADS | block,
            Way::Launch(None) => u32::MAX,
            Way::Threads(None) => u32::MAX - 1,
            Way::Start => u32::MAX - 2,
            Way::Waiting => u32::MAX - 3,
        }
    }

    pub fn of_code(code: u32) -> Way {
        match code {
            u32::MAX => Way::Launch(None),
            code if code == u32::MAX - 1 => Way::Threads(None),
            code if code == u32::MAX - 2 => Way::Start,
            code if code == u32::MAX - 3 => Way::Waiting,
            code if code & THREADS == THREADS => Way::Threads(Some(code & !THREADS)),
            code if code & LAUNCH != 0 => Way::Launch(Some(code & !LAUNCH)),
            agent => Way::Agent(agent),
        }
    }
}

/// What does not change during a search.
pub struct Scene<'a> {
    pub automaton: &'a Automaton,
    pub printer: Printer<'a>,
    pub code: CodeAt,
    /// Leave out what cannot show anything new.
    pub reduce: bool,
    /// Blocks one after another, as if none touched what another does.
    pub by_blocks: bool,
    /// Look for stretches that nothing can come between.
    pub walks: bool,
    /// Look for stretches of any length: off where they turned out to be endless.
    pub look_far: bool,
    /// What local states and the past may take, in bytes.
    pub most_bytes: u64,
    pub until: Instant,
    /// Then even a batch that was begun in time is broken off.
    pub at_the_latest: Instant,
    /// Look for threads that can go to their barriers.
    pub look_at_threads: bool,
    /// Look whether the rest is determinate though threads wait for each other.
    pub look_at_waits: bool,
    /// Races and faults found before.
    pub known_races: FxHashSet<(OpId, OpId)>,
    pub known_faults: FxHashSet<(Agent, OpId)>,
}

/// A state reached.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub print: Print,
    /// Index of the state it is reached from among those expanded together.
    pub from: u32,
    pub way: u32,
    pub n_transitions: u32,
    /// Its changes among all changes.
    pub patches: (u32, u32),
}

/// Two accesses next in one state, of two agents, that race. The first is not a fault.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    pub from: u32,
    pub agents: [Agent; 2],
    pub ops: (OpId, OpId),
}

/// Everything found from some states expanded together.
#[derive(Default)]
pub struct Found {
    pub candidates: Vec<Candidate>,
    pub patches: Vec<Patch>,
    /// Candidates by shard, each shard's in the order found.
    pub order: Vec<u32>,
    pub starts: Vec<u32>,
    pub races: Vec<Race>,
    /// State and agent.
    pub faults: Vec<(u32, Agent)>,
    /// States from which no thread moves.
    pub ends: Vec<u32>,
    pub n_transitions: u64,
    /// Some step leads to the state it starts in.
    pub loops: bool,
    /// Nothing moves on any more in some state.
    pub exhausted: bool,
    /// Memory of all that blocks touched, as far as it was not noted before.
    pub touched: Vec<Noted>,
    /// Looks at threads, and how many of them gave something.
    pub looks: (u32, u32),
    /// Stretches that were given up because they were too long.
    pub overruns: u32,
    /// Not all states were expanded: the limit on bytes or seconds is near.
    pub cut: bool,
    /// The same for looks at launches that wait.
    pub waits: (u32, u32),
}

impl Found {
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.patches.clear();
        self.races.clear();
        self.faults.clear();
        self.ends.clear();
        self.touched.clear();
        (self.n_transitions, self.looks, self.waits) = (0, (0, 0), (0, 0));
        (self.loops, self.exhausted) = (false, false);
        (self.overruns, self.cut) = (0, false);
    }

    pub fn bytes(&self) -> u64 {
        self.candidates.capacity() as u64 * size_of::<Candidate>() as u64
            + self.patches.capacity() as u64 * 8
            + self.order.capacity() as u64 * 4
    }

    /// Sorts candidates by shard.
    pub fn sort(&mut self) {
        let mut starts = [0u32; N_SHARDS + 1];
        for candidate in &self.candidates {
            starts[shard_of(candidate.print) + 1] += 1;
        }
        for shard in 0..N_SHARDS {
            starts[shard + 1] += starts[shard];
        }
        self.starts.clear();
        self.starts.extend_from_slice(&starts);
        self.order.resize(self.candidates.len(), 0);
        for (number, candidate) in self.candidates.iter().enumerate() {
            let place = &mut starts[shard_of(candidate.print)];
            self.order[*place as usize] = number as u32;
            *place += 1;
        }
    }

    pub fn of_shard(&self, shard: usize) -> &[u32] {
        &self.order[self.starts[shard] as usize..self.starts[shard + 1] as usize]
    }
}

/// What an agent does next in the state being expanded.
pub struct Head {
    pub agent: Agent,
    pub kind: Kind,
    pub touch: Option<Touch>,
    pub patches: (u32, u32),
    /// Nothing but what it touches can get in its way.
    pub alone: bool,
}

/// One processor's place of work.
pub struct Worker {
    pub memo: Memo,
    pub step: Step,
    pub heads: Vec<Head>,
    pub patches: Vec<Patch>,
    pub base: Base,
    /// By place: when it was last looked at, and the head seen there last.
    seen: Vec<(u32, u32)>,
    /// By head: the head seen before at the same place.
    before: Vec<u32>,
    now: u32,
    /// Found in the states being expanded.
    new_races: FxHashSet<(OpId, OpId)>,
    new_faults: FxHashSet<(Agent, OpId)>,
    pub blocks: Footprints,
    pub walk: Ground,
    pub walk_patches: Vec<Patch>,
}

const NONE: u32 = u32::MAX;

impl Worker {
    pub fn new(automaton: &Automaton) -> Worker {
        Worker {
            memo: Memo::default(),
            step: Step::default(),
            heads: Vec::new(),
            patches: Vec::new(),
            base: Base::default(),
            seen: vec![(0, NONE); automaton.plan().n_cells() as usize],
            before: Vec::new(),
            now: 0,
            new_races: FxHashSet::default(),
            new_faults: FxHashSet::default(),
            blocks: Footprints::new(automaton),
            walk: Ground::new(automaton),
            walk_patches: Vec::new(),
        }
    }

    /// Begins with other states.
    pub fn begin(&mut self, found: &mut Found) {
        found.clear();
        self.new_races.clear();
        self.new_faults.clear();
    }

    /// Looks at one state: its number among those expanded together, its fingerprint and its words.
    pub fn expand(
        &mut self,
        scene: &Scene<'_>,
        table: &Table,
        (from, print): (u32, Print),
        words: &[u32],
        found: &mut Found,
    ) {
        found.cut |=
            scene.automaton.bytes() > scene.most_bytes || Instant::now() > scene.at_the_latest;
        if found.cut {
            return;
        }
        self.find_heads(scene, words);
        self.find_races(scene, from, found);
        if scene.by_blocks {
            // Also what those touch who only wait: they may never move.
            self.note_heads(scene.automaton, found);
        }
        let mut moves = 0;
        for head in &self.heads {
            match head.kind {
                Kind::Faults => {
                    let op = scene.automaton.op_of(words, head.agent);
                    let seen = (head.agent, op);
                    if !scene.known_faults.contains(&seen) && self.new_faults.insert(seen) {
                        found.faults.push((from, head.agent));
                    }
                }
                Kind::Moves if head.patches.0 == head.patches.1 => found.loops = true,
                Kind::Moves => moves += 1,
                Kind::Discards => {}
            }
        }
        if self.heads.is_empty() {
            found.ends.push(from);
        }
        if moves == 0 {
            found.n_transitions += self.heads.len() as u64;
            found.exhausted = true;
            return;
        }
        scene.printer.base_of(print, words, &mut self.base);
        if scene.reduce {
            let focus = scene.by_blocks.then(|| self.first_moving_block(scene));
            if let Some(focus) = focus {
                let automaton = scene.automaton;
                (self.heads).retain(|head| automaton.block_of(head.agent) == focus);
            }
            if self.reduced(scene, table, from, words, focus, found) {
                return;
            }
            if focus.is_some() && !self.leads_on(scene, table, words) {
                // A thread that was left out gets a turn.
                self.find_heads(scene, words);
            }
        }
        self.take_all(scene, from, words, found);
    }

    fn note_heads(&mut self, automaton: &Automaton, found: &mut Found) {
        for head in &self.heads {
            if let Some(touch) = &head.touch {
                self.blocks.note(automaton, head.agent, touch, found);
            }
        }
    }

    fn find_heads(&mut self, scene: &Scene<'_>, words: &[u32]) {
        self.heads.clear();
        self.patches.clear();
        for agent in 0..scene.automaton.n_agents() {
            if !(scene.automaton).step(words, agent, &mut self.memo, &mut self.step) {
                continue;
            }
            let first = self.patches.len() as u32;
            self.patches.extend_from_slice(&self.step.patches);
            self.heads.push(Head {
                agent,
                kind: self.step.kind,
                touch: self.step.touch,
                patches: (first, self.patches.len() as u32),
                alone: self.step.alone,
            });
        }
    }

    /// The block of the first agent that can go on.
    fn first_moving_block(&self, scene: &Scene<'_>) -> u32 {
        let moves = |head: &&Head| head.kind == Kind::Moves && head.patches.0 < head.patches.1;
        let blocks = self.heads.iter().filter(moves);
        let blocks = blocks.map(|head| scene.automaton.block_of(head.agent));
        blocks.min().unwrap_or(0)
    }

    fn take_all(&mut self, scene: &Scene<'_>, from: u32, words: &[u32], found: &mut Found) {
        for head in &self.heads {
            found.n_transitions += 1;
            let patches = &self.patches[head.patches.0 as usize..head.patches.1 as usize];
            if head.kind != Kind::Moves || patches.is_empty() {
                continue;
            }
            let print = scene.printer.after(words, &self.base, patches);
            found.push(print, from, Way::Agent(head.agent), 1, patches);
        }
    }

    /// Whether some head leads to a state that is still to be expanded.
    fn leads_on(&self, scene: &Scene<'_>, table: &Table, words: &[u32]) -> bool {
        self.heads.iter().any(|head| {
            let patches = &self.patches[head.patches.0 as usize..head.patches.1 as usize];
            head.kind == Kind::Moves
                && !patches.is_empty()
                && scene.is_open(table, words, patches, || {
                    scene.printer.after(words, &self.base, patches)
                })
        })
    }

    /// Pairs of conflicting accesses of different agents, one for each pair of operators not seen
    /// before.
    fn find_races(&mut self, scene: &Scene<'_>, from: u32, found: &mut Found) {
        self.now += 1;
        self.before.clear();
        self.before.resize(self.heads.len(), NONE);
        for number in 0..self.heads.len() {
            let Some(touch) = self.heads[number].touch else {
                continue;
            };
            if touch.place == FIXED {
                continue;
            }
            let (at, last) = self.seen[touch.place as usize];
            let mut other = if at == self.now { last } else { NONE };
            let mut stands_for_it = false;
            self.before[number] = other;
            while other != NONE {
                let head = &self.heads[other as usize];
                if let Some(first) = head.touch {
                    self.race(scene, from, other as usize, number, [first, touch], found);
                    stands_for_it |= first.op == touch.op
                        && first.mode == touch.mode
                        && touch.mode != AccessMode::Write
                        && !touch.narrow;
                }
                other = self.before[other as usize];
            }
            if !stands_for_it {
                self.seen[touch.place as usize] = (self.now, number as u32);
            }
        }
    }

    fn race(
        &mut self,
        scene: &Scene<'_>,
        from: u32,
        i: usize,
        j: usize,
        [first, second]: [Touch; 2],
        found: &mut Found,
    ) {
        let (a, b) = (&self.heads[i], &self.heads[j]);
        let block = |head: &Head| scene.automaton.block_of(head.agent);
        let is_benign =
            || scene.automaton.same_value_is_benign() && first.written == second.written;
        if !conflict(first.kind(), second.kind(), block(a) == block(b), is_benign) {
            return;
        }
        let agents = match (a.kind, b.kind) {
            (Kind::Faults, Kind::Faults) => return,
            // A fault ends the run, so it comes second.
            (Kind::Faults, _) => [b.agent, a.agent],
            _ => [a.agent, b.agent],
        };
        let ops = (first.op.min(second.op), first.op.max(second.op));
        if !scene.known_races.contains(&ops) && self.new_races.insert(ops) {
            found.races.push(Race { from, agents, ops });
        }
    }

    /// Whether two heads get in each other's way.
    pub fn some_interfere(&mut self) -> bool {
        self.now += 1;
        self.heads.iter().enumerate().any(|(number, head)| {
            let Some(touch) = head.touch.filter(|touch| touch.place != FIXED) else {
                return false;
            };
            let seen = &mut self.seen[touch.place as usize];
            let met = seen.0 == self.now
                && (self.heads[seen.1 as usize].touch)
                    .is_some_and(|other| against(touch.class) & bit(other.class) != 0);
            *seen = (self.now, number as u32);
            met
        })
    }
}

impl Found {
    pub fn push(
        &mut self,
        print: Print,
        from: u32,
        way: Way,
        n_transitions: u32,
        patches: &[Patch],
    ) {
        let first = self.patches.len() as u32;
        self.patches.extend_from_slice(patches);
        self.candidates.push(Candidate {
            print,
            from,
            way: way.code(),
            n_transitions,
            patches: (first, self.patches.len() as u32),
        });
    }
}

impl Scene<'_> {
    /// Whether the state after some changes has not been expanded yet.
    pub fn is_open(
        &self,
        table: &Table,
        words: &[u32],
        patches: &[Patch],
        print: impl FnOnce() -> Print,
    ) -> bool {
        let print = print();
        let in_order = || self.in_order(words, patches);
        match table.shards[shard_of(print)].find(print, in_order) {
            Some(seen) => !table.is_expanded(seen),
            None => true,
        }
    }

    /// The words after some changes, interchangeable parts in order.
    pub fn in_order(&self, words: &[u32], patches: &[Patch]) -> Box<[u32]> {
        let mut after = words.to_vec();
        crate::automaton::apply(&mut after, patches);
        self.printer.in_order(&after)
    }
}
