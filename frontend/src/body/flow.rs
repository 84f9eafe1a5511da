//! The jumps that the code being read can take (`break`, `continue`, `return` and `goto`, see `statements/jump.rs`),
//! and the value that a function returns.

use crate::body::binding::Binding;
use crate::storage::place::Place;
use clang_ast::Id;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;

/// The place of the result of a function read in place.
#[derive(Clone, Debug, Default)]
pub(crate) enum Answer {
    /// Nowhere.
    #[default]
    None,
    /// The one `return`, at the end, gives it.
    Direct(Option<Returned>),
    Vars(Vec<gridlock_semantics::algebra::ids::VarId>),
}

/// The result of a function.
#[derive(Clone, Debug)]
pub(crate) enum Returned {
    Nothing,
    Values(Vec<Expr>),
    Place(Place),
}

/// Names that are bound during a call.
#[derive(Debug, Default)]
pub(crate) struct Given {
    pub replaced: Vec<(Id, Option<Binding>)>,
    /// Expressions of the caller that the callee uses directly: they must not change during the call.
    pub assumed: Vec<Expr>,
}

/// The flags of the jumps in force.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// Where a procedure's result goes.
    pub result: Option<VarId>,
    /// Whether this is a function whose calls are read in place; then its result goes to `answer`.
    pub is_in_place: bool,
    pub answer: Answer,
    /// Whether it gives a reference.
    pub gives_place: bool,
    /// Whether the call read in place stands in a loop.
    pub in_outer_loop: bool,
    /// Set by a `return` that something follows.
    pub returned: Option<VarId>,
    /// Innermost last.
    pub loops: Vec<LoopFlags>,
    /// The labels that a `goto` can name here, innermost last.
    pub labels: Vec<Label>,
    /// The objects that are destroyed where their blocks end, innermost last.
    pub alive: Vec<Alive>,
}

impl Flow {
    /// The flow of a function read in place.
    pub fn in_place(in_outer_loop: bool) -> Flow {
        Flow {
            is_in_place: true,
            in_outer_loop,
            ..Flow::default()
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct LoopFlags {
    /// A `switch`: `break` leaves it, `continue` goes through it.
    pub is_switch: bool,
    pub left: Option<VarId>,
    pub continued: Option<VarId>,
}

/// The jumps that a piece of program may take and record in a flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Taken {
    pub left: bool,
    pub continued: bool,
    pub returned: bool,
    /// A bit for each label in force that a `goto` may have gone to, the outermost's lowest.
    pub gone: u32,
}

impl Taken {
    pub fn any(self) -> bool {
        self.left || self.continued || self.returned || self.gone != 0
    }

    pub fn or(self, other: Taken) -> Taken {
        Taken {
            left: self.left || other.left,
            continued: self.continued || other.continued,
            returned: self.returned || other.returned,
            gone: self.gone | other.gone,
        }
    }
}

/// The constructs of which a statement is the last part: a jump out of one of these needs no flag there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Last {
    pub of_function: bool,
    pub of_loop_body: bool,
    pub of_switch: bool,
}

/// An object that is destroyed where its block ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Alive {
    /// Set where the program ends inside the block, which leaves the object as it is.
    pub is_left: Option<VarId>,
}

/// A label in force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    pub id: Id,
    /// Set by a `goto`.
    pub flag: Option<VarId>,
}
