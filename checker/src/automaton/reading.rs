//! What threads learn from memory: accesses that only read, and what a thread is after reading.

use super::cells::Cell;
use super::local::{LocalId, Memo};
use super::system::Automaton;
use super::thread::Next;
use crate::compiled::instruction::{AtomicSite, Instr};
use gridlock_semantics::algebra::operator::AtomicFn;

/// A cell as a thread of some block reaches it.
#[derive(Clone, Copy, Debug)]
pub struct CellAt {
    cell: Cell,
    block: u32,
}

/// Whether an atomic with this operand leaves every cell as it was.
pub(super) fn changes_nothing(site: &AtomicSite, operand: u64) -> bool {
    use AtomicFn::*;
    !site.elem.is_float() && operand == 0 && matches!(site.function, Add | Sub | Or | Xor)
}

impl Automaton {
    /// Whether some thread may use an atomic.
    pub fn has_atomics(&self) -> bool {
        let mut instrs = self.code.instrs.iter();
        instrs.any(|instr| matches!(instr, Instr::Atomic { .. }))
    }

    /// The cell that a thread accesses next.
    pub fn next_cell(&self, words: &[u32], thread: u32) -> Option<CellAt> {
        let cell = match &self.locals.get(words[thread as usize]).next {
            Next::Load { cell, .. }
            | Next::Store { cell, .. }
            | Next::WriteBack { cell, .. }
            | Next::Atomic { cell, .. } => *cell,
            _ => return None,
        };
        let block = thread / self.plan.n_threads;
        Some(CellAt { cell, block })
    }

    /// What a cell holds; `None` when it was never written.
    pub fn value_of(&self, words: &[u32], at: CellAt) -> Option<u64> {
        self.plan.read(&self.cells, words, at.cell, at.block)
    }

    /// The local state of a thread that stands in `id`, where its next access only reads, after it
    /// has read `value`; `None` where its next step is no such access.
    pub fn after_reading(&self, memo: &mut Memo, id: LocalId, value: u64) -> Option<LocalId> {
        let local = self.locals.get(id);
        let result = match (&local.next, self.code.instrs[local.pc as usize]) {
            (Next::Load { .. }, Instr::Load { dst, .. }) => Some(dst),
            (Next::Atomic { .. }, Instr::Atomic { site }) => {
                self.code.atomics.get(site as usize)?.result
            }
            _ => return None,
        };
        Some(match result {
            Some(dst) => self.after(memo, id, value, |regs| regs[dst as usize] = value),
            None => self.after(memo, id, 0, |_| {}),
        })
    }

    /// Whether a thread waits at the barrier of its block.
    pub fn waits_at_barrier(&self, words: &[u32], thread: u32) -> bool {
        self.locals.get(words[thread as usize]).next == Next::Barrier
    }
}
