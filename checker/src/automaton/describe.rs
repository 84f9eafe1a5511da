//! States and transitions of an automaton in the terms of the semantics: labels, faults, where
//! threads stand, what is seen at the end.

use super::barrier::Of;
use super::cells::{Region, Shape};
use super::history::Keeps;
use super::local::{Local, Memo};
use super::state::{End, State, apply};
use super::step::{Agent, Kind, Step};
use super::system::Automaton;
use super::thread::{ElementPlace, Next};
use super::warp::{Gathering, is_joint};
use crate::compiled::instruction::Instr;
use crate::compiled::raw;
use crate::order::conflict_unless;
use crate::system::footprint::{AccessClass, MayTouch};
use crate::system::{DeviceShape, Explorable, Threadwise, WarpWait};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::memory::conflict::AccessKind;
use gridlock_semantics::system::observation::{Observation, ObservedArray};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::{Fault, FaultKind, ThreadPosition};
use gridlock_semantics::transition::{Access, Actor, Label, Rule, TransitionSystem};

/// What a word holds the number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbered {
    /// Of nothing: it is what it is.
    Not,
    Local,
    History,
    Gathering,
}

impl Automaton {
    /// Who an agent is.
    pub fn actor(&self, agent: Agent) -> Actor {
        match self.barrier_of(agent) {
            Some(Of::Block(block)) => Actor::Block(block),
            Some(Of::Grid) => Actor::Device,
            None => Actor::Thread {
                block: agent / self.plan.n_threads,
                thread: agent % self.plan.n_threads,
            },
        }
    }

    /// Who stands for an actor, if anybody.
    pub fn agent(&self, actor: Actor) -> Option<Agent> {
        match actor {
            Actor::Thread { block, thread } => Some(self.plan.slot(block, thread)),
            Actor::Block(block) => Some(self.n_threads_in_all() + block),
            Actor::Device if self.has_grid_barrier => Some(self.n_agents() - 1),
            _ => None,
        }
    }

    /// The label of what `agent` does next; `faults`: it is a fault.
    pub fn label(&self, words: &[u32], agent: Agent, faults: bool) -> Label {
        let actor = self.actor(agent);
        let mut label = match self.barrier_of(agent) {
            Some(of) => self.barrier_label(words, of),
            None => self.thread_label(words, agent, faults),
        };
        if faults {
            label.fault = Some(self.fault(words, agent, actor, label.op));
        }
        label
    }

    fn thread_label(&self, words: &[u32], thread: Agent, faults: bool) -> Label {
        let local = self.locals.get(words[thread as usize]);
        let rule = match local.next {
            Next::Exit { .. } => Rule::R10,
            Next::Spin => Rule::R3,
            Next::SyncWarp { .. } if !faults => Rule::WarpBarrier,
            Next::Exchange { .. } if !faults => Rule::WarpExchange,
            Next::NamedBarrier(_) => Rule::NamedBarrier,
            Next::Fault(_) => self.rules.get(&local.op).copied().unwrap_or(Rule::R1),
            _ => Rule::R1,
        };
        let actors = match is_joint(&local.next) && !faults {
            true => self.together(words, thread),
            false => vec![thread],
        };
        Label {
            rule,
            actors: actors.into_iter().map(|agent| self.actor(agent)).collect(),
            op: Some(local.op),
            accesses: self.access_now(words, thread).into_iter().collect(),
            fault: None,
        }
    }

    /// The access a thread makes next in these words: they tell whether a compare-and-swap fails.
    pub fn access_now(&self, words: &[u32], thread: Agent) -> Option<Access> {
        let local = self.locals.get(words[thread as usize]);
        let access = self.access(local, self.actor(thread))?;
        let mode = match self.fails_to_swap(words, thread, local) {
            true => AccessMode::AtomicRead,
            false => access.mode,
        };
        Some(Access { mode, ..access })
    }

    /// The access a thread makes next, a compare-and-swap taken to succeed.
    pub fn access(&self, local: &Local, actor: Actor) -> Option<Access> {
        let (at, mode) = match &local.next {
            Next::Load { at, .. } => (at, AccessMode::Read),
            Next::Store { at, .. } | Next::WriteBack { at, .. } => (at, AccessMode::Write),
            Next::Atomic { at, .. } => (at, AccessMode::Atomic),
            _ => return None,
        };
        Some(Access {
            actor,
            array: at.array,
            index: at.index,
            mode,
            op: local.op,
        })
    }

