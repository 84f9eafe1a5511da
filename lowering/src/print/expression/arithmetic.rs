//! Arithmetic: which type C computes in, and where that must be forced.

use super::Printer;
use super::literal::{folded, reciprocal_of_zero};
use super::text::{Printed, Text, Unprintable, level, level_of};
use crate::print::c_type::{promoted, unsigned_of, usual_conversion};
use crate::print::dialect::Dialect;
use crate::print::range::{Coordinate, Range, coordinate};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Expr, ExprKind, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

impl Printer<'_> {
    pub(super) fn unary(&self, op: UnaryOp, inner: &Expr, whole: &Expr) -> Printed {
        let ty = whole.scalar_type();
        match op {
            UnaryOp::Not => self.not(inner),
            UnaryOp::Neg if ty.is_float() => {
                let text = self.typed(inner)?.negated();
                Ok(Text::new(text, level::UNARY, whole.ty))
            }
            UnaryOp::Neg if self.known.unwrapped(whole).within(Range::of(ty)) => {
                let inner = self.exact(inner)?;
                let c = promoted(inner.scalar());
                if c.is_signed() {
                    return Ok(Text::new(inner.negated(), level::UNARY, Type::Scalar(c)));
                }
                Ok(self.to_type(self.wrapped_negation(inner, ty), whole.ty))
            }
            UnaryOp::Neg => {
                let inner = self.exact(inner)?;
                Ok(self.to_type(self.wrapped_negation(inner, ty), whole.ty))
            }
            UnaryOp::BitNot => {
                let exact = self.exact(inner)?;
                // As many one bits in front as the algebra's type wants: those of a signed type
                // are the sign, any number of them.
                let c = promoted(exact.scalar());
                let inner = if ty.is_signed() == c.is_signed() && (ty.is_signed() || c == ty) {
                    exact
                } else {
                    self.to_type(exact, whole.ty)
                };
                let c = Type::Scalar(promoted(inner.scalar()));
                let text = Text::new(format!("~{}", inner.at(level::UNARY)), level::UNARY, c);
                // `~` of a promoted unsigned `char` is negative.
                let narrow_unsigned = !ty.is_signed() && ty.bits() < 32;
                Ok(if narrow_unsigned {
                    self.to_type(text, whole.ty)
                } else {
                    text
                })
            }
        }
    }

    /// `-x` in unsigned arithmetic.
    pub(super) fn wrapped_negation(&self, inner: Text, ty: ScalarType) -> Text {
        let unsigned = Type::Scalar(unsigned_of(ty));
        let inner = self.to_type(inner, unsigned);
        Text::new(inner.negated(), level::UNARY, unsigned)
    }

    /// The negative of an expression, modulo 2^bits.
    pub(crate) fn negative(&self, expr: &Expr) -> Result<String, Unprintable> {
        let ty = expr.scalar_type();
        let text = self.typed(expr)?;
        if ty.is_float() {
            return Ok(text.negated());
        }
        Ok(self.wrapped_negation(text, ty).text)
    }

    pub(super) fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, whole: &Expr) -> Printed {
        use BinaryOp::*;
        if let Some(text) = self.work_item_function(whole) {
            return Ok(text);
        }
        match op {
            Lt | Le | Gt | Ge | Eq | Ne => self.comparison(op, a, b),
            And | Or => {
                let (left, right) = (self.condition(a)?, self.condition(b)?);
                Ok(self.join(left, op, right, self.truth()))
            }
            PtrDiff => {
                let (left, right) = (self.exact(a)?, self.exact(b)?);
                Ok(self.join(left, op, right, Type::I64))
            }
            Add | Sub | Mul | Div | Rem | BitAnd | BitOr | BitXor | Shl | Shr => {
                let text = self.arithmetic(op, a, b, whole, None)?;
                Ok(if self.stands_for(&text, whole) {
                    text
                } else {
                    self.to_type(text, whole.ty)
                })
            }
        }
    }

    /// OpenCL C has functions for `blockIdx.d * blockDim.d + threadIdx.d` and
    /// `gridDim.d * blockDim.d`; we launch without offset and in whole work-groups.
    pub(super) fn work_item_function(&self, expr: &Expr) -> Option<Text> {
        if self.dialect != Dialect::OpenCl {
            return None;
        }
        let (name, axis) = match coordinate(expr)? {
            Coordinate::ThreadInGrid(axis) => ("get_global_id", axis),
            Coordinate::GridThreads(axis) => ("get_global_size", axis),
            Coordinate::FirstOfBlock(_) => return None,
        };
        let number = match axis {
            Axis::X => 0,
            Axis::Y => 1,
            Axis::Z => 2,
        };
        let text = format!("{name}({number})");
        Some(Text::new(text, level::PRIMARY, Type::U64))
    }

    /// Whether an arithmetic text, as C types it, has the algebra's value: it has the right type,
    /// or one that holds the unwrapped result.
    pub(super) fn stands_for(&self, text: &Text, whole: &Expr) -> bool {
        if text.ty == whole.ty {
            return true;
        }
        let (Some(c), Some(ty)) = (text.ty.scalar(), whole.ty.scalar()) else {
            return false;
        };
        if ty.is_float() || c.is_float() {
            return false;
        }
        // Wrapping in C's type and in the algebra's both leave the result as it is.
        let unwrapped = self.known.unwrapped(whole);
        let ExprKind::Binary(op, a, b) = &whole.kind else {
            return false;
        };
        let operands_fit =
            self.known.range(a).within(Range::of(c)) && self.known.range(b).within(Range::of(c));
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
                operands_fit
                    && self.exact_modular(a)
                    && self.exact_modular(b)
                    && unwrapped.within(Range::of(ty))
                    && unwrapped.within(Range::of(c))
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                operands_fit && self.exact_modular(a) && self.exact_modular(b)
            }
            // Their operands are printed exactly.
            _ => true,
        }
    }

    /// `a op b` of integers or floats. The text may be of another type than `whole`: then it
    /// agrees with it modulo 2^bits for `+ - * & | ^ <<`, and is exact for the others.
    /// `target`: the text of the place the result goes to, to prefer casts elsewhere.
    pub(super) fn arithmetic(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        whole: &Expr,
        target: Option<&str>,
    ) -> Printed {
        use BinaryOp::*;
        let ty = whole.scalar_type();
        // `x + -1` is `x - 1`.
        if op == Add
            && let Some(value) = folded(b).and_then(Value::as_integer)
            && value < 0
            && (-value) <= Range::of(ty).hi
        {
            let positive = Expr::new(b.ty, ExprKind::Const(Value::int(ty, -value)));
            return self.arithmetic(Sub, a, &positive, whole, target);
        }
        if matches!(op, Shl | Shr) {
            let left = match op {
                // Bits above the type's width must not come down.
                Shr => self.exact(a)?,
                _ => self.modular(a, ty.bits())?,
            };
            let left = match op {
                Shl if promoted(left.scalar()).bits() < ty.bits() => self.to_type(left, whole.ty),
                _ => left,
            };
            let right = self.exact(b)?;
            // In a narrower type the amount might be too large.
            let c = promoted(left.scalar());
            let amounts = Range::new(0, i128::from(c.bits()) - 1);
            let left = if c.bits() < ty.bits() && !self.known.range(b).within(amounts) {
                self.to_type(left, whole.ty)
            } else {
                left
            };
            let c = Type::Scalar(promoted(left.scalar()));
            return Ok(self.join(left, op, right, c));
        }
        if ty.is_float() {
            // Compilers warn of a division by a zero they can see. `x / 0` and `x * infinity` are
            // the same, for every `x` and both zeros.
            if op == Div
                && let Some(infinity) = reciprocal_of_zero(b)
            {
                let (left, right) = self.balanced(a, &infinity, ty)?;
                return Ok(self.join(left, Mul, right, whole.ty));
            }
            let (left, right) = self.balanced(a, b, ty)?;
            return Ok(self.join(left, op, right, whole.ty));
        }
        let wraps = matches!(op, Add | Sub | Mul);
        let bitwise = matches!(op, BitAnd | BitOr | BitXor);
        if !wraps && !bitwise {
            // Division: both operands with their values, in one type that holds them.
            let (left, right) = (self.exact(a)?, self.exact(b)?);
            let c = usual_conversion(left.scalar(), right.scalar());
            let fits = self.known.range(a).within(Range::of(c))
                && self.known.range(b).within(Range::of(c));
            if fits && !c.is_float() {
                let (left, right) = self.shorter(left, right, c);
                return Ok(self.join(left, op, right, Type::Scalar(c)));
            }
            let (left, right) = self.balanced(a, b, ty)?;
            return Ok(self.join(left, op, right, Type::Scalar(promoted(ty))));
        }
        let (mut left, mut right) = (self.modular(a, ty.bits())?, self.modular(b, ty.bits())?);
        let mut c = usual_conversion(left.scalar(), right.scalar());
        // Narrow texts that stand for themselves would wrap too early.
        if c.bits() < ty.bits() && !self.is_plain(op, a, b, whole, c) {
            left = self.to_type(self.exact(a)?, whole.ty);
            right = self.modular(b, ty.bits())?;
            c = usual_conversion(left.scalar(), right.scalar());
        }
        if !bitwise && c.is_signed() && !self.is_plain(op, a, b, whole, c) {
            let unsigned = Type::Scalar(unsigned_of(c));
            let is_literal = |text: &Text| text.digits().is_some();
            let on_the_right = is_literal(&right)
                || (!is_literal(&left) && target.is_some_and(|target| target == left.text));
            if on_the_right {
                right = self.to_type(right, unsigned);
            } else {
                left = self.to_type(left, unsigned);
            }
            c = usual_conversion(left.scalar(), right.scalar());
        }
        if !c.is_signed() {
            left = self.unsigned_constant(a, left, c);
            right = self.unsigned_constant(b, right, c);
        }
        // Nor `x * 9LL`, where the product fits the type of `x`.
        let short = self.shortest(right.clone());
        let narrower = usual_conversion(left.scalar(), short.scalar());
        if narrower != c && self.is_plain(op, a, b, whole, narrower) {
            return Ok(self.join(left, op, short, Type::Scalar(narrower)));
        }
        let (left, right) = self.shorter(left, right, c);
        Ok(self.join(left, op, right, Type::Scalar(c)))
    }

    /// Whether `a op b` computed in the signed type `c` does not overflow.
    pub(super) fn is_plain(
        &self,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        whole: &Expr,
        c: ScalarType,
    ) -> bool {
        if matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) {
            return self.known.range(a).within(Range::of(c))
                && self.known.range(b).within(Range::of(c));
        }
        // Operands given modulo only are exact where the ranges say that nothing wraps.
        self.known.unwrapped(whole).within(Range::of(c))
            && self.known.range(a).within(Range::of(c))
            && self.known.range(b).within(Range::of(c))
            && self.exact_modular(a)
            && self.exact_modular(b)
    }

    /// Whether the modular text of an expression is exact.
    pub(super) fn exact_modular(&self, expr: &Expr) -> bool {
        let Some(ty) = expr.ty.scalar() else {
            return false;
        };
        let inside = |e: &Expr| self.known.unwrapped(e).within(Range::of(ty));
        match &expr.kind {
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
                    inside(expr) && self.exact_modular(a) && self.exact_modular(b)
                }
                BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                    self.exact_modular(a) && self.exact_modular(b)
                }
                _ => true,
            },
            ExprKind::Unary(UnaryOp::Neg, a) => inside(expr) && self.exact_modular(a),
            ExprKind::Unary(UnaryOp::BitNot, a) => ty.is_signed() && self.exact_modular(a),
            ExprKind::Cast(inner) => {
                let keeps = inner.ty.scalar().is_some_and(|from| !from.is_float())
                    && self.known.range(inner).within(Range::of(ty));
                match inner.ty.scalar() {
                    Some(from) if !from.is_float() => keeps && self.exact_modular(inner),
                    _ => true,
                }
            }
            ExprKind::Select(_, a, b) => self.exact_modular(a) && self.exact_modular(b),
            _ => true,
        }
    }

    /// Modular: see the head of this file. `bits` is at most the expression's width.
    pub(crate) fn modular(&self, expr: &Expr, bits: u32) -> Printed {
        self.modular_for(expr, bits, None)
    }

    /// Modular, for the place `target`.
    pub(crate) fn modular_for(&self, expr: &Expr, bits: u32, target: Option<&str>) -> Printed {
        use BinaryOp::*;
        let ty = expr.scalar_type();
        if let Some(value) = folded(expr) {
            return self.constant(expr.ty, value);
        }
        match &expr.kind {
            ExprKind::Binary(op @ (Add | Sub | Mul | BitAnd | BitOr | BitXor | Shl), a, b) => {
                match self.work_item_function(expr) {
                    Some(text) => Ok(text),
                    None => self.arithmetic(*op, a, b, expr, target),
                }
            }
            ExprKind::Unary(UnaryOp::Neg, inner) if !ty.is_float() => {
                let exact = self.known.unwrapped(expr).within(Range::of(ty));
                if exact {
                    self.exact(expr)
                } else {
                    Ok(self.wrapped_negation(self.modular(inner, bits)?, ty))
                }
            }
            ExprKind::Cast(inner) => match inner.ty.scalar() {
                Some(from) if from.is_integer() && ty.is_integer() && from.bits() >= bits => {
                    if ty.bits() >= bits {
                        self.modular_for(inner, bits, target)
                    } else {
                        self.exact(expr)
                    }
                }
                Some(from) if from.is_integer() && ty.is_integer() && ty.bits() >= bits => {
                    self.exact(inner)
                }
                _ => self.exact(expr),
            },
            _ => self.exact(expr),
        }
    }

    pub(super) fn join(&self, left: Text, op: BinaryOp, right: Text, ty: Type) -> Text {
        let level = level_of(op);
        let symbol = op.c_symbol();
        let right_text = right.operand(level, true);
        let text = format!("{} {symbol} {right_text}", left.operand(level, false));
        Text {
            text,
            level,
            ty,
            parts: Some((left.text, symbol, right.text)),
        }
    }
}
