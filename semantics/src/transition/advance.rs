//! Transitions that are made in place.

use super::rule::Rule;
use crate::algebra::operator::OpId;

/// The own step of one thread, made in place: what of its [label](super::Label) is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    /// The rule that fired.
    pub rule: Rule,
    /// The operator it was applied to.
    pub op: OpId,
    /// Whether it accesses memory that others could reach.
    pub accesses: bool,
}

impl Advance {
    /// As [`Label::is_visible`](super::Label::is_visible).
    pub const fn is_visible(self) -> bool {
        self.rule.synchronises() || self.accesses
    }
}

/// What becomes of a step that is about to be made in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// It is not made.
    Stops,
    /// It is made, and no other after it.
    Ends,
    /// It is made, and so is the next.
    GoesOn,
}
