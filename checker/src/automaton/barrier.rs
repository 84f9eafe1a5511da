//! The collective barriers of blocks ([`gridlock_semantics::block::collective_barrier`]) and of the grid
//! ([`gridlock_semantics::grid::barrier`]).

use super::local::{Local, LocalId, Memo};
use super::step::{Agent, Kind, Step};
use super::system::Automaton;
use super::thread::Next;
use crate::compiled::instruction::{BarrierSite, Instr, Reg};
use gridlock_semantics::algebra::operator::Met;
use gridlock_semantics::profile::AtBarrier;
use std::ops::Range;

/// Whose barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Block(u32),
    Grid,
}

impl Of {
    /// Whether a thread that does this next waits there.
    pub fn waits(self, next: &Next) -> bool {
        match self {
            Of::Block(_) => matches!(next, Next::Barrier),
            Of::Grid => matches!(next, Next::GridBarrier),
        }
    }
}

impl Automaton {
    /// Those who meet at a barrier.
    pub(super) fn threads_of(&self, of: Of) -> Range<Agent> {
        let n_threads = self.plan.n_threads;
        match of {
            Of::Block(block) => block * n_threads..(block + 1) * n_threads,
            Of::Grid => 0..self.n_threads_in_all(),
        }
    }

    /// Those who wait at a barrier, ascending.
    pub(super) fn waiting<'a>(
        &'a self,
        words: &'a [u32],
        of: Of,
    ) -> impl Iterator<Item = Agent> + 'a {
        self.threads_of(of)
            .filter(move |thread| of.waits(&self.locals.get(words[*thread as usize]).next))
    }

    /// The barrier of the block or grid that a thread stands at.
    fn site(&self, local: &Local) -> Option<&BarrierSite> {
        match self.code.instrs[local.pc as usize] {
            Instr::Barrier { site } | Instr::GridBarrier { site } => {
                self.code.barriers.get(site as usize)
            }
            _ => None,
        }
    }

    /// Where those who meet there have to stand.
    fn met(&self, local: &Local) -> Option<Met> {
        self.site(local).map(|site| site.met)
    }

    /// The iterations of the enclosing loops that a thread at a barrier has made.
    fn iterations<'a>(&'a self, local: &'a Local) -> impl Iterator<Item = u64> + 'a {
        let counters: &[Reg] = self.site(local).map_or(&[], |site| &site.counters);
        let kept = self.kept.at(local.pc);
        counters.iter().filter_map(move |counter| {
            let at = kept.binary_search(counter).ok()?;
            local.kept.get(at).copied()
        })
    }

    /// The effect of a thread that has ended.
    fn of_ended(&self, of: Of, thread: Agent, returned: bool) -> AtBarrier {
        match of {
            Of::Block(_) => self.exited_threads.at_barrier(returned),
            Of::Grid => {
                let counts = thread.is_multiple_of(self.plan.n_threads);
                self.exited_threads.at_grid_barrier(counts)
            }
        }
    }

    /// The barrier, when every thread demanded has come to it or never will.
    pub(super) fn barrier_step(
        &self,
        words: &[u32],
        of: Of,
        memo: &mut Memo,
        step: &mut Step,
    ) -> bool {
        let mut first: Option<LocalId> = None;
        let (mut ended, mut same) = (false, true);
        for thread in self.threads_of(of) {
            let id = words[thread as usize];
            if first == Some(id) {
                continue;
            }
            let local = self.locals.get(id);
            match &local.next {
                next if of.waits(next) => match first {
                    None => first = Some(id),
                    // The barrier of the grid is met at any occurrence.
                    Some(there) => {
                        let there = self.locals.get(there);
                        let anywhere = [there, local].map(|at| self.met(at) == Some(Met::Anywhere));
                        same &= anywhere == [true; 2]
                            || there.pc == local.pc
                                && self.iterations(there).eq(self.iterations(local));
                    }
                },
                Next::Ended { returned } => match self.of_ended(of, thread, *returned) {
                    AtBarrier::Awaited => return false,
                    AtBarrier::Diverged => ended = true,
                    AtBarrier::Excused => {}
                },
                // A thread that waits for the grid never comes to the block's barrier.
                Next::GridBarrier => same = false,
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
        for thread in self.waiting(words, of) {
            let id = words[thread as usize];
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
