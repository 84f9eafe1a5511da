//! How a variable goes from one iteration of a loop to the next, read off the symbolic value it
//! has at the end of the body.

use crate::simplify::as_signed;
use crate::term::{BitOp, Node, TermId, Terms};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShiftKind {
    /// `v <<= k`, `v *= 2^k`
    Left,
    /// `v >>= k` without sign, `v /= 2^k` for `v` not negative
    Right,
    /// `v >>= k` with sign
    Arithmetic,
    /// `v /= 2^k` with sign (rounds towards zero)
    Quotient,
}

/// How the value at the end of the body follows from the value at its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Unchanged,
    /// `v + step`, where `step` does not change during the loop.
    Add {
        step: TermId,
        subtracts: bool,
    },
    Shift {
        kind: ShiftKind,
        by: u64,
    },
    /// The same value after every iteration, whatever it was before.
    Replaced(TermId),
}

/// Compares `end` with the symbol `start`; terms older than `mark` do not change in the loop.
pub fn step_of(terms: &mut Terms, start: TermId, end: TermId, mark: u32) -> Option<Step> {
    if start == end {
        return Some(Step::Unchanged);
    }
    if terms.is_older_than(end, mark) {
        return Some(Step::Replaced(end));
    }
    if let Node::Bit(op, base, by) = *terms.node(end)
        && base == start
        && let Some(by) = terms.as_bits(by)
        && by > 0
    {
        let width = terms.width(start);
        let shift = |kind, by| Some(Step::Shift { kind, by });
        match op {
            BitOp::Shl if by < width as u64 => return shift(ShiftKind::Left, by),
            BitOp::LShr if by < width as u64 => return shift(ShiftKind::Right, by),
            BitOp::AShr if by < width as u64 => return shift(ShiftKind::Arithmetic, by),
            BitOp::SDiv if by.is_power_of_two() && as_signed(by, width) > 1 => {
                return shift(ShiftKind::Quotient, by.trailing_zeros() as u64);
            }
            _ => {}
        }
    }
    let (step, subtracts) = summand(terms, start, end, mark)?;
    Some(Step::Add { step, subtracts })
}

/// What a sum adds to `start`; and whether it is written as a subtraction.
fn summand(terms: &mut Terms, start: TermId, end: TermId, mark: u32) -> Option<(TermId, bool)> {
    let Node::Bit(op, a, b) = *terms.node(end) else {
        return None;
    };
    let minus = op == BitOp::Sub;
    if op != BitOp::Add && !minus {
        return None;
    }
    let (from, more) = if terms.is_older_than(b, mark) {
        (a, b)
    } else if !minus && terms.is_older_than(a, mark) {
        (b, a)
    } else {
        return None;
    };
    if from == start {
        if !minus {
            return Some((more, false));
        }
        let zero = terms.bits(terms.width(start), 0);
        return Some((terms.bit(BitOp::Sub, zero, more), true));
    }
    let (inner, _) = summand(terms, start, from, mark)?;
    Some((terms.bit(op, inner, more), minus))
}
