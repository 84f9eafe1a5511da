//! Expressions of the algebra as C expressions.
//!
//! The algebra's arithmetic is typed and wraps; C's promotes, converts and leaves signed overflow
//! undefined. Every method here says in which sense the text it gives stands for the expression:
//!
//! * *exact*: the C value is the algebra's value. For integers the C type may be another one that
//!   holds the value (`int` for a `short`, `size_t` for a `uint`);
//! * *typed*: exact, and of precisely the expression's type;
//! * *modular*: an integer text whose value agrees with the algebra's modulo 2^bits, for places
//!   that convert to a type of at most that many bits anyway. Here sums that may overflow are
//!   computed in unsigned arithmetic, without a cast back.
//!
//! No text contains a signed overflow in a run free of faults, but in one place: a subscript
//! `start[i + j]` of a pointer to the first element of an array (see [`Printer::subscript`]).

mod arithmetic;
mod comparison;
mod conversion;
mod csharp;
mod function_call;
mod literal;
mod place;
mod text;

pub(crate) use conversion::pointer_type;
pub(crate) use literal::reciprocal_of_zero;
pub(crate) use text::{Printed, Text, Unprintable};

use crate::print::dialect::Dialect;
use crate::print::range::Known;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use literal::folded;
use text::level;

/// Names and facts an expression is printed with.
pub(crate) struct Printer<'a> {
    pub dialect: Dialect,
    pub program: &'a Program,
    pub known: &'a Known,
    pub var_name: &'a dyn Fn(VarId) -> String,
    pub array_name: &'a dyn Fn(ArrayId) -> String,
    /// Whether an array's name stands for its only cell.
    pub is_scalar: &'a dyn Fn(ArrayId) -> bool,
    /// Address space a pointer variable points into (OpenCL).
    pub var_space: &'a dyn Fn(VarId) -> Option<Space>,
    /// Whether a pointer variable points to the first element of an array.
    pub is_start: &'a dyn Fn(VarId) -> bool,
}

impl Printer<'_> {
    /// Exact.
    pub(crate) fn exact(&self, expr: &Expr) -> Printed {
        if self.dialect == Dialect::CSharp {
            return self.csharp(expr);
        }
        if let Some(value) = folded(expr) {
            return self.constant(expr.ty, value);
        }
        match &expr.kind {
            ExprKind::Const(value) => self.constant(expr.ty, *value),
            ExprKind::Var(var) => Ok(Text::new((self.var_name)(*var), level::PRIMARY, expr.ty)),
            ExprKind::Builtin(builtin) => self.builtin(*builtin),
            ExprKind::Unary(op, inner) => self.unary(*op, inner, expr),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr),
            ExprKind::Cast(inner) => self.cast(inner, expr.ty),
            ExprKind::Select(cond, a, b) => self.select(cond, a, b, expr.ty),
            ExprKind::Math(function, args) => self.math(*function, args, expr),
            ExprKind::ArrayBase(array) => {
                let name = (self.array_name)(*array);
                if (self.is_scalar)(*array) {
                    Ok(Text::new(format!("&{name}"), level::UNARY, expr.ty))
                } else {
                    Ok(Text::new(name, level::PRIMARY, expr.ty))
                }
            }
            ExprKind::Offset(pointer, elements) => match pointer.kind {
                ExprKind::ArrayBase(_) | ExprKind::Var(_) => {
                    let place = self.place(expr)?;
                    Ok(Text::new(format!("&{}", place.text), level::UNARY, expr.ty))
                }
                _ => {
                    let base = self.exact(pointer)?.operand(level::ADDITIVE, false);
                    let index = self.exact(elements)?.operand(level::ADDITIVE, true);
                    Ok(Text::new(
                        format!("{base} + {index}"),
                        level::ADDITIVE,
                        expr.ty,
                    ))
                }
            },
            ExprKind::Load(pointer) => self.place(pointer),
        }
    }

    /// Typed.
    pub(crate) fn typed(&self, expr: &Expr) -> Printed {
        let exact = self.exact(expr)?;
        Ok(self.to_type(exact, expr.ty))
    }

    fn builtin(&self, builtin: Builtin) -> Printed {
        match self.dialect.builtin(builtin) {
            Some((text, ty)) => Ok(Text::new(text, level::PRIMARY, Type::Scalar(ty))),
            None if builtin == Builtin::WarpSize => Err(Unprintable(
                "the warp size, which the language does not know".to_owned(),
            )),
            None => Err(Unprintable(
                "a thread's coordinates in host code".to_owned(),
            )),
        }
    }
}
