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
    pub(crate) fn add(&mut self, instrs: &[Instr], ops: &[OpId], Coverage(seen): &Coverage) {
        for ((instr, op), seen) in instrs.iter().zip(ops).zip(seen.iter()) {
            if !matches!(instr, Instr::Branch { .. } | Instr::JumpIfFalse { .. }) {
                continue;
            }
            let seen = seen.load(Relaxed);
            self.n_ways += 2;
            for (bit, way) in [(HELD, true), (FAILED, false)] {
                if seen & bit == 0 {
                    self.missed.push(Missed { op: *op, way });
                }
            }
        }
        self.missed.sort_unstable();
    }
}
