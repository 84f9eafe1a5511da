//! Patterns and templates: what a rule matches and what it builds. Both are written as operators
//! and expressions close to C; types and conversions are left out of patterns and found again
//! when a template is built.

use super::error::TextPosition;
use super::sort::Sort;
use crate::terms::term::Functor;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

/// Index into [`Rule::metas`].
pub type MetaId = usize;
/// Index into [`Rule::locals`].
pub type LocalId = usize;

/// A pattern or a template, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// What it is made of.
    pub kind: PatternKind,
    /// Where it begins in the rule file.
    pub at: TextPosition,
}

/// The forms of patterns and templates.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// `_`
    Any,
    /// `$x`
    Meta(MetaId),
    /// `$xs*`: a run of statements, arguments or parameters.
    Run(MetaId),
    /// `[a, b]`; NIL is the empty one.
    List(Vec<Pattern>),
    /// `[a, b : $rest]`
    Cons(Vec<Pattern>, Box<Pattern>),
    /// An integer constant of any integer type.
    Int {
        /// The constant.
        value: i128,
        /// Whether it was written with `u`.
        unsigned: bool,
    },
    /// A Boolean constant.
    Bool(bool),
    /// A word in quotes: an argument of a function.
    Text(String),
    /// A compound term.
    App(Functor, Vec<Pattern>),
    /// Pointer to cell `i` of `a`: `&a[i]`; `a[i]` is `Load` of it.
    Element(Box<Pattern>, Box<Pattern>),
    /// `alloc_gpu(d, bytes)`: the element type is that of the pointer `d`.
    Alloc(Box<Pattern>, Box<Pattern>),
    /// A launch or a call: `k<<<grid, block>>>(args)`; grid and block are one extent, or three.
    Launch {
        /// The kernel's handle; of a call, what is called.
        kernel: Box<Pattern>,
        /// Blocks.
        grid: Vec<Pattern>,
        /// Threads of a block.
        block: Vec<Pattern>,
        /// The arguments, runs among them.
        args: Vec<Pattern>,
    },
    /// Assignment to a variable; with a type: the variable has it.
    Assign {
        /// The declared type; `None`: the variable has one already.
        ty: Option<TypeName>,
        /// What is assigned to.
        var: Box<Pattern>,
        /// What is assigned.
        value: Box<Pattern>,
    },
    /// A counted loop: `for (T i = init; cond; i = step) body`.
    For {
        /// The counter's declared type; `None`: it has one already.
        ty: Option<TypeName>,
        /// The counter.
        var: Box<Pattern>,
        /// Its first value.
        init: Box<Pattern>,
        /// What holds while the loop goes on.
        cond: Box<Pattern>,
        /// The counter's next value.
        step: Box<Pattern>,
        /// What is done in each iteration.
        body: Box<Pattern>,
    },
    /// Statements in braces: the whole of a block.
    Block(Vec<Pattern>),
    /// Statements without braces, a source's or destination's outermost: a run inside a block.
    Statements(Vec<Pattern>),
    /// A whole procedure.
    Procedure {
        /// Kernel, device function or host function.
        kind: ProcKind,
        /// Its handle.
        name: Box<Pattern>,
        /// Its parameters, runs among them.
        params: Vec<Pattern>,
        /// Its statements.
        body: Vec<Pattern>,
    },
    /// `either(p, q)`: the first that matches.
    Either(Vec<Pattern>),

    // In templates only.
    /// `(T)e`: a conversion.
    Cast(TypeName, Box<Pattern>),
    /// `sizeof(T)`, in bytes.
    SizeOf(TypeName),
    /// A parameter of the rule system.
    Parameter(String),
    /// A variable or array the rule declares.
    Local(LocalId),
    /// `t with { p => q; … }`: `t` with every outermost match replaced.
    With(Box<Pattern>, Vec<Replacement>),
    /// A named analysis or term function.
    Function(String, Vec<Pattern>),
}

/// One pair `p => q` of `with`.
#[derive(Clone, Debug, PartialEq)]
pub struct Replacement {
    /// What is looked for.
    pub from: Pattern,
    /// What stands in its stead.
    pub to: Pattern,
}

/// A type as a rule names it.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeName {
    /// A type by its name.
    Plain(Type),
    /// `auto`: the type of the initial value.
    Auto,
    /// `typeof(e)`
    Of(Box<Pattern>),
}

/// A metavariable of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Meta {
    /// Without `$` and `*`.
    pub name: String,
    /// What it may stand for.
    pub sort: Sort,
    /// Whether it stands for a run: any number of neighbours, none too.
    pub is_run: bool,
    /// Where the rule first names it.
    pub at: TextPosition,
}

/// A variable or array that a rule declares; each application makes it a fresh name.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// As the rule writes it.
    pub name: String,
    /// Of the variable, or of the array's elements.
    pub ty: TypeName,
    /// `__shared__ T name[extent]`, or `__host__`: where the array is, and how long.
    pub array: Option<(Space, Pattern)>,
    /// Where it is declared.
    pub at: TextPosition,
}

/// What stands between source and destination, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// `[ formula ]`, `[ assume formula : "explanation" ]`; several in brackets are several
    /// clauses.
    Condition(Condition),
    /// `where $x = term`
    Bind(MetaId, Pattern),
    /// `where __shared__ T name[n]`, `where __host__ T name[n]`
    Declare(LocalId),
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// `assume`: what cannot be decided is attached to the application.
    pub assumed: bool,
    /// What must hold; analyses are functions in it.
    pub formula: Pattern,
    /// As the file has it.
    pub text: String,
    /// What to say of the assumption, in place of the formula.
    pub explanation: Option<String>,
}