    fn barrier_label(&self, words: &[u32], of: Of) -> Label {
        let waiting: Vec<Agent> = self.waiting(words, of).collect();
        let op = waiting.first();
        Label {
            rule: match of {
                Of::Block(_) => Rule::CollectiveBarrier,
                Of::Grid => Rule::GridBarrier,
            },
            op: op.map(|thread| self.locals.get(words[*thread as usize]).op),
            actors: waiting.into_iter().map(|t| self.actor(t)).collect(),
            accesses: Vec::new(),
            fault: None,
        }
    }

    fn fault(&self, words: &[u32], agent: Agent, actor: Actor, op: Option<OpId>) -> Fault {
        let kind = match actor {
            Actor::Block(block) => FaultKind::BarrierDivergence {
                positions: self.positions_of(words, block),
            },
            Actor::Device => FaultKind::BarrierDivergence {
                positions: self.positions_in(words),
            },
            _ => match &self.locals.get(words[agent as usize]).next {
                Next::Fault(kind) => (**kind).clone(),
                Next::SyncWarp { .. } | Next::Exchange { .. } => {
                    match self.gathering(words, agent) {
                        Gathering::Bad(kind) => kind,
                        // No other step faults.
                        _ => FaultKind::AssertionFailed,
                    }
                }
                Next::Load { at, .. }
                | Next::Store { at, .. }
                | Next::WriteBack { at, .. }
                | Next::Atomic { at, .. } => self.nothing_at(*at),
                Next::NamedBarrier(arrival) => match self.arrives(words, agent, arrival) {
                    Some(Err(kind)) => kind,
                    // No other step faults.
                    _ => FaultKind::AssertionFailed,
                },
                // No other step faults.
                _ => FaultKind::AssertionFailed,
            },
        };
        Fault {
            kind,
            actor,
            op: op.unwrap_or(OpId(u32::MAX)),
        }
    }

    fn nothing_at(&self, at: ElementPlace) -> FaultKind {
        let shape = self.cells.shape_of(at.array);
        FaultKind::UninitialisedRead {
            array: shape.map_or("".into(), |shape| shape.name.clone()),
            space: shape.map_or(Space::Global, |shape| shape.space),
            index: at.index,
        }
    }

    fn positions_of(&self, words: &[u32], block: u32) -> Vec<ThreadPosition> {
        let position = |thread| {
            let local = self.locals.get(self.plan.local(words, block, thread));
            let (op, returned) = match local.next {
                Next::Ended { returned } => (None, returned),
                _ => (Some(local.op), false),
            };
            let actor = Actor::Thread { block, thread };
            ThreadPosition {
                actor,
                op,
                returned,
            }
        };
        (0..self.plan.n_threads).map(position).collect()
    }

    /// Where every thread stands.
    pub fn positions_in(&self, words: &[u32]) -> Vec<ThreadPosition> {
        let blocks = 0..self.plan.n_blocks;
        blocks
            .flat_map(|block| self.positions_of(words, block))
            .collect()
    }

    /// Whether every thread has ended.
    pub fn all_ended(&self, words: &[u32]) -> bool {
        let threads = &words[..self.n_threads_in_all() as usize];
        let ended = |id: &u32| matches!(self.locals.get(*id).next, Next::Ended { .. });
        threads.iter().all(ended)
    }

    /// Whether a thread was given up: what it does is not known.
    pub fn gave_up(&self, words: &[u32]) -> bool {
        let threads = &words[..self.n_threads_in_all() as usize];
        let given_up = |id: &u32| self.locals.get(*id).next == Next::Limit;
        threads.iter().any(given_up)
    }

    /// What is seen of a run that ends in a state.
    pub fn observation(&self, words: &[u32]) -> Observation {
        let observed = self.observed.iter().map(|index| {
            let shape = &self.cells.global[*index];
            let value = |n: u64| {
                let cell = shape.cell(n as u32);
                let bits = self.plan.read(&self.cells, words, cell, 0);
                bits.map_or(Value::Undef, |bits| raw::to_value(bits, shape.elem))
            };
            // An open array is seen up to the last cell that has changed.
            let changed = |n: &u64| {
                let cell = shape.cell(*n as u32);
                let first = &self.cells.at_first[cell.region as usize];
                let number = cell.number as usize;
                let bits = first.defined[number].then(|| first.bits[number]);
                self.plan.read(&self.cells, words, cell, 0) != bits
            };
            let len = match shape.wanted {
                None => shape.extent,
                Some(_) => (0..shape.extent)
                    .rev()
                    .find(changed)
                    .map_or(0, |last| last + 1),
            };
            ObservedArray {
                name: shape.name.clone(),
                elem: shape.elem,
                cells: (0..len).map(value).collect(),
            }
        });
        Observation {
            arrays: observed.collect(),
            result: None,
        }
    }

