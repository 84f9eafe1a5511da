//! The transitions of a launch, worked out on flat words: what an agent does next, as the words
//! that change.

use super::cells::Cell;
use super::local::{Local, LocalId, Memo};
use super::state::{Patch, PlaceId};
use super::system::Automaton;
use super::thread::Next;
use crate::canonical::arithmetic;
use crate::compiled::instruction::{AtomicSite, Instr, Reg};
use crate::explore::footprint::AccessClass;
use gridlock_semantics::fault::AccessMode;
use gridlock_semantics::operator::{AtomicFn, OpId};
use gridlock_semantics::profile::ExitedThreads;

/// Who moves: a thread, by its number in the launch; or, after all threads, the barrier of a block.
/// Lanes that do a warp operation together move as the lowest of them.
pub type Agent = u32;

/// What a transition does besides changing words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The state after it is another, or (`patches` empty) the same.
    Moves,
    /// It ends the run: see [`Automaton::fault`].
    Faults,
    /// It ends the run, which does not count.
    Discards,
}

/// A cell accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    pub place: PlaceId,
    pub mode: AccessMode,
    pub class: AccessClass,
    pub op: OpId,
    /// An atomic of block scope.
    pub narrow: bool,
    /// What a plain write leaves.
    pub written: u64,
}

/// A transition. Made once and filled again and again.
#[derive(Clone, Debug)]
pub struct Step {
    pub kind: Kind,
    pub touch: Option<Touch>,
    pub patches: Vec<Patch>,
}

impl Default for Step {
    fn default() -> Step {
        Step {
            kind: Kind::Moves,
            touch: None,
            patches: Vec::new(),
        }
    }
}

impl Automaton {
    /// Threads of the launch. Agents from this number on are barriers of blocks.
    pub fn n_threads_in_all(&self) -> u32 {
        self.plan.n_blocks * self.plan.n_threads
    }

    /// All who may move: threads and blocks.
    pub fn n_agents(&self) -> u32 {
        self.n_threads_in_all() + self.plan.n_blocks
    }

    /// The block of an agent.
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
        step.patches.clear();
        let moves = if agent < self.n_threads_in_all() {
            self.thread_step(words, agent, memo, step)
        } else {
            self.barrier_step(words, agent - self.n_threads_in_all(), memo, step)
        };
        if moves && let Some(histories) = &self.histories {
            self.follow(histories, words, agent, memo, step);
        }
        moves
    }

    fn thread_step(&self, words: &[u32], thread: Agent, memo: &mut Memo, step: &mut Step) -> bool {
        let id = words[thread as usize];
        let local = self.locals.get(id);
        let block = thread / self.plan.n_threads;
        let after = match &local.next {
            Next::Load { cell, .. } => {
                step.touch = Some(self.touch(local, *cell, block, AccessMode::Read, 0));
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
            Next::Atomic { cell, operands, .. } => {
                step.touch = Some(self.touch(local, *cell, block, AccessMode::Atomic, 0));
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
                    .write(words, *cell, block, bits, &mut step.patches);
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
            Next::Barrier
            | Next::GridBarrier
            | Next::NamedBarrier(_)
            | Next::Limit
            | Next::Ended { .. } => return false,
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
        written: u64,
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

    fn atomic_site(&self, local: &Local) -> Option<&AtomicSite> {
        match self.code.instrs[local.pc as usize] {
            Instr::Atomic { site } => self.code.atomics.get(site as usize),
            _ => None,
        }
    }

    /// The iterations of the enclosing loops that a thread at a barrier has made.
    fn iterations<'a>(&'a self, local: &'a Local) -> impl Iterator<Item = u64> + 'a {
        let counters: &[Reg] = match self.code.instrs[local.pc as usize] {
            Instr::Barrier { site } => &self.code.barriers[site as usize].counters,
            _ => &[],
        };
        let kept = self.kept.at(local.pc);
        counters.iter().filter_map(move |counter| {
            let at = kept.binary_search(counter).ok()?;
            local.kept.get(at).copied()
        })
    }

    /// The collective barrier of a block: see [`gridlock_semantics::barrier`].
    fn barrier_step(&self, words: &[u32], block: u32, memo: &mut Memo, step: &mut Step) -> bool {
        let mut first: Option<LocalId> = None;
        let (mut ended, mut same) = (false, true);
        let threads = block * self.plan.n_threads..(block + 1) * self.plan.n_threads;
        for thread in threads.clone() {
            let id = words[thread as usize];
            if first == Some(id) {
                continue;
            }
            let local = self.locals.get(id);
            match local.next {
                Next::Barrier => match first {
                    None => first = Some(id),
                    Some(there) => {
                        let there = self.locals.get(there);
                        same &= there.pc == local.pc
                            && self.iterations(there).eq(self.iterations(local));
                    }
                },
                Next::Ended { returned } => match (self.exited_threads, returned) {
                    (ExitedThreads::BlockForever, _) => return false,
                    (ExitedThreads::Defect, _) | (ExitedThreads::ReturnOnly, false) => ended = true,
                    (ExitedThreads::Arrived, _) | (ExitedThreads::ReturnOnly, true) => {}
                },
                _ => return false,
            }
        }
        if first.is_none() {
            return false;
        }
        if ended || !same {
            step.kind = Kind::Faults;
            return true;
        }
        for thread in threads {
            let id = words[thread as usize];
            if !matches!(self.locals.get(id).next, Next::Barrier) {
                continue;
            }
            let after = self.after(memo, id, 0, |regs| {
                for counter in &self.code.counters {
                    regs[*counter as usize] = 0;
                }
            });
            if after != id {
                step.patches.push((thread, after));
            }
        }
        true
    }
}
