//! What a rule took for granted, asked again where the launch and the arguments are known.
//!
//! `Yes` and `No` are certain for that launch and those arguments; what cannot be computed from
//! them (what a loop touches, say) stays `Unknown`.

use crate::analysis::Answer;
use crate::rewriting::record::Assumption;
use crate::terms::term::{BinaryOp, Functor, Term};
use gridlock_semantics::algebra::expr::UnaryOp;
use gridlock_semantics::algebra::types::ScalarType;

/// The value of a variable or coordinate, where it is the same wherever the rule was applied.
pub type ValueOf<'a> = &'a dyn Fn(&Term) -> Option<i128>;

impl Assumption {
    /// Whether it holds where variables and coordinates have these values.
    pub fn at(&self, value_of: ValueOf) -> Answer {
        match &self.formula {
            Some(formula) => holds(formula, value_of),
            None => Answer::Unknown,
        }
    }
}

fn holds(formula: &Term, value_of: ValueOf) -> Answer {
    use Answer::*;
    match formula.as_app() {
        Some((Functor::Helper(name), [n])) if &**name == "power_of_two" => {
            match integer(n, value_of) {
                Some(n) => Answer::decided(n > 0 && n.count_ones() == 1),
                None => Unknown,
            }
        }
        Some((Functor::Helper(_), _)) => Unknown,
        Some((Functor::Unary(UnaryOp::Not), [a])) => match holds(a, value_of) {
            Yes => No,
            No => Yes,
            Unknown => Unknown,
        },
        Some((Functor::Binary(BinaryOp::And), [a, b])) => {
            match (holds(a, value_of), holds(b, value_of)) {
                (No, _) | (_, No) => No,
                (Yes, Yes) => Yes,
                _ => Unknown,
            }
        }
        Some((Functor::Binary(BinaryOp::Or), [a, b])) => {
            match (holds(a, value_of), holds(b, value_of)) {
                (Yes, _) | (_, Yes) => Yes,
                (No, No) => No,
                _ => Unknown,
            }
        }
        _ => match integer(formula, value_of) {
            Some(value) => Answer::decided(value != 0),
            None => Unknown,
        },
    }
}

/// The value of an expression over integers none of which leaves the range of 32 bits without sign
/// on the way: then it is the same in every type of C.
fn integer(term: &Term, value_of: ValueOf) -> Option<i128> {
    let value = match term.as_app() {
        _ if term.as_integer().is_some() => term.as_integer()?,
        Some((Functor::Cast, [inside])) => match term.ty()?.scalar()? {
            ScalarType::I32 | ScalarType::U32 | ScalarType::I64 | ScalarType::U64 => {
                integer(inside, value_of)?
            }
            _ => return None,
        },
        Some((Functor::Binary(op), [a, b])) => {
            let (a, b) = (integer(a, value_of)?, integer(b, value_of)?);
            match op {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div if b != 0 => a / b,
                BinaryOp::Rem if b != 0 => a % b,
                BinaryOp::Eq => (a == b).into(),
                BinaryOp::Ne => (a != b).into(),
                BinaryOp::Lt => (a < b).into(),
                BinaryOp::Le => (a <= b).into(),
                BinaryOp::Gt => (a > b).into(),
                BinaryOp::Ge => (a >= b).into(),
                _ => return None,
            }
        }
        _ => value_of(term)?,
    };
    (0..1 << 31).contains(&value).then_some(value)
}
