//! Random typed expressions.

use super::draft::{Draft, unsigned};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// What an expression may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Safety {
    /// Nothing whose evaluation may be a fault (loads come from `loads`).
    Total,
    /// Division, shifts by anything, conversions from floats to integers.
    Partial,
}

/// Gives an expression that loads a value of the type, if it likes.
pub(super) type Loads<'a> = &'a mut dyn FnMut(&mut Draft, ScalarType) -> Option<Expr>;

impl Draft {
    pub fn expression(
        &mut self,
        ty: ScalarType,
        depth: u32,
        safety: Safety,
        loads: Loads<'_>,
    ) -> Expr {
        if depth == 0 {
            return self.leaf(ty, loads);
        }
        if self.choices.once_in(4)
            && let Some(load) = loads(self, ty)
        {
            return load;
        }
        let inner = depth - 1;
        match self.choices.below(8) {
            0 => self.leaf(ty, loads),
            1 => {
                let from = self.any_type();
                let to_integer = from.is_float() && ty.is_integer();
                if to_integer && safety == Safety::Total {
                    return self.leaf(ty, loads);
                }
                self.expression(from, inner, safety, loads)
                    .cast(Type::Scalar(ty))
            }
            2 => {
                let cond = self.expression(ScalarType::Bool, inner, safety, loads);
                let then = self.expression(ty, inner, safety, loads);
                let otherwise = self.expression(ty, inner, safety, loads);
                Expr::select(cond, then, otherwise)
            }
            _ if ty == ScalarType::Bool => self.predicate(inner, safety, loads),
            3 => {
                let operand = self.expression(ty, inner, safety, loads);
                let bitwise = ty.is_integer() && self.choices.once_in(2);
                Expr::unary(
                    if bitwise {
                        UnaryOp::BitNot
                    } else {
                        UnaryOp::Neg
                    },
                    operand,
                )
            }
            4 => self.function(ty, inner, safety, loads),
            5 if ty.is_integer() => {
                let op = self.choices.pick(&[BinaryOp::Shl, BinaryOp::Shr]);
                let left = self.expression(ty, inner, safety, loads);
                let amount = match safety {
                    Safety::Partial if self.choices.once_in(2) => {
                        self.expression(ty, inner, safety, loads)
                    }
                    _ => Expr::i32(self.choices.below(ty.bits() as u64) as i32),
                };
                Expr::binary(op, left, amount)
            }
            _ => {
                let op = self.operator(ty, safety);
                let left = self.expression(ty, inner, safety, loads);
                let right = self.expression(ty, inner, safety, loads);
                Expr::binary(op, left, right)
            }
        }
    }

    fn operator(&mut self, ty: ScalarType, safety: Safety) -> BinaryOp {
        use BinaryOp::*;
        if ty.is_float() {
            return self.choices.pick(&[Add, Sub, Mul, Div]);
        }
        if safety == Safety::Partial && self.choices.once_in(4) {
            return self.choices.pick(&[Div, Rem]);
        }
        self.choices.pick(&[Add, Sub, Mul, BitAnd, BitOr, BitXor])
    }

    fn function(&mut self, ty: ScalarType, depth: u32, safety: Safety, loads: Loads<'_>) -> Expr {
        use MathFn::*;
        let functions: &[MathFn] = if ty.is_float() {
            &[Min, Max, Abs, Sqrt, Floor, Ceil, Trunc, Fma]
        } else if ty.bits() >= 32 {
            &[
                Min,
                Max,
                Abs,
                PopCount,
                FindFirstSet,
                CountLeadingZeros,
                ReverseBits,
            ]
        } else {
            &[Min, Max, Abs]
        };
        let function = self.choices.pick(functions);
        let args = (0..function.arity())
            .map(|_| self.expression(ty, depth, safety, loads))
            .collect();
        Expr::new(
            Type::Scalar(ty),
            gridlock_semantics::algebra::expr::ExprKind::Math(function, args),
        )
    }

    /// A boolean expression.
    fn predicate(&mut self, depth: u32, safety: Safety, loads: Loads<'_>) -> Expr {
        use BinaryOp::*;
        match self.choices.below(4) {
            0 => {
                let op = self.choices.pick(&[And, Or]);
                let left = self.expression(ScalarType::Bool, depth, safety, loads);
                let right = self.expression(ScalarType::Bool, depth, safety, loads);
                Expr::binary(op, left, right)
            }
            1 => {
                let operand = self.expression(ScalarType::Bool, depth, safety, loads);
                Expr::unary(UnaryOp::Not, operand)
            }
            _ => {
                let ty = self.any_type();
                let op = self.choices.pick(&[Lt, Le, Gt, Ge, Eq, Ne]);
                let left = self.expression(ty, depth, safety, loads);
                let right = self.expression(ty, depth, safety, loads);
                Expr::binary(op, left, right)
            }
        }
    }

    fn leaf(&mut self, ty: ScalarType, loads: Loads<'_>) -> Expr {
        if self.choices.once_in(3)
            && let Some(load) = loads(self, ty)
        {
            return load;
        }
        let scalar = Type::Scalar(ty);
        match self.choices.below(4) {
            0 => self.tid().cast(scalar),
            1 if !self.readable.is_empty() => {
                let (var, of) = self.choices.pick(&self.readable.clone());
                if of.is_float() && ty.is_integer() {
                    return self.constant(ty);
                }
                Expr::var(var, Type::Scalar(of)).cast(scalar)
            }
            2 if self.choices.once_in(2) => Expr::builtin(Builtin::BlockIdx(Axis::X)).cast(scalar),
            _ => self.constant(ty),
        }
    }

    /// Mostly small, now and then at the end of the type's range.
    pub fn constant(&mut self, ty: ScalarType) -> Expr {
        let small = self.choices.below(7) as i64 - 2;
        let value = match ty {
            ScalarType::Bool => Value::Bool(small > 0),
            ScalarType::F32 => Value::f32(small as f32 / 2.0),
            ScalarType::F64 => Value::f64(small as f64 / 2.0),
            _ if self.choices.once_in(8) => {
                let (least, greatest) = ty.range();
                Value::int(
                    ty,
                    if self.choices.once_in(2) {
                        least
                    } else {
                        greatest
                    },
                )
            }
            _ => Value::int(ty, small as i128),
        };
        Expr::constant(value)
    }

    /// A condition that differs between threads.
    pub fn on_tid(&mut self) -> Expr {
        use BinaryOp::*;
        let op = self.choices.pick(&[Lt, Ge, Eq, Ne]);
        let bound = self.choices.below(self.n_threads() as u64) as u32;
        Expr::binary(op, self.tid(), unsigned(bound))
    }
}
