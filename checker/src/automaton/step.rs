//! The transitions of a launch, worked out on flat words: what an agent does next, as the words
//! that change.

use super::barrier::Of;
use super::cells::Cell;
use super::local::{Local, LocalId, Memo};
use super::state::{Patch, PlaceId};
use super::system::Automaton;
use super::thread::Next;
use crate::compiled::arithmetic;
use crate::compiled::instruction::{AtomicSite, Instr};
use crate::system::footprint::AccessClass;
use gridlock_semantics::algebra::operator::{AtomicFn, OpId};
use gridlock_semantics::memory::conflict::AccessKind;
use gridlock_semantics::transition::AccessMode;

/// Who moves: a thread, by its number in the launch; after all threads, the barrier of a block;
/// after those, where there is one, the barrier of the grid.
/// Lanes that do a warp operation together move as the lowest of them.
pub type Agent = u32;

/// What a transition does besides changing words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The state after it is another, or (`patches` empty) the same.
    Moves,
    /// It ends the run: see `Automaton::fault`.
    Faults,
    /// It ends the run, which does not count.
    Discards,
}

/// A cell accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// Number of the cell among those of the automaton.
    pub place: PlaceId,
    /// Whether it reads, writes or does both in one step.
    pub mode: AccessMode,
    /// How it gets along with others at the same place.
    pub class: AccessClass,
    /// The operator that makes it.
    pub op: OpId,
    /// An atomic of block scope.
    pub narrow: bool,
    /// What a plain write leaves, if it is a value.
    pub written: Option<u64>,
}

impl Touch {
    /// How it meets others at its place.
    pub fn kind(&self) -> AccessKind {
        AccessKind {
            mode: self.mode,
            is_block_scoped: self.narrow,
        }
    }
}

/// A transition. Made once and filled again and again.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: Kind,
    pub touch: Option<Touch>,
    /// Nothing but what it touches can get in its way: false for arrivals at named barriers.
    pub alone: bool,
    pub patches: Vec<Patch>,
}

impl Default for Step {
    fn default() -> Step {
        Step {
            kind: Kind::Moves,
            touch: None,
            alone: true,
            patches: Vec::new(),
        }
    }
}

impl Automaton {
    /// Threads of the launch. Agents from this number on are barriers.
    pub fn n_threads_in_all(&self) -> u32 {
        self.plan.n_blocks * self.plan.n_threads
    }

    /// All who may move.
    pub fn n_agents(&self) -> u32 {
        self.n_threads_in_all() + self.plan.n_blocks + self.has_grid_barrier as u32
    }

    /// The block of an agent; of the barrier of the grid, one beyond the last.
    pub fn block_of(&self, agent: Agent) -> u32 {
        let n_threads = self.n_threads_in_all();
        if agent < n_threads {
            agent / self.plan.n_threads
        } else {
            agent - n_threads
        }
    }

    /// What `agent` does next in the state `words`, if it can move: fills `step`.
    pub fn step(&self, words: &[u32], agent: Agent, memo: &mut Memo, step: &mut Step) -> bool {
        step.kind = Kind::Moves;
        step.touch = None;
        step.alone = true;
        step.patches.clear();
        let moves = match self.barrier_of(agent) {
            None => self.thread_step(words, agent, memo, step),
            Some(of) => self.barrier_step(words, of, memo, step),
        };
        if moves && let Some(histories) = &self.histories {
            self.follow(histories, words, agent, memo, step);
        }
        moves
    }

    /// The barrier an agent is.
    pub(super) fn barrier_of(&self, agent: Agent) -> Option<Of> {
        let block = agent.checked_sub(self.n_threads_in_all())?;
        Some(match block < self.plan.n_blocks {
            true => Of::Block(block),
            false => Of::Grid,
        })
    }

