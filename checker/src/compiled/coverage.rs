//! Which ways the branches of compiled code have gone. Noted by canonical runs of code that is watched
//! (`Compiled::watched`), all of them together; other engines note nothing.

use crate::compiled::instruction::{Instr, Pc};
use gridlock_semantics::algebra::operator::OpId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// One byte an instruction: a bit for each way that some thread went from there.
#[derive(Clone, Debug)]
pub struct Coverage(Arc<[AtomicU8]>);

const HELD: u8 = 1;
const FAILED: u8 = 2;

impl Coverage {
    pub fn of(instrs: &[Instr]) -> Coverage {
        Coverage(instrs.iter().map(|_| AtomicU8::new(0)).collect())
    }

    /// Of each branch, in the order of the code.
    pub(crate) fn ways(&self, instrs: &[Instr], ops: &[OpId]) -> impl Iterator<Item = Ways> {
        let all = instrs.iter().zip(ops).zip(self.0.iter());
        all.filter_map(|((instr, op), seen)| {
            let is_branch = matches!(instr, Instr::Branch { .. } | Instr::JumpIfFalse { .. });
            let seen = seen.load(Relaxed);
            is_branch.then_some(Ways {
                op: *op,
                held: seen & HELD != 0,
                failed: seen & FAILED != 0,
            })
        })
    }

    /// The condition of the branch at `at` held for some threads, and failed for some.
    #[inline]
    pub fn note(&self, at: Pc, held: bool, failed: bool) {
        let ways = (u8::from(held) * HELD) | (u8::from(failed) * FAILED);
        if let Some(seen) = self.0.get(at as usize)
            && seen.load(Relaxed) & ways != ways
        {
            seen.fetch_or(ways, Relaxed);
        }
    }
}

/// Which ways one branch of some code has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ways {
    /// The operator whose condition decides.
    pub op: OpId,
    /// The condition held for some thread.
    pub held: bool,
    /// It failed for some.
    pub failed: bool,
}

/// A way that no run has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missed {
    /// The operator whose condition decides.
    pub op: OpId,
    /// What the condition never came to.
    pub way: bool,
}

/// What runs have seen of the branches of some entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Branches {
    /// Two for each branch.
    pub n_ways: usize,
    /// Those that no run has gone, by operator.
    pub missed: Vec<Missed>,
}

impl Branches {
    /// Adds the branches of one code.
    pub(crate) fn add(&mut self, instrs: &[Instr], ops: &[OpId], covered: &Coverage) {
        for Ways { op, held, failed } in covered.ways(instrs, ops) {
            self.n_ways += 2;
            for (seen, way) in [(held, true), (failed, false)] {
                if !seen {
                    self.missed.push(Missed { op, way });
                }
            }
        }
        self.missed.sort_unstable();
    }
}
