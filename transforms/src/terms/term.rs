//! Terms `f(t₁,…,tₙ)` with lists and typed literals: what rules match and build (paper 1, section
//! 2.2). Immutable and hash-consed: a term built twice, with one origin, is one term.
//!
//! A term of an operator carries its *origin* (span, provenance, id of the operator it stands for)
//! as an attribute that takes no part in matching or equality.

use crate::terms::known_nodes;
use gridlock_semantics::algebra::expr::{Builtin, MathFn, UnaryOp};
use gridlock_semantics::algebra::operator::{Head, OpId, Provenance};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub use gridlock_semantics::algebra::expr::BinaryOp;

/// The head of a compound term. Arguments are listed in the order they stand in the term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Functor {
    /// The procedures.
    Program,
    /// Handle, list of parameters, list of declared locals, result or NIL, body.
    Procedure(ProcKind),

    /// Nothing.
    Skip,
    /// The statements.
    Seq,
    /// Condition, then, else.
    If,
    /// Condition, body.
    While,
    /// A counted loop: variable, initial value, condition, new value of the variable, body.
    For,
    /// Procedure, list of arguments, result variable or NIL.
    Call,
    /// Both, in any order (SAA-M): operator, operator.
    Par,
    /// A basic operator: its operands in the order of the table ([`Head::slots`]). A list stands as a list, or, where
    /// it is the only operand, as its members; a result that is not kept is NIL; a last operand that is not given is
    /// left out.
    Basic(Head),

    /// Nothing.
    Builtin(Builtin),
    /// Operand.
    Unary(UnaryOp),
    /// Left, right operand.
    Binary(BinaryOp),
    /// Conversion of the operand to the term's own type.
    Cast,
    /// Condition, value if it holds, value if not.
    Select,
    /// The function's arguments.
    Math(MathFn),
    /// Pointer, elements.
    Offset,
    /// Pointer.
    Load,

    /// A term that exists only between rules (`_Unroll`, `_Alloc`); a finished program has none.
    Helper(Arc<str>),
}

impl Functor {
    /// Whether a term with this head is an operator of the algebra.
    pub fn is_operator(&self) -> bool {
        use Functor::*;
        matches!(self, Skip | Seq | If | While | For | Call | Par | Basic(_))
    }

    /// Whether a term with this head is an expression.
    pub fn is_expression(&self) -> bool {
        use Functor::*;
        matches!(
            self,
            Builtin(_) | Unary(_) | Binary(_) | Cast | Select | Math(_) | Offset | Load
        )
    }
}

/// A private variable. Two occurrences are the same variable when their `id` is the same: names
/// are for people. One variable may occur in several procedures; each declares its own instance.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The same for every occurrence; numbered through the whole program.
    pub id: u32,
    /// For people; two variables may have one name.
    pub name: Arc<str>,
    /// Also that of terms it stands for.
    pub ty: Type,
    /// Of its declaration.
    pub span: Span,
}

/// Where an operator term comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// In the program that was converted; `OpId(u32::MAX)` for an operator that a rule made.
    pub id: OpId,
    /// Its text in the source.
    pub span: Span,
    /// Which operator or rule it was made by.
    pub provenance: Provenance,
}

/// The attribute of operator terms. A `For` stands for five operators of the program, outermost
/// first: the sequence, the initialisation, the `while`, the sequence inside, the step. All other
/// operator terms stand for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// One for each operator the term stands for, outermost first.
    pub marks: Vec<Mark>,
}

impl Origin {
    /// Of one operator that no program has yet.
    pub fn of(span: Span, provenance: Provenance) -> Arc<Origin> {
        let mark = Mark {
            id: OpId(u32::MAX),
            span,
            provenance,
        };
        Arc::new(Origin { marks: vec![mark] })
    }
}

