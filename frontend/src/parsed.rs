//! The result of reading a file.

use crate::assumed::Assumption;
use crate::header_comment::HeaderLine;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use std::collections::{BTreeMap, BTreeSet};

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The supported procedures; operators are numbered, form is `Surface`.
    pub program: Program,
    /// The procedures left out, and why, in textual order.
    pub unsupported: Vec<Unsupported>,
    /// Things read but given no meaning (`printf`), in textual order.
    pub notes: Vec<Note>,
    /// What was assumed where the file leaves something open.
    pub assumptions: Vec<Assumption>,
    /// Constant memory that a host program may fill before a launch: `__constant__` variables that are
    /// not `const`. Those that hold pointers are left out: what they point to must be named in the file.
    pub fillable: Vec<ArrayId>,
    /// The axes of the launch that the source of each procedure names, as `threadIdx.y` names y. Ranks in groups,
    /// tiles and counting barriers read all axes but name none. `None` for a scheme, which does not show the
    /// difference: the axes that the program reads are then those that it names.
    pub asked: Option<BTreeMap<ProcId, LaunchAxes>>,
    /// How the memory of pointer arguments lies in the algebra's arrays, where that shows.
    pub layouts: Vec<Layout>,
    /// The launches that host code of the file makes, also those in functions that are not supported.
    pub launches: Vec<HostLaunch>,
    /// The kernels that host code of the file may launch in other ways than `launches` says: it names them otherwise,
    /// or was not read to its end.
    pub other_launches: BTreeSet<String>,
    /// By the name of a procedure that is an instance of a template, supported or not, the template's.
    pub templates: BTreeMap<String, String>,
    /// By the name of a procedure, supported or not, the name that its function has in the file, where one before it has
    /// that name, too (overloads, namespaces).
    pub same_names: BTreeMap<String, String>,
    /// The comments at the head of the file that say what is expected of it.
    pub headers: Vec<HeaderLine>,
}

/// A procedure that uses something outside the subset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The procedure's name.
    pub proc: String,
    /// Whether it is a kernel, a device function or a host procedure.
    pub kind: ProcKind,
    /// Where the construct stands.
    pub span: Span,
    /// The file where it stands, which may be an included one.
    pub file: String,
    /// The line there, from 1.
    pub line: u32,
    /// The column there in bytes, from 1.
    pub column: u32,
    /// The construct in words, without "not supported".
    pub message: String,
}

/// Something the front end read but gave no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The procedure that it is in.
    pub proc: ProcId,
    /// It would print something.
    pub is_output: bool,
    /// Where it stands.
    pub span: Span,
    /// What it is and what is done with it, in a sentence.
    pub message: String,
}

/// The parameters that stand for one pointer parameter of the source whose elements are not cells of an array: one
/// pointer for each group of fields of a struct, or one whose cells are smaller than the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The procedure's name.
    pub procedure: String,
    /// The parameter's name in the source.
    pub parameter: String,
    /// The parameters of the procedure that stand for it, each with the number of its cells for one element of the
    /// declared type.
    pub parts: Vec<(String, u64)>,
}

/// A launch of a kernel in host code, as far as its numbers can be read off. The expressions are in terms of `inputs`:
/// `VarId(i)` is input number `i`. It is a reading of what may be only a part of the host's code: good for choosing
/// launches to try and for saying who makes them, never a premise of a proof.
#[derive(Clone, Debug, PartialEq)]
pub struct HostLaunch {
    /// The name of the kernel's procedure.
    pub kernel: String,
    /// The function in which it stands, by its name in the source.
    pub function: String,
    /// The file in which it stands, which may be an included one.
    pub file: String,
    /// The line there, from 1.
    pub line: u32,
    /// The column there in bytes, from 1.
    pub column: u32,
    /// A function on the way to it has an error of clang's, so that more may happen on the way than was read.
    pub in_part: bool,
    /// The way to it begins at `main`: what is open hangs on the world, not on callers that are not here.
    pub is_of_main: bool,
    /// What the numbers depend on, and host code does not say.
    pub inputs: Vec<LaunchInput>,
    /// Blocks, as `U32`.
    pub grid: [Expr; 3],
    /// Threads of a block, as `U32`.
    pub block: [Expr; 3],
    /// Dynamic shared memory in bytes, as `U32`.
    pub shared_bytes: Expr,
    /// The scalar arguments, by the name of the kernel's parameter, each of its type.
    pub args: Vec<(String, Expr)>,
    /// What host code asked on the way to the launch and found true.
    pub conditions: Vec<Expr>,
}

/// A number that host code does not say: a parameter of a function without a caller, a result of a function that is
/// not read, a counter of a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchInput {
    /// The name or the text that stands for it in the source.
    pub name: String,
    /// Its type.
    pub ty: ScalarType,
    /// Whether it comes from outside of what is read, so that any value may be there. Else host code computes it in a
    /// way that was not followed, and not every value need be there.
    pub is_free: bool,
    /// All values that it can have, where these are known: the elements of a table, the ends of two branches.
    pub choices: Vec<i64>,
}