    fn thread_step(&self, words: &[u32], thread: Agent, memo: &mut Memo, step: &mut Step) -> bool {
        let id = words[thread as usize];
        let local = self.locals.get(id);
        let block = thread / self.plan.n_threads;
        let after = match &local.next {
            Next::Load { cell, .. } => {
                step.touch = Some(self.touch(local, *cell, block, AccessMode::Read, None));
                let Some(bits) = self.plan.read(&self.cells, words, *cell, block) else {
                    step.kind = Kind::Faults;
                    return true;
                };
                let Instr::Load { dst, .. } = self.code.instrs[local.pc as usize] else {
                    return false;
                };
                self.after(memo, id, bits, |regs| regs[dst as usize] = bits)
            }
            Next::Store { cell, bits, .. } => {
                step.touch = Some(self.touch(local, *cell, block, AccessMode::Write, *bits));
                self.plan
                    .write(words, *cell, block, *bits, &mut step.patches);
                self.after(memo, id, 0, |_| {})
            }
            Next::WriteBack { cell, .. } => {
                let found = self.plan.read(&self.cells, words, *cell, block);
                step.touch = Some(self.touch(local, *cell, block, AccessMode::Write, found));
                self.after(memo, id, 0, |_| {})
            }
            Next::Atomic { cell, operands, .. } => {
                let mode = match self.fails_to_swap(words, thread, local) {
                    true => AccessMode::AtomicRead,
                    false => AccessMode::Atomic,
                };
                step.touch = Some(self.touch(local, *cell, block, mode, None));
                let Some(site) = self.atomic_site(local) else {
                    return false;
                };
                let found = self.plan.read(&self.cells, words, *cell, block);
                let needs_old = site.function != AtomicFn::Exch || site.result.is_some();
                let old = match found {
                    None if needs_old => {
                        step.kind = Kind::Faults;
                        return true;
                    }
                    found => found.unwrap_or(0),
                };
                let operands = &operands[..site.operands.len().min(2)];
                let bits = arithmetic::atomic(site.function, site.elem, old, operands);
                self.plan
                    .write(words, *cell, block, Some(bits), &mut step.patches);
                match site.result {
                    Some(result) => self.after(memo, id, old, |regs| regs[result as usize] = old),
                    None => self.after(memo, id, 0, |_| {}),
                }
            }
            Next::Exit { returned } => {
                let returned = *returned;
                memo.way(&self.locals, id, 0, || self.ended(returned))
            }
            Next::Fault(_) => {
                step.kind = Kind::Faults;
                return true;
            }
            Next::Discard => {
                step.kind = Kind::Discards;
                return true;
            }
            Next::Spin => return true,
            Next::SyncWarp { .. } | Next::Exchange { .. } => {
                return match self.warp_step(words, thread, memo, step) {
                    Ok(moves) => moves,
                    Err(()) => {
                        step.kind = Kind::Faults;
                        true
                    }
                };
            }
            Next::NamedBarrier(_) => return self.named_step(words, thread, memo, step),
            Next::Barrier | Next::GridBarrier | Next::Limit | Next::Ended { .. } => return false,
        };
        if after != id {
            step.patches.push((thread, after));
        }
        true
    }

    fn touch(
        &self,
        local: &Local,
        cell: Cell,
        block: u32,
        mode: AccessMode,
        written: Option<u64>,
    ) -> Touch {
        Touch {
            place: self.plan.place(cell, block),
            mode,
            class: local.class,
            op: local.op,
            narrow: local.narrow,
            written,
        }
    }

    /// The local state behind the visible step of `id`, which read `value`; `change` does to the
    /// registers what the step does.
    pub(super) fn after(
        &self,
        memo: &mut Memo,
        id: LocalId,
        value: u64,
        change: impl FnOnce(&mut [u64]),
    ) -> LocalId {
        self.after_as(memo, id, id, value, change)
    }

    /// The same, remembered under `key` in place of `id`.
    pub(super) fn after_as(
        &self,
        memo: &mut Memo,
        key: LocalId,
        id: LocalId,
        value: u64,
        change: impl FnOnce(&mut [u64]),
    ) -> LocalId {
        memo.way(&self.locals, key, value, || {
            let local = self.locals.get(id);
            let mut own = self.blank();
            own.restore(&local.kept, self.kept.at(local.pc));
            change(&mut own.regs);
            self.settled(own, local.pc + 1)
        })
    }

    /// Whether a thread is about to do a compare-and-swap that fails.
    pub(super) fn fails_to_swap(&self, words: &[u32], thread: Agent, local: &Local) -> bool {
        let Next::Atomic { cell, operands, .. } = &local.next else {
            return false;
        };
        let block = thread / self.plan.n_threads;
        let old = || self.plan.read(&self.cells, words, *cell, block);
        self.atomic_site(local).is_some_and(|site| {
            site.function == AtomicFn::Cas
                && old().is_some_and(|old| arithmetic::fails(site.function, old, operands))
        })
    }

    fn atomic_site(&self, local: &Local) -> Option<&AtomicSite> {
        match self.code.instrs[local.pc as usize] {
            Instr::Atomic { site } => self.code.atomics.get(site as usize),
            _ => None,
        }
    }
}