/// The forms of terms.
#[derive(Clone, Debug)]
pub enum TermKind {
    /// A compound term: head and arguments.
    App(Functor, Vec<Term>),
    /// A list.
    List(Vec<Term>),
    /// A typed constant.
    Literal(Value),
    /// An occurrence of a variable.
    Var(Variable),
    /// Pointer to the first element of declared array number `id`.
    Array {
        /// Number of the array.
        id: u32,
        /// Its name, for people.
        name: Arc<str>,
        /// Type of the pointer: elements and memory space.
        pointer: PointerType,
    },
    /// Procedure number `id`.
    Proc {
        /// Number of the procedure.
        id: u32,
        /// Its name, for people.
        name: Arc<str>,
    },
    /// A word for functions of the rule language; no part of a program.
    Text(Arc<str>),
}

#[derive(Debug)]
pub(crate) struct Node {
    kind: TermKind,
    /// The type, of expressions.
    ty: Option<Type>,
    origin: Option<Arc<Origin>>,
    pub(crate) hash: u64,
    /// Terms inside each other, this one included.
    depth: u32,
}

impl Node {
    /// Whether the two are the same in every respect: equal terms may differ in origin, and in the names of their
    /// variables.
    pub(crate) fn is_same(&self, other: &Node) -> bool {
        let all_one = |a: &[Term], b: &[Term]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_one_with(b))
        };
        self.hash == other.hash
            && self.ty == other.ty
            && self.origin == other.origin
            && match (&self.kind, &other.kind) {
                (TermKind::App(f, a), TermKind::App(g, b)) => f == g && all_one(a, b),
                (TermKind::List(a), TermKind::List(b)) => all_one(a, b),
                (TermKind::Literal(a), TermKind::Literal(b)) => a == b,
                (TermKind::Var(a), TermKind::Var(b)) => {
                    a.id == b.id && a.name == b.name && a.ty == b.ty && a.span == b.span
                }
                (
                    TermKind::Array { id, name, pointer },
                    TermKind::Array {
                        id: other_id,
                        name: other_name,
                        pointer: other_pointer,
                    },
                ) => id == other_id && name == other_name && pointer == other_pointer,
                (
                    TermKind::Proc { id, name },
                    TermKind::Proc {
                        id: other_id,
                        name: other_name,
                    },
                ) => id == other_id && name == other_name,
                (TermKind::Text(a), TermKind::Text(b)) => a == b,
                _ => false,
            }
    }
}

/// A term. Cloning shares it, and so does building it again (`known_nodes`).
#[derive(Clone, Debug)]
pub struct Term(Arc<Node>);

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        self.0.hash == other.0.hash
            && self.0.ty == other.0.ty
            && match (&self.0.kind, &other.0.kind) {
                (TermKind::App(f, a), TermKind::App(g, b)) => f == g && a == b,
                (TermKind::List(a), TermKind::List(b)) => a == b,
                (TermKind::Literal(a), TermKind::Literal(b)) => a == b,
                (TermKind::Var(a), TermKind::Var(b)) => a.id == b.id,
                (TermKind::Array { id: a, .. }, TermKind::Array { id: b, .. }) => a == b,
                (TermKind::Proc { id: a, .. }, TermKind::Proc { id: b, .. }) => a == b,
                (TermKind::Text(a), TermKind::Text(b)) => a == b,
                _ => false,
            }
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

impl Term {
    fn make(kind: TermKind, ty: Option<Type>, origin: Option<Arc<Origin>>) -> Term {
        let mut hasher = FxHasher::default();
        ty.hash(&mut hasher);
        match &kind {
            TermKind::App(functor, args) => (0, functor, args).hash(&mut hasher),
            TermKind::List(items) => (1, items).hash(&mut hasher),
            TermKind::Literal(value) => (2, value).hash(&mut hasher),
            TermKind::Var(variable) => (3, variable.id).hash(&mut hasher),
            TermKind::Array { id, .. } => (4, id).hash(&mut hasher),
            TermKind::Proc { id, .. } => (5, id).hash(&mut hasher),
            TermKind::Text(text) => (6, text).hash(&mut hasher),
        }
        let hash = hasher.finish();
        let inside = match &kind {
            TermKind::App(_, parts) | TermKind::List(parts) => parts.as_slice(),
            _ => &[],
        };
        let depth = 1 + inside.iter().map(Term::depth).max().unwrap_or(0);
        let node = Node {
            kind,
            ty,
            origin,
            hash,
            depth,
        };
        Term(known_nodes::share(node))
    }

