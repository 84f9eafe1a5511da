//! Formulas.

use std::collections::BTreeMap;
use std::rc::Rc;

/// A number that runs over a range: of a cell, or of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// `constant + Σ factor * variable`. No factor is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Affine {
    /// Where all variables are 0.
    pub constant: i64,
    /// By variable.
    pub factors: BTreeMap<Variable, i64>,
}

impl Affine {
    /// A number.
    pub fn of(constant: i64) -> Affine {
        Affine {
            constant,
            factors: BTreeMap::new(),
        }
    }

    /// The number that it is, if it hangs on no variable.
    pub fn number(&self) -> Option<i64> {
        self.factors.is_empty().then_some(self.constant)
    }

    /// So much more, as far as 64 bits reach.
    pub fn plus(&self, more: i64) -> Affine {
        Affine {
            constant: self.constant.saturating_add(more),
            factors: self.factors.clone(),
        }
    }
}

/// `variable` from `first` on, so many times.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    /// What runs.
    pub variable: Variable,
    /// Its first value.
    pub first: i64,
    /// How often: at least once.
    pub count: Affine,
}

/// Operands of a [`Formula::Sum`], one for each value of the ranges, the outermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part {
    /// None: one operand.
    pub ranges: Vec<Range>,
    /// The operand.
    pub of: Rc<Formula>,
}

/// An operation that takes many operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Many {
    /// `+`
    Sum,
    /// `+` of products, each rounded together with its product (`fma`).
    FusedSum,
    /// `*`
    Product,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&&`
    All,
    /// `||`
    Any,
}

impl Many {
    /// Whether an operand counts once, however often it stands there.
    pub fn is_idempotent(&self) -> bool {
        match self {
            Many::Max | Many::Min | Many::BitAnd | Many::BitOr | Many::All | Many::Any => true,
            Many::Sum | Many::FusedSum | Many::Product | Many::BitXor => false,
        }
    }
}

/// In which order operands meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// It makes no difference.
    Indifferent,
    /// From left to right.
    FromLeft,
    /// Another one: a tree, say. Of floats that may matter.
    Other,
}

/// An operation on few operands, as C writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// Between two, as tightly as the number says.
    Infix(&'static str, u8),
    /// Before one.
    Prefix(&'static str),
    /// `name(a, b)`
    Call(String),
    /// `(type)a`
    Cast(String),
    /// `a ? b : c`
    Choice,
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Formula {
    /// An integer.
    Number(Affine),
    /// A float or a truth value, as it is written.
    Constant(String),
    /// A scalar input.
    Argument(String),
    /// What an array held at first.
    Cell {
        /// Its name.
        array: String,
        /// The number of the cell.
        index: Rc<Formula>,
    },
    /// An operation.
    Applied {
        /// Which.
        operator: Operator,
        /// Its operands.
        operands: Vec<Rc<Formula>>,
    },
    /// An operation on many operands, those of one part after the other.
    Sum {
        /// Which.
        how: Many,
        /// The order.
        order: Order,
        /// Its operands.
        parts: Vec<Part>,
    },
    /// Nothing was written that has a value.
    NoValue,
    /// More operations than are shown.
    Large {
        /// How many.
        operations: u64,
    },
}

impl Formula {
    /// Whether some sum is not taken from left to right, and of what it adds that may matter.
    pub fn is_reordered(&self) -> bool {
        match self {
            Formula::Sum { order, parts, .. } => {
                *order == Order::Other || parts.iter().any(|part| part.of.is_reordered())
            }
            Formula::Applied { operands, .. } => operands.iter().any(|of| of.is_reordered()),
            Formula::Cell { index, .. } => index.is_reordered(),
            _ => false,
        }
    }
}
