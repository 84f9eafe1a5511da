//! What the parser makes of a text: a tree with places, names not yet looked up, types not yet
//! known.

use super::token::Name;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{BinaryOp, Builtin, MathFn, UnaryOp};
use gridlock_semantics::algebra::operator::Scope;
use gridlock_semantics::algebra::program::{Form, ProcKind};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

#[derive(Debug)]
pub struct SchemeTree {
    pub form: Form,
    pub arrays: Vec<ArrayTree>,
    pub procs: Vec<ProcTree>,
}

#[derive(Debug)]
pub struct ArrayTree {
    pub name: Name,
    pub at: Span,
    pub space: Space,
    /// `MANAGED ARRAY`
    pub is_managed: bool,
    pub elem: ScalarType,
    pub is_volatile: bool,
    /// `f32[LAUNCH]`
    pub is_launch_shared: bool,
    pub dims: Vec<u64>,
    /// `EXTENT 5`: the number of elements where the dimensions do not say it.
    pub extent: Option<u64>,
    pub init: Option<Vec<Tree>>,
}

#[derive(Debug)]
pub struct VarTree {
    pub name: Name,
    pub at: Span,
    pub ty: Type,
}

#[derive(Debug)]
pub struct ProcTree {
    pub kind: ProcKind,
    pub name: Name,
    pub name_at: Span,
    /// From the kind to `END OF …`.
    pub at: Span,
    pub params: Vec<VarTree>,
    pub result: Option<(Name, Span)>,
    pub arrays: Vec<ArrayTree>,
    pub vars: Vec<VarTree>,
    pub body: BodyTree,
}

/// Statements one after another: none is the empty operator, one is itself, several are a
/// sequence.
#[derive(Debug, Default)]
pub struct BodyTree {
    pub statements: Vec<StatementTree>,
}

#[derive(Debug)]
pub struct StatementTree {
    pub at: Span,
    pub kind: StatementKind,
}

#[derive(Debug)]
pub enum StatementKind {
    Skip,
    /// `BEGIN … END`: a sequence of exactly these.
    Sequence(BodyTree),
    If {
        cond: Tree,
        then: BodyTree,
        otherwise: BodyTree,
    },
    While {
        cond: Tree,
        body: BodyTree,
    },
    For(Box<ForTree>),
    Parallel(Vec<BodyTree>),
    Assert(Tree),
    Assume(Tree),
    Wait(Tree),
    Assign {
        target: Tree,
        value: Tree,
    },
    Load {
        target: Tree,
        cell: Tree,
    },
    Call {
        target: Option<Tree>,
        name: Name,
        name_at: Span,
        args: Vec<Tree>,
    },
    Launch(Box<LaunchTree>),
    Operator(Box<OperatorTree>),
}

/// `FOR (counter FROM first range) LOOP body END OF LOOP`
#[derive(Debug)]
pub struct ForTree {
    pub counter: Name,
    pub counter_at: Span,
    pub first: Tree,
    pub range: RangeTree,
    pub range_at: Span,
    pub body: BodyTree,
}

#[derive(Debug)]
pub enum RangeTree {
    /// `TO`, `BELOW`, `DOWN TO`, `DOWN ABOVE`: the comparison that holds while the loop goes on.
    Bound {
        comparison: BinaryOp,
        bound: Tree,
        is_down: bool,
        /// `BY`
        step: Option<Tree>,
    },
    /// `WHILE cond NEXT value`
    General { cond: Tree, next: Tree },
}

/// `call_gpu kernel(args) GRID (…) BLOCK (…) SHARED bytes STREAM stream COOPERATIVE`
#[derive(Debug)]
pub struct LaunchTree {
    pub kernel: Name,
    pub kernel_at: Span,
    pub args: Vec<Tree>,
    pub grid: Vec<Tree>,
    pub block: Vec<Tree>,
    pub shared_bytes: Option<Tree>,
    pub stream: Option<Tree>,
    pub is_cooperative: bool,
}

/// `target := word(operands)` and clauses
#[derive(Debug)]
pub struct OperatorTree {
    pub word: &'static str,
    pub word_at: Span,
    pub target: Option<Tree>,
    pub operands: Vec<Tree>,
    pub scope: Option<Scope>,
    pub stream: Option<Tree>,
    /// `NON_BLOCKING`
    pub is_non_blocking: bool,
}

#[derive(Debug)]
pub struct Tree {
    pub at: Span,
    /// How deep it goes.
    pub height: u32,
    pub kind: TreeKind,
}

#[derive(Debug)]
pub enum TreeKind {
    Name(Name),
    /// `::name`: of the file, whatever the procedure declares.
    OfFile(Name),
    /// `KERNEL k::name`: an array of another procedure.
    OfProc(ProcKind, Name, Name),
    Int {
        value: u128,
        is_negative: bool,
        suffix: Option<ScalarType>,
    },
    Float {
        digits: Arc<str>,
        is_negative: bool,
        suffix: Option<ScalarType>,
    },
    Infinity {
        is_negative: bool,
    },
    NotANumber,
    /// No value: what a variable is assigned whose declaration is reached again.
    Undef,
    /// `f32_bits(0x7fc00001)`
    Bits(ScalarType, u128),
    Bool(bool),
    /// `null`, or `null(5)`: five elements behind the null pointer.
    Null(i64),
    Builtin(Builtin),
    Unary(UnaryOp, Box<Tree>),
    Binary(BinaryOp, Box<Tree>, Box<Tree>),
    Select(Box<Tree>, Box<Tree>, Box<Tree>),
    Cast(Type, Box<Tree>),
    /// `(e : T)`: `e`, said to have type `T`, which differs in qualifiers only.
    Ascribed(Box<Tree>, Type),
    Math(MathFn, Vec<Tree>),
    /// `p[i]`
    Cell(Box<Tree>, Box<Tree>),
    /// `*p`
    Target(Box<Tree>),
}

impl TreeKind {
    /// How deep the operands go.
    pub fn height(&self) -> u32 {
        match self {
            TreeKind::Unary(_, a)
            | TreeKind::Cast(_, a)
            | TreeKind::Ascribed(a, _)
            | TreeKind::Target(a) => a.height,
            TreeKind::Binary(_, a, b) | TreeKind::Cell(a, b) => a.height.max(b.height),
            TreeKind::Select(a, b, c) => a.height.max(b.height).max(c.height),
            TreeKind::Math(_, args) => args.iter().map(|a| a.height).max().unwrap_or(0),
            _ => 0,
        }
    }
}

impl Tree {
    /// Whether this is `undef`, or `(undef : T)` with its type.
    pub fn no_value(&self) -> Option<Option<Type>> {
        match &self.kind {
            TreeKind::Undef => Some(None),
            TreeKind::Ascribed(inside, ty) => {
                matches!(inside.kind, TreeKind::Undef).then_some(Some(*ty))
            }
            _ => None,
        }
    }

    /// A number whose type follows from where it stands.
    pub fn is_open_number(&self) -> bool {
        match &self.kind {
            TreeKind::Int { suffix, .. } | TreeKind::Float { suffix, .. } => suffix.is_none(),
            TreeKind::Infinity { .. } | TreeKind::NotANumber => true,
            _ => false,
        }
    }

    /// A constant whose type follows from where it stands.
    pub fn is_open(&self) -> bool {
        self.is_open_number() || matches!(self.kind, TreeKind::Null(_))
    }
}