    /// How many terms are inside each other at most, this one included.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Whether both are one term, not only equal ones.
    pub fn is_one_with(&self, other: &Term) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// An operator (or helper) without an origin of its own.
    pub fn app(functor: Functor, args: Vec<Term>) -> Term {
        Term::make(TermKind::App(functor, args), None, None)
    }

    /// An operator (or helper) with an origin; `None`: without one.
    pub fn operator(functor: Functor, args: Vec<Term>, origin: Option<Arc<Origin>>) -> Term {
        Term::make(TermKind::App(functor, args), None, origin)
    }

    /// An expression of type `ty`.
    pub fn expression(functor: Functor, args: Vec<Term>, ty: Type) -> Term {
        Term::make(TermKind::App(functor, args), Some(ty), None)
    }

    /// A constant of type `ty`.
    pub fn literal(value: Value, ty: Type) -> Term {
        Term::make(TermKind::Literal(value), Some(ty), None)
    }

    /// An integer constant of type `ty`, wrapped to its width.
    pub fn int(ty: ScalarType, value: i128) -> Term {
        Term::literal(Value::int(ty, value), Type::Scalar(ty))
    }

    /// An occurrence of a variable, of the variable's type.
    pub fn variable(variable: Variable) -> Term {
        let ty = variable.ty;
        Term::make(TermKind::Var(variable), Some(ty), None)
    }

    /// Pointer to the first element of declared array number `id`.
    pub fn array(id: u32, name: Arc<str>, pointer: PointerType) -> Term {
        let ty = Some(Type::Pointer(pointer));
        Term::make(TermKind::Array { id, name, pointer }, ty, None)
    }

    /// The handle of procedure number `id`.
    pub fn proc(id: u32, name: Arc<str>) -> Term {
        Term::make(TermKind::Proc { id, name }, None, None)
    }

    /// A word for functions of the rule language.
    pub fn text(text: &str) -> Term {
        Term::make(TermKind::Text(text.into()), None, None)
    }

    /// A list of terms.
    pub fn list(items: Vec<Term>) -> Term {
        Term::make(TermKind::List(items), None, None)
    }

    /// NIL, the empty list.
    pub fn nil() -> Term {
        Term::list(vec![])
    }

    /// Its form and what is directly inside.
    pub fn kind(&self) -> &TermKind {
        &self.0.kind
    }

    /// The type of an expression; `None` for what is none.
    pub fn ty(&self) -> Option<Type> {
        self.0.ty
    }

    /// Where an operator comes from; `None` for other terms, and where nothing is known.
    pub fn origin(&self) -> Option<&Arc<Origin>> {
        self.0.origin.as_ref()
    }

    /// The same term with another origin.
    pub fn with_origin(&self, origin: Option<Arc<Origin>>) -> Term {
        Term::make(self.0.kind.clone(), self.0.ty, origin)
    }

    /// The head and arguments of a compound term.
    pub fn as_app(&self) -> Option<(&Functor, &[Term])> {
        match self.kind() {
            TermKind::App(functor, args) => Some((functor, args)),
            _ => None,
        }
    }

    /// The arguments, when the head is `functor`.
    pub fn args_of(&self, functor: &Functor) -> Option<&[Term]> {
        self.as_app().filter(|(f, _)| *f == functor).map(|(_, a)| a)
    }

