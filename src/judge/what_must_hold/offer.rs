//! Values that are tried, some of them relative to the rest of the launch.

use super::space::Space;
use super::term::Term;
use gridlock_semantics::types::ScalarType;
use gridlock_semantics::value::Value;

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

    /// As the head of a column: `n+1` with the launch's products by short names.
    pub fn label(&self, space: &Space) -> String {
        match self {
            Offer::Number(number) => number.to_string(),
            Offer::Near(term, delta) => {
                let name = short(term, space);
                match delta {
                    0 => name,
                    1.. => format!("{name}+{delta}"),
                    _ => format!("{name}{delta}"),
                }
            }
        }
    }
}

/// `b` for an extent of a block, `t` for the threads of a dimension; the legend of the table
/// says so.
fn short(term: &Term, space: &Space) -> String {
    let name = |v: usize| space.dimensions[v].name.clone();
    let axis = |v: usize| {
        let several = space
            .dimensions
            .iter()
            .filter(|d| d.name.starts_with("blockDim"));
        match several.count() > 1 {
            true => name(v).chars().last().map(String::from).unwrap_or_default(),
            false => String::new(),
        }
    };
    match term {
        Term::Number(number) => number.to_string(),
        Term::Var(v) if name(*v).starts_with("blockDim") => format!("b{}", axis(*v)),
        Term::Var(v) => name(*v),
        Term::Times(v, _) => format!("t{}", axis(*v)),
        Term::Scaled(factor, inner) => format!("{factor}{}", short(inner, space)),
        Term::Plus(a, b) => format!("{}+{}", short(a, space), short(b, space)),
    }
}

/// Whether a type has this value.
pub fn fits(value: i64, ty: ScalarType) -> bool {
    match ty {
        ScalarType::Bool => (0..=1).contains(&value),
        ty => Value::int(ty, value as i128).as_integer() == Some(value as i128),
    }
}
