//! What reading a file gives.

use crate::assumed::Assumption;
use crate::header_comment::HeaderLine;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use std::collections::BTreeMap;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The supported procedures; operators are numbered, form is `Surface`.
    pub program: Program,
    /// The procedures left out, and why, in textual order.
    pub unsupported: Vec<Unsupported>,
    /// Things read but given no meaning (`printf`), in textual order.
    pub notes: Vec<Note>,
    /// What was taken for granted where the file leaves it open.
    pub assumptions: Vec<Assumption>,
    /// Constant memory that a host program may fill before a launch: `__constant__` variables that are
    /// not `const`. Not those that hold pointers, which only the file can name.
    pub fillable: Vec<ArrayId>,
    /// The axes of launches that the source of each procedure asks about. Ranks in groups, tiles and
    /// barriers that count read all axes and ask about none. `None`: not told apart.
    pub asked: Option<BTreeMap<ProcId, LaunchAxes>>,
    /// How the memory of pointer arguments lies in the algebra's arrays, where that shows.
    pub layouts: Vec<Layout>,
    /// The comments at the head of the file that say what is expected of it.
    pub headers: Vec<HeaderLine>,
}

/// A procedure that uses something outside the subset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    pub proc: String,
    pub kind: ProcKind,
    /// Where the construct stands.
    pub span: Span,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// What it is, without the words "not supported".
    pub message: String,
}

/// Something the front end read but gave no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub span: Span,
    pub message: String,
}

/// What a pointer parameter is in the algebra where its elements are not cells: one pointer for each
/// group of a struct, or cells smaller than the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The procedure's name.
    pub procedure: String,
    /// The parameter as it is declared.
    pub parameter: String,
    /// The procedure's parameters that stand for it, and how many cells each has for an element.
    pub parts: Vec<(String, u64)>,
}