    /// The items, when it is a list.
    pub fn as_list(&self) -> Option<&[Term]> {
        match self.kind() {
            TermKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The variable, when it is an occurrence of one.
    pub fn as_variable(&self) -> Option<&Variable> {
        match self.kind() {
            TermKind::Var(variable) => Some(variable),
            _ => None,
        }
    }

    /// Number and name, when it is a procedure's handle.
    pub fn as_proc(&self) -> Option<(u32, &Arc<str>)> {
        match self.kind() {
            TermKind::Proc { id, name } => Some((*id, name)),
            _ => None,
        }
    }

    /// What a variable that loses its value is assigned
    /// ([`gridlock_semantics::algebra::expr::Expr::no_value`]).
    pub fn is_no_value(&self) -> bool {
        matches!(self.kind(), TermKind::Literal(Value::Undef))
    }

    /// The value of an integer or Boolean constant.
    pub fn as_integer(&self) -> Option<i128> {
        match self.kind() {
            TermKind::Literal(value) => value.as_integer(),
            _ => None,
        }
    }

    /// Whether its head is an operator of the algebra.
    pub fn is_operator(&self) -> bool {
        self.as_app().is_some_and(|(f, _)| f.is_operator())
    }

    /// Whether its head is a helper.
    pub fn is_helper(&self) -> bool {
        matches!(self.kind(), TermKind::App(Functor::Helper(_), _))
    }

    /// Whether it has a type.
    pub fn is_expression(&self) -> bool {
        self.ty().is_some()
    }

    /// The direct subterms.
    pub fn children(&self) -> &[Term] {
        match self.kind() {
            TermKind::App(_, args) => args,
            TermKind::List(items) => items,
            _ => &[],
        }
    }

    /// The same head, type and origin over other subterms.
    pub fn with_children(&self, children: Vec<Term>) -> Term {
        let kind = match self.kind() {
            TermKind::App(functor, _) => TermKind::App(functor.clone(), children),
            TermKind::List(_) => TermKind::List(children),
            leaf => leaf.clone(),
        };
        Term::make(kind, self.0.ty, self.0.origin.clone())
    }

    /// Calls `visit` on this term and all inside, outermost first, left to right.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// Whether `part` occurs inside (or is) this term.
    pub fn contains(&self, part: &Term) -> bool {
        self == part || self.children().iter().any(|child| child.contains(part))
    }

    /// The subterm at a path of child numbers.
    pub fn at(&self, path: &[usize]) -> Option<&Term> {
        match path {
            [] => Some(self),
            [first, rest @ ..] => self.children().get(*first)?.at(rest),
        }
    }

    /// This term with the subterm at `path` replaced; unchanged when there is no such place.
    pub fn replaced(&self, path: &[usize], by: Term) -> Term {
        match path {
            [] => by,
            [first, rest @ ..] => {
                let mut children = self.children().to_vec();
                if let Some(child) = children.get_mut(*first) {
                    *child = child.replaced(rest, by);
                }
                self.with_children(children)
            }
        }
    }

    /// The statements of a block: those of a sequence, nested sequences opened; none for `skip`;
    /// the term itself otherwise.
    pub fn statements(&self) -> Vec<Term> {
        fn collect(term: &Term, into: &mut Vec<Term>) {
            match term.as_app() {
                Some((Functor::Seq, parts)) => parts.iter().for_each(|part| collect(part, into)),
                Some((Functor::Skip, _)) => {}
                _ => into.push(term.clone()),
            }
        }
        let mut statements = Vec::new();
        collect(self, &mut statements);
        statements
    }

    /// One operator out of statements: `skip`, the statement itself, or a sequence.
    pub fn block(mut statements: Vec<Term>, origin: Option<Arc<Origin>>) -> Term {
        match statements.len() {
            0 => Term::operator(Functor::Skip, vec![], origin),
            1 => statements.remove(0),
            _ => Term::operator(Functor::Seq, statements, origin),
        }
    }

    /// The span of this operator, or of the first inside that has one.
    pub fn span(&self) -> Span {
        if let Some(origin) = self.origin()
            && let Some(mark) = origin.marks.iter().find(|mark| !mark.span.is_none())
        {
            return mark.span;
        }
        let mut found = Span::NONE;
        for child in self.children() {
            if found.is_none() {
                found = child.span();
            }
        }
        found
    }
}
