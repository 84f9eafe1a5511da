//! The step limit of one thread, and noticing early that the thread alone is in a cycle.
//!
//! The canonical run lets one thread go on until it waits at a barrier. One that waits in a loop
//! for what another thread is to write repeats the loop until its limit of iterations. So the limit
//! is given out in portions. After each, the thread's registers and private cells are kept, and
//! looked at again iteration by iteration for a while: if they come back, the run is given up and
//! the explorer asked. That is no claim that the loop never ends (memory may have changed): only
//! that one run alone is not the way to find out.

use crate::compiled::instruction::Pc;

/// Loop iterations of the first portion.
const FIRST_PORTION: u64 = 4_096;
/// The window that follows is this part of the portion.
const WINDOW: u64 = 64;

/// Loop iterations that one thread may still begin.
#[derive(Clone, Debug, Default)]
pub struct StepLimit {
    /// Iterations not yet given out.
    left: u64,
    portion: u64,
    /// Iterations still to be looked at one by one.
    window: u64,
    kept: Option<Box<Kept>>,
}

/// Where a thread stood.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    pc: Pc,
    regs: Vec<u64>,
    cells: Vec<u64>,
}

/// What comes after a portion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// So many more iterations.
    GoOn(u64),
    /// The thread stands where it stood, with the same values.
    ComesBack,
    /// The limit is reached.
    Spent,
}

impl StepLimit {
    /// Of a thread that may begin `limit` iterations; the first portion of them.
    pub fn new(limit: u64) -> (StepLimit, u64) {
        let first = FIRST_PORTION.min(limit);
        let step_limit = StepLimit {
            left: limit - first,
            portion: FIRST_PORTION,
            ..StepLimit::default()
        };
        (step_limit, first)
    }

    /// Asked when a portion is used up; the thread stands at the end of a loop's body.
    pub fn next(&mut self, pc: Pc, regs: &[u64], cells: &[u64]) -> Next {
        let comes_back = |kept: &Kept| kept.pc == pc && kept.regs == regs && kept.cells == cells;
        if self.kept.as_deref().is_some_and(comes_back) {
            return Next::ComesBack;
        }
        if self.left == 0 {
            return Next::Spent;
        }
        let portion = if self.kept.is_none() {
            self.window = self.portion / WINDOW;
            self.kept = Some(Box::new(Kept {
                pc,
                regs: regs.to_vec(),
                cells: cells.to_vec(),
            }));
            1
        } else if self.window > 0 {
            self.window -= 1;
            1
        } else {
            self.kept = None;
            self.portion = self.portion.saturating_mul(2);
            self.portion
        };
        let portion = portion.min(self.left);
        self.left -= portion;
        Next::GoOn(portion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Iterations a loop may make whose registers repeat with `period` (0: never).
    fn check(limit: u64, period: u64) -> (u64, Next) {
        let (mut step_limit, mut portion) = StepLimit::new(limit);
        let mut made = 0;
        loop {
            made += portion;
            let register = if period == 0 { made } else { made % period };
            match step_limit.next(7, &[register], &[]) {
                Next::GoOn(more) => portion = more,
                end => return (made, end),
            }
        }
    }

    #[test]
    fn a_short_round_is_noticed_at_once() {
        assert_eq!(check(10_000_000, 1), (4_097, Next::ComesBack));
        assert_eq!(check(10_000_000, 3), (4_099, Next::ComesBack));
    }

    #[test]
    fn a_longer_one_later() {
        let (made, next) = check(10_000_000, 1_000);
        assert_eq!(next, Next::ComesBack);
        assert!(made < 200_000, "{made}");
    }

    #[test]
    fn a_counter_uses_up_exactly_the_limit() {
        for limit in [0, 1, 4_096, 4_097, 100_000] {
            assert_eq!(check(limit, 0), (limit, Next::Spent));
        }
    }
}
