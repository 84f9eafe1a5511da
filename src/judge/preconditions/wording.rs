//! Terms as text and as expressions of the source.

use super::space::Space;
use super::term::Term;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::types::{ScalarType, Type};

impl Term {
    /// As people write it.
    pub fn text(&self, space: &Space) -> String {
        let name = |v: &usize| space.dimensions[*v].name.clone();
        match self {
            Term::Number(number) => number.to_string(),
            Term::Var(v) => name(v),
            Term::Times(v, w) => format!("{} * {}", name(v), name(w)),
            Term::Scaled(factor, term) => format!("{factor} * {}", term.text(space)),
            Term::Plus(a, b) => match **b {
                Term::Number(number) if number < 0 => {
                    format!("{} - {}", a.text(space), number.unsigned_abs())
                }
                _ => format!("{} + {}", a.text(space), b.text(space)),
            },
        }
    }

    /// The narrowest of `U32`, `I32` and `I64` in which the term does not overflow, by the types
    /// of its variables and the assumption that `gridDim.d * blockDim.d < 2^31`.
    fn natural_type(&self, space: &Space) -> ScalarType {
        let is_launch = |v: &usize| space.dimensions[*v].variable.is_of_launch();
        match self {
            Term::Number(number) if (0..=i32::MAX as i64).contains(number) => ScalarType::U32,
            Term::Number(number) if i32::try_from(*number).is_ok() => ScalarType::I32,
            Term::Number(_) => ScalarType::I64,
            Term::Var(v) => match space.dimensions[*v].ty {
                ScalarType::I64 | ScalarType::U64 => ScalarType::I64,
                ScalarType::U32 => ScalarType::U32,
                _ => ScalarType::I32,
            },
            Term::Times(v, w) if is_launch(v) && is_launch(w) => ScalarType::U32,
            Term::Times(..) | Term::Scaled(..) => ScalarType::I64,
            Term::Plus(a, b) => {
                let launch = [a, b].into_iter().all(|t| {
                    t.variables().iter().all(is_launch) && t.natural_type(space) == ScalarType::U32
                });
                if launch {
                    ScalarType::U32
                } else {
                    ScalarType::I64
                }
            }
        }
    }

    /// The type to compare `self` and `other` in.
    pub fn common_type(&self, other: &Term, space: &Space) -> ScalarType {
        let launch = |t: &Term| {
            let of_launch = |v: &usize| space.dimensions[*v].variable.is_of_launch();
            t.variables().iter().all(of_launch)
        };
        match (self.natural_type(space), other.natural_type(space)) {
            (ScalarType::I64, _) | (_, ScalarType::I64) => ScalarType::I64,
            (ScalarType::U32, ScalarType::U32) => ScalarType::U32,
            (ScalarType::I32, ScalarType::I32) => ScalarType::I32,
            // An index or an extent of a launch fits both; an unsigned argument need not.
            (ScalarType::U32, _) if launch(self) => ScalarType::I32,
            (_, ScalarType::U32) if launch(other) => ScalarType::I32,
            _ => ScalarType::I64,
        }
    }

    /// The term in the source, in type `ty` (at least [`Term::natural_type`]): text and
    /// expression. `None` where a variable has no name there.
    pub fn in_source(&self, ty: ScalarType, space: &Space) -> Option<(String, Expr)> {
        let to = Type::Scalar(ty);
        let variable = |v: &usize, ty: ScalarType| {
            let dimension = &space.dimensions[*v];
            let expression = dimension.variable.expression(space.procedure())?;
            let text = match dimension.ty == ty || promotes(dimension.ty, ty) {
                true => dimension.name.clone(),
                false => format!("({}){}", ty.c_name(), dimension.name),
            };
            Some((text, expression.cast(Type::Scalar(ty))))
        };
        let both = |symbol: BinaryOp, a: (String, Expr), b: (String, Expr)| {
            let text = format!("{} {} {}", a.0, symbol.c_symbol(), b.0);
            (text, Expr::binary(symbol, a.1, b.1))
        };
        Some(match self {
            Term::Number(number) => (number.to_string(), Expr::int(ty, *number)),
            Term::Var(v) => variable(v, ty)?,
            Term::Times(v, w) => {
                let inner = match self.natural_type(space) {
                    ScalarType::U32 => ScalarType::U32,
                    _ => ty,
                };
                let (text, product) = both(BinaryOp::Mul, variable(v, inner)?, variable(w, inner)?);
                match inner == ty {
                    true => (text, product),
                    false => (format!("({})({text})", ty.c_name()), product.cast(to)),
                }
            }
            Term::Scaled(factor, term) => both(
                BinaryOp::Mul,
                (factor.to_string(), Expr::int(ty, *factor)),
                term.in_source(ty, space)?,
            ),
            Term::Plus(a, b) => both(
                BinaryOp::Add,
                a.in_source(ty, space)?,
                b.in_source(ty, space)?,
            ),
        })
    }
}

/// Whether C converts `from` to `to` by itself wherever a term of type `to` meets it.
fn promotes(from: ScalarType, to: ScalarType) -> bool {
    to == ScalarType::I32 && from.bits() < 32
}