    /// What the launch's code may touch.
    pub fn code(&self) -> Option<&MayTouch> {
        self.reference.may_touch_of(self.kernel)
    }

    /// Which words hold numbers of things found on the way, and of what kind.
    pub fn numbered_words(&self) -> Vec<Numbered> {
        let mut kinds = vec![Numbered::Not; self.plan.n_words as usize];
        kinds[..self.n_threads_in_all() as usize].fill(Numbered::Local);
        if let Some(at) = self.plan.history {
            kinds[at as usize] = Numbered::History;
        }
        if let Some(at) = self.plan.named {
            let at = at as usize;
            kinds[at..at + self.plan.n_blocks as usize].fill(Numbered::Gathering);
        }
        kinds
    }

    /// A fingerprint of what a number stands for: the same whichever worker found it first.
    pub fn print_of(&self, kind: Numbered, number: u32) -> u128 {
        let history = |h: &super::history::Histories| h.print(number);
        let gathering = |g: &super::named::Gatherings| g.print(number);
        let of = match kind {
            Numbered::Not => None,
            Numbered::Local => Some(self.locals.print(number)),
            Numbered::History => self.histories.as_ref().map(history),
            Numbered::Gathering => self.gatherings.as_ref().map(gathering),
        };
        of.unwrap_or(number as u128)
    }

    /// The operator of what an agent does next.
    pub fn op_of(&self, words: &[u32], agent: Agent) -> OpId {
        match self.barrier_of(agent) {
            Some(of) => {
                let op = self.barrier_label(words, of).op;
                op.unwrap_or(OpId(u32::MAX))
            }
            None => self.locals.get(words[agent as usize]).op,
        }
    }

    /// Whether what an agent does next is not known.
    pub fn is_given_up(&self, words: &[u32], agent: Agent) -> bool {
        agent < self.n_threads_in_all()
            && self.locals.get(words[agent as usize]).next == Next::Limit
    }

    /// Whether threads wait for others at nothing but the barriers of their blocks.
    pub fn has_only_block_barriers(&self) -> bool {
        self.n_agents() == self.n_threads_in_all() + self.plan.n_blocks
            && self.plan.named.is_none()
            && !self.has_warp_operations()
    }

    /// The array of each place, in order.
    pub fn arrays_of_places(&self) -> Vec<ArrayRef> {
        let mut arrays = Vec::with_capacity(self.plan.n_cells() as usize);
        let mut push = |array, shape: &Shape| {
            if shape.first.region != Region::Fixed {
                arrays.extend(std::iter::repeat_n(array, shape.extent as usize));
            }
        };
        for (number, shape) in self.cells.global.iter().enumerate() {
            push(ArrayRef::Global(number as u32), shape);
        }
        for _ in 0..self.plan.n_blocks {
            for (number, shape) in self.cells.shared.iter().enumerate() {
                if let Some(shape) = shape {
                    push(ArrayRef::Shared(ArrayId(number as u32)), shape);
                }
            }
        }
        arrays
    }

    /// Whether the same value written twice is no race.
    pub fn same_value_is_benign(&self) -> bool {
        self.benign_same_value
    }

    /// Whether what a thread does depends on nothing but its local state, its block and memory.
    pub fn knows_threads_by_state(&self) -> bool {
        self.keeps == Keeps::Nothing
            && !self.has_warp_operations()
            && self.plan.named.is_none()
            && !self.counts_blocks_in()
    }

    /// Whether the first thread of a block means something else to the barrier of the grid than the others.
    fn counts_blocks_in(&self) -> bool {
        let [first, other] =
            [true, false].map(|counts| self.exited_threads.at_grid_barrier(counts));
        self.has_grid_barrier && first != other
    }

    /// Whether lanes of a warp do anything together, or states keep what races across that.
    pub fn has_warp_operations(&self) -> bool {
        let joint = |instr: &Instr| {
            matches!(
                instr,
                Instr::SyncWarp { .. } | Instr::Warp { .. } | Instr::ActiveMask { .. }
            )
        };
        self.keeps == Keeps::Past || self.code.instrs.iter().any(joint)
    }

    /// How far the threads of the blocks are from meeting: threads that wait at different
    /// barriers, or wait while others of their block have ended, count.
    pub fn discord(&self, words: &[u32]) -> u32 {
        let n_threads = self.plan.n_threads as usize;
        let blocks = words[..self.n_threads_in_all() as usize].chunks(n_threads);
        let of_block = |block: &[u32]| {
            let (mut at, mut n_waiting, mut n_ended, mut n_elsewhere) = (None, 0, 0, 0);
            for id in block {
                let local = self.locals.get(*id);
                match local.next {
                    Next::Barrier => {
                        n_waiting += 1;
                        n_elsewhere += (*at.get_or_insert(local.pc) != local.pc) as u32;
                    }
                    Next::Ended { .. } => n_ended += 1,
                    _ => {}
                }
            }
            n_waiting.min(n_ended) + n_elsewhere
        };
        blocks.map(of_block).sum()
    }

