//! The asynchronous copies of a kernel (`device/group_copy.rs`).

use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;

/// The calls of a kernel that begin copies.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupCopies {
    /// The calls known so far, in the order of reading.
    pub known: Vec<GroupCopy>,
    /// How many of them this reading has reached.
    pub begun: usize,
}

impl GroupCopies {
    /// The types of the variables that they need, for the second reading.
    pub fn shapes(&self) -> Vec<Shape> {
        let shape = |copy: &GroupCopy| Shape {
            to: copy.to.1,
            from: copy.from.1,
            span: copy.span,
        };
        self.known.iter().map(shape).collect()
    }
}

/// The types of a copy's pointers, and where it is begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub to: Type,
    pub from: Type,
    pub span: Span,
}

/// A copy that may be in flight: one for each call that begins copies, several for a call in a loop.
#[derive(Clone, Debug)]
pub(crate) struct GroupCopy {
    /// The event of the copy (`I32`), and whether it is not waited for yet.
    pub event: VarId,
    pub pending: VarId,
    pub to: (VarId, Type),
    pub from: (VarId, Type),
    /// In cells, `I64`.
    pub count: VarId,
    /// The distance of two neighbouring elements, in cells, `I64`.
    pub steps: (VarId, VarId),
    pub span: Span,
}
