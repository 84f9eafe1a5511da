//! Values that are tried, some of them relative to the rest of the launch.

use super::term::Term;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;

/// A value to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    Number(i64),
    /// So much beside a term over earlier dimensions.
    Near(Term, i64),
}

impl Offer {
    /// The value, given the earlier dimensions of a point; `None` where it fits no `i64`.
    pub fn at(&self, point: &[i64]) -> Option<i64> {
        match self {
            Offer::Number(number) => Some(*number),
            Offer::Near(term, delta) => {
                let reached = |v: &usize| *v < point.len();
                let all = term.variables().iter().all(reached);
                all.then(|| i64::try_from(term.at(point) + *delta as i128).ok())?
            }
        }
    }
}

/// Whether a type has this value.
pub fn fits(value: i64, ty: ScalarType) -> bool {
    match ty {
        ScalarType::Bool => (0..=1).contains(&value),
        ty => Value::int(ty, value as i128).as_integer() == Some(value as i128),
    }
}
