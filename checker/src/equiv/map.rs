//! Observation maps: how the observables of two programs correspond.
//!
//! ```text
//! map      ::=  relation { ';' relation }
//! relation ::=  term '==' term [ 'for' range { ',' range } ]
//! range    ::=  index 'in' number-term '..' number-term
//! term     ::=  usual arithmetic (+ - * / % and parentheses) over cells, numbers and names
//! cell     ::=  ('new' | 'old') '.' array [ '[' number-term ']' { '[' … ']' } ] | … '.result'
//! ```
//!
//! A name is a constant of the comparison where one of that name is given, an index otherwise. An
//! index without a range runs from 0 as long as one of the cells it selects alone is there.
//! Arrays named in a map are compared where it says and nowhere else; all others, and the
//! results, are compared by name, every element.

use serde::{Deserialize, Serialize};

/// Relates what is seen of the new program to what is seen of the old one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObservationMap {
    /// Arrays are paired by name, or by position where the names are not the same; every element,
    /// and the results, must be equal.
    #[default]
    Identity,
    /// Arrays named here are compared by these relations; all others as under `Identity`.
    Relations(Vec<Relation>),
}

impl ObservationMap {
    /// Whether a relation speaks of this array of that side.
    pub fn names(&self, side: Side, name: &str) -> bool {
        let relations: &[Relation] = match self {
            ObservationMap::Identity => &[],
            ObservationMap::Relations(relations) => relations,
        };
        let terms = relations.iter().flat_map(|r| [&r.left, &r.right]);
        terms.into_iter().any(|term| term.names(side, name))
    }
}

/// `left == right`, for every value of the indices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relation {
    /// Before `==`.
    pub left: Term,
    /// After `==`.
    pub right: Term,
    /// Of the indices that have one.
    pub ranges: Vec<Range>,
    /// As it was written.
    pub text: String,
}

/// `index in from..to`, `to` excluded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// Name of the index.
    pub index: String,
    /// The first value.
    pub from: Term,
    /// Behind the last value.
    pub to: Term,
}

/// The program a cell is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// The original.
    Old,
    /// What is to do the same.
    New,
}

/// Operators of terms; integers are divided as in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TermOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
}

/// What a relation compares, or an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Term {
    /// An integer.
    Number(i64),
    /// A constant or an index.
    Name(String),
    /// An element of an observed array.
    Cell {
        /// Which program's.
        side: Side,
        /// Name of the array.
        array: String,
        /// The element's number.
        index: Box<Term>,
    },
    /// The result of a function.
    Result(Side),
    /// Arithmetic.
    Binary(TermOp, Box<Term>, Box<Term>),
}

impl Term {
    /// Whether it has a cell of this array of that side.
    pub fn names(&self, wanted: Side, name: &str) -> bool {
        let mut found = false;
        self.walk(&mut |t| {
            found |=
                matches!(t, Term::Cell { side, array, .. } if *side == wanted && array == name);
        });
        found
    }

    /// Calls `visit` on this term and all inside.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        visit(self);
        match self {
            Term::Number(_) | Term::Name(_) | Term::Result(_) => {}
            Term::Cell { index, .. } => index.walk(visit),
            Term::Binary(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
        }
    }
}

/// Text that is no observation map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("observation map, column {column} of `{text}`: {message}")]
pub struct MapError {
    /// The text, or the relation of it that cannot be.
    pub text: String,
    /// From 1.
    pub column: usize,
    /// What is wrong, one phrase.
    pub message: String,
}
