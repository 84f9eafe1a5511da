//! Sorts of metavariables. The algebra is two-sorted (operators and predicates); the rules
//! distinguish a little more.

use crate::terms::term::Term;
use gridlock_semantics::algebra::types::Type;
use std::fmt;

/// What a metavariable may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// An operator: a statement.
    Operator,
    /// An expression of any type.
    Expr,
    /// A Boolean expression.
    Predicate,
    /// A variable.
    Name,
    /// An integer constant.
    Int,
    /// The name of a procedure.
    Procedure,
    /// A list of terms.
    List,
    /// Not determined: a helper term's argument.
    Any,
}

impl Sort {
    /// The sort of that name; [`Sort::Any`] has none.
    pub fn named(name: &str) -> Option<Sort> {
        Some(match name {
            "Operator" => Sort::Operator,
            "Expr" => Sort::Expr,
            "Predicate" => Sort::Predicate,
            "Name" => Sort::Name,
            "Int" => Sort::Int,
            "Procedure" => Sort::Procedure,
            "List" => Sort::List,
            _ => return None,
        })
    }

    /// Whether everything of this sort may stand where `place` is asked for. What is `Any` is
    /// judged when the rule is applied.
    pub fn fits(self, place: Sort) -> bool {
        use Sort::*;
        self == place
            || self == Any
            || place == Any
            || matches!(
                (self, place),
                (Name | Int | Predicate, Expr) | (Name | Int | Expr, Predicate)
            )
    }

    /// The narrower of two sorts of one variable; `None` when nothing has both.
    pub fn meet(self, other: Sort) -> Option<Sort> {
        use Sort::*;
        Some(match (self, other) {
            (a, b) if a == b => a,
            (Any, a) | (a, Any) => a,
            (Expr, a @ (Name | Int | Predicate)) | (a @ (Name | Int | Predicate), Expr) => a,
            (Predicate, Name) | (Name, Predicate) => Name,
            (Predicate, Int) | (Int, Predicate) => Int,
            _ => return None,
        })
    }

    /// Whether a term is of this sort.
    pub fn holds(self, term: &Term) -> bool {
        match self {
            Sort::Any => true,
            Sort::Operator => term.is_operator() || (term.is_helper() && !term.is_expression()),
            Sort::Expr => term.is_expression(),
            Sort::Predicate => term.ty() == Some(Type::BOOL),
            Sort::Name => term.as_variable().is_some(),
            Sort::Int => term.as_integer().is_some(),
            Sort::Procedure => term.as_proc().is_some(),
            Sort::List => term.as_list().is_some(),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Operator => "an operator",
            Sort::Expr => "an expression",
            Sort::Predicate => "a predicate",
            Sort::Name => "a variable",
            Sort::Int => "an integer",
            Sort::Procedure => "a procedure name",
            Sort::List => "a list",
            Sort::Any => "anything",
        })
    }
}