/// What a rule does besides replacing what it matched.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// `add_procedure(__global__ void $k(…) {…})`
    AddProcedure(Pattern),
    /// `set_launch($k, grid, block)`: all launches of `$k`.
    SetLaunch {
        /// The kernel's handle.
        kernel: Pattern,
        /// Blocks: one extent, or three.
        grid: Pattern,
        /// Threads of a block: one extent, or three.
        block: Pattern,
    },
}

/// A rule, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// As strategies and reports name it.
    pub name: Arc<str>,
    /// What it matches.
    pub source: Pattern,
    /// Conditions, bindings and declarations, in textual order.
    pub clauses: Vec<Clause>,
    /// What it puts in place of what it matched.
    pub destination: Pattern,
    /// What else it does to the program, in textual order.
    pub actions: Vec<Action>,
    /// Its metavariables, by [`MetaId`].
    pub metas: Vec<Meta>,
    /// What it declares, by [`LocalId`].
    pub locals: Vec<Local>,
    /// Where it stands in the rule file.
    pub at: TextPosition,
}

/// A parameter of a rule system and its default.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// As rules and requests name it.
    pub name: String,
    /// Its value where a request gives no other.
    pub default: ParameterValue,
    /// Where it is declared.
    pub at: TextPosition,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// A number.
    Int(i128),
    /// A word.
    Text(String),
}

impl TypeName {
    /// A scalar type by its name.
    pub const fn scalar(scalar: ScalarType) -> TypeName {
        TypeName::Plain(Type::Scalar(scalar))
    }
}

impl Pattern {
    /// A pattern of this form at this place.
    pub fn new(kind: PatternKind, at: TextPosition) -> Pattern {
        Pattern { kind, at }
    }

    /// Whether it stands for exactly one operator, of a given kind.
    pub fn is_one_operator(&self) -> bool {
        match &self.kind {
            PatternKind::App(functor, _) => functor.is_operator(),
            PatternKind::Alloc(..)
            | PatternKind::Launch { .. }
            | PatternKind::Assign { .. }
            | PatternKind::For { .. } => true,
            _ => false,
        }
    }

    /// Whether both stand for operators of one kind.
    pub fn is_like(&self, other: &Pattern) -> bool {
        match (&self.kind, &other.kind) {
            (PatternKind::App(f, _), PatternKind::App(g, _)) => f == g,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }

    /// Whether both say the same, wherever they stand.
    pub fn says_the_same(&self, other: &Pattern) -> bool {
        let (a, b) = (self.parts(), other.parts());
        let leaves_agree = match (&self.kind, &other.kind) {
            (PatternKind::App(f, _), PatternKind::App(g, _)) => f == g,
            (a, b) if self.parts().is_empty() => a == b,
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        leaves_agree && a.len() == b.len() && a.iter().zip(&b).all(|(p, q)| p.says_the_same(q))
    }

    /// The pattern inside that stands at a place and is one operator.
    pub fn operator_at(&self, at: TextPosition) -> Option<&Pattern> {
        if self.at == at && self.is_one_operator() {
            return Some(self);
        }
        self.parts()
            .into_iter()
            .find_map(|part| part.operator_at(at))
    }

    /// The patterns directly inside, in textual order.
    pub fn parts(&self) -> Vec<&Pattern> {
        use PatternKind::*;
        fn of_type(ty: &TypeName) -> Option<&Pattern> {
            match ty {
                TypeName::Of(pattern) => Some(pattern),
                TypeName::Plain(_) | TypeName::Auto => None,
            }
        }
        match &self.kind {
            Any | Meta(_) | Run(_) | Int { .. } | Bool(_) | Text(_) | Parameter(_) | Local(_) => {
                vec![]
            }
            List(items)
            | App(_, items)
            | Block(items)
            | Statements(items)
            | Either(items)
            | Function(_, items) => items.iter().collect(),
            Cons(items, rest) => items.iter().chain([&**rest]).collect(),
            Element(a, b) | Alloc(a, b) => vec![a, b],
            Launch {
                kernel,
                grid,
                block,
                args,
            } => {
                let extents = grid.iter().chain(block).chain(args);
                std::iter::once(&**kernel).chain(extents).collect()
            }
            Assign { ty, var, value } => {
                let ty = ty.as_ref().and_then(of_type);
                ty.into_iter().chain([&**var, &**value]).collect()
            }
            For {
                ty,
                var,
                init,
                cond,
                step,
                body,
            } => {
                let ty = ty.as_ref().and_then(of_type);
                let parts = [&**var, &**init, &**cond, &**step, &**body];
                ty.into_iter().chain(parts).collect()
            }
            Procedure {
                name, params, body, ..
            } => {
                let inside = params.iter().chain(body);
                std::iter::once(&**name).chain(inside).collect()
            }
            Cast(ty, a) => of_type(ty).into_iter().chain([&**a]).collect(),
            SizeOf(ty) => of_type(ty).into_iter().collect(),
            With(inside, replacements) => {
                let pairs = replacements.iter().flat_map(|r| [&r.from, &r.to]);
                std::iter::once(&**inside).chain(pairs).collect()
            }
        }
    }
}
