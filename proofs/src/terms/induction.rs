//! How a variable goes from one iteration of a loop to the next, read off the symbolic value it
//! has at the end of the body.

use crate::terms::simplify::as_signed;
use crate::terms::term::{BitOp, Node, TermId, Terms};

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
    let end = narrowed(terms, end);
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

/// A narrow variable goes through arithmetic in wider numbers, of which the low bits are kept: the
/// same as arithmetic in narrow ones, where that is so of the operator.
fn narrowed(terms: &mut Terms, end: TermId) -> TermId {
    let Node::Low(width, wide) = *terms.node(end) else {
        return end;
    };
    match *terms.node(wide) {
        Node::Bit(op @ (BitOp::Add | BitOp::Sub | BitOp::Mul), a, b) => {
            let (a, b) = (terms.low(width, a), terms.low(width, b));
            let (a, b) = (narrowed(terms, a), narrowed(terms, b));
            terms.bit(op, a, b)
        }
        Node::Bit(op @ (BitOp::Shl | BitOp::LShr | BitOp::AShr), a, by) => {
            let Some(amount) = terms.as_bits(by).filter(|&by| by < width as u64) else {
                return end;
            };
            // What a shift to the right brings in must be what the narrow one brings in.
            let fits = match (op, terms.node(a)) {
                (BitOp::Shl, _) => true,
                (BitOp::LShr, Node::ZeroExt(_, x)) => terms.width(*x) == width,
                (BitOp::AShr, Node::SignExt(_, x)) => terms.width(*x) == width,
                _ => false,
            };
            if !fits {
                return end;
            }
            let a = terms.low(width, a);
            let a = narrowed(terms, a);
            let by = terms.bits(width, amount);
            terms.bit(op, a, by)
        }
        // By 2 or more no quotient is out of range.
        Node::Bit(BitOp::SDiv, a, by) => {
            let Node::SignExt(_, x) = *terms.node(a) else {
                return end;
            };
            let Some(amount) = terms.as_bits(by).filter(|&by| by >> (width - 1) == 0) else {
                return end;
            };
            if terms.width(x) != width || amount < 2 {
                return end;
            }
            let by = terms.bits(width, amount);
            terms.bit(BitOp::SDiv, x, by)
        }
        _ => end,
    }
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