    fn fire(&self, state: &State, agent: Agent, found: &mut Vec<(Label, State)>) {
        let mut step = Step::default();
        if state.end != End::No || !self.step(&state.words, agent, &mut Memo::of_size(1), &mut step)
        {
            return;
        }
        let mut next = state.clone();
        match step.kind {
            Kind::Moves => apply(&mut next.words, &step.patches),
            Kind::Faults => next.end = End::Fault,
            Kind::Discards => next.end = End::Discarded,
        }
        let label = self.label(&state.words, agent, step.kind == Kind::Faults);
        found.push((label, next));
    }

    /// The value a plain write leaves, if any, that its thread makes next.
    fn written(&self, state: &State, write: &Access) -> Option<Option<u64>> {
        let agent = self.agent(write.actor)?;
        let local = self.locals.get(state.words[agent as usize]);
        match local.next {
            Next::Store { bits, .. } if self.access(local, write.actor) == Some(*write) => {
                Some(bits)
            }
            _ => None,
        }
    }

    /// Who moves for `agent`: the lowest lane, where several go on together.
    fn leader(&self, words: &[u32], agent: Agent) -> Agent {
        let joint = agent < self.n_threads_in_all()
            && is_joint(&self.locals.get(words[agent as usize]).next);
        let together = joint.then(|| self.together(words, agent));
        together
            .and_then(|all| all.first().copied())
            .unwrap_or(agent)
    }
}

impl TransitionSystem for Automaton {
    type State = State;

    fn initial(&self) -> Vec<State> {
        vec![State {
            words: self.start(),
            end: End::No,
        }]
    }

    fn successors(&self, state: &State, found: &mut Vec<(Label, State)>) {
        for block in 0..self.plan.n_blocks {
            for thread in 0..self.plan.n_threads {
                self.fire(state, self.plan.slot(block, thread), found);
            }
            self.fire(state, self.n_threads_in_all() + block, found);
        }
        if self.has_grid_barrier {
            self.fire(state, self.n_agents() - 1, found);
        }
    }

    fn is_final(&self, state: &State) -> bool {
        state.end == End::No && self.all_ended(&state.words)
    }

    fn is_discarded(&self, state: &State) -> bool {
        state.end == End::Discarded
    }
}

impl Explorable for Automaton {
    fn observe(&self, state: &State) -> Observation {
        self.observation(&state.words)
    }

    fn positions(&self, state: &State) -> Vec<ThreadPosition> {
        self.positions_in(&state.words)
    }

    fn state_bytes(&self, state: &State) -> u64 {
        (size_of::<State>() + size_of_val(&*state.words)) as u64
    }

    fn too_wide(&self, state: &State) -> Option<String> {
        self.gave_up(&state.words)
            .then(|| crate::limits::ALONE.to_owned())
    }

    fn access_class(&self, access: &Access) -> AccessClass {
        self.reference.access_class(access)
    }

    fn unordered_before(&self, state: &State, second: &Access) -> Option<Access> {
        self.unordered_before(&state.words, second, |first, wrote| {
            let is_benign = || wrote.is_some() && wrote == self.written(state, second);
            conflict_unless(self, first, second, is_benign)
        })
    }

    fn access_kind(&self, access: &Access) -> AccessKind {
        self.reference.access_kind(access)
    }

    fn is_benign(&self, state: &State, first: &Access, second: &Access) -> bool {
        let same = || {
            let value = self.written(state, first);
            value.is_some() && value == self.written(state, second)
        };
        self.benign_same_value && same()
    }
}

impl Threadwise for Automaton {
    fn device(&self, _: &State) -> Option<DeviceShape> {
        Some(DeviceShape {
            n_blocks: self.plan.n_blocks,
            n_threads: self.plan.n_threads,
            n_lanes: self.n_lanes,
        })
    }

    fn fire_actor(&self, state: &State, actor: Actor, found: &mut Vec<(Label, State)>) {
        if let Some(agent) = self.agent(actor) {
            self.fire(state, self.leader(&state.words, agent), found);
        }
    }

    fn may_touch(&self, _: &State) -> Option<&MayTouch> {
        self.code()
    }

    fn warp_wait(&self, state: &State, actor: Actor) -> Option<WarpWait> {
        self.waits_for(&state.words, self.agent(actor)?)
    }
}
