//! The asynchronous copies of single threads that a kernel begins (`device/thread_copy.rs`).

use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;

/// The places of a kernel at which threads begin copies, in the order of reading.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThreadCopies {
    pub slots: Vec<ThreadCopy>,
    /// How many groups the thread has closed (`U32`), if the kernel copies at all.
    pub closed: Option<VarId>,
    /// The waits: each with a variable whose assignment marks where it stands, and the condition on that variable, a
    /// group, under which copies of the group are waited for.
    pub waits: Vec<(VarId, Expr)>,
    /// The beginnings, likewise.
    pub beginnings: Vec<Beginning>,
    /// For arrays of barriers in shared memory the private arrays that say where this thread stands at each, with their
    /// numbers of cells.
    pub turns: Vec<(ArrayId, ArrayId, u64)>,
    /// How many parameters the kernel has; they are its first variables.
    pub n_params: usize,
}

/// Where a copy begins.
#[derive(Clone, Debug)]
pub(crate) struct Beginning {
    /// The variable whose assignment marks the place.
    pub mark: VarId,
    pub to: Expr,
    /// In cells of the target, `I64`.
    pub cells: Expr,
    pub array: Option<ArrayId>,
    pub span: Span,
}

/// How much a copy moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Known(u64),
    /// A variable, `I64`.
    Held(VarId),
}

/// Room for a copy that may be under way: one for each place that begins copies, several for a place in a loop.
#[derive(Clone, Debug)]
pub(crate) struct ThreadCopy {
    /// Whether it is not waited for yet.
    pub pending: VarId,
    /// To what it belongs (`U32`): the number of a group, or a barrier's tag.
    pub group: VarId,
    pub to: (VarId, Type),
    pub from: (VarId, Type),
    /// In units, each as wide as the wider of the two cells.
    pub units: Amount,
    /// How many units come from the source (`I64`); the others become zero. `None`: all.
    pub valid: Option<VarId>,
    /// The array of the target, where it is known.
    pub array: Option<ArrayId>,
    pub span: Span,
}
