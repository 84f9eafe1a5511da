//! Truth: conditions, comparisons, and choices by them.

use super::Printer;
use super::literal::folded;
use super::text::{Printed, Text, level};
use crate::print::c_type::{promoted, usual_conversion};
use crate::print::dialect::Dialect;
use crate::print::range::Range;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

impl Printer<'_> {
    /// As a condition: any scalar, zero for false. (OpenCL C takes no floats before `?`.)
    pub(crate) fn condition(&self, expr: &Expr) -> Printed {
        if self.dialect == Dialect::CSharp {
            return self.csharp(expr);
        }
        match &expr.kind {
            ExprKind::Cast(inner)
                if expr.ty == Type::BOOL
                    && (self.dialect != Dialect::OpenCl || !is_float(inner)) =>
            {
                self.exact(inner)
            }
            ExprKind::Unary(UnaryOp::Not, inner) => {
                if let ExprKind::Binary(op, a, b) = &inner.kind
                    && let Some(opposite) = opposite(*op)
                    && a.ty.scalar().is_some_and(|ty| !ty.is_float())
                {
                    return self.comparison(opposite, a, b);
                }
                self.not(inner)
            }
            _ => self.exact(expr),
        }
    }

    /// The negation of a condition.
    pub(crate) fn negated(&self, expr: &Expr) -> Printed {
        if self.dialect == Dialect::CSharp {
            return self.not(expr);
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner),
            ExprKind::Binary(op, a, b)
                if opposite(*op).is_some() && a.ty.scalar().is_some_and(|ty| !ty.is_float()) =>
            {
                self.comparison(opposite(*op).unwrap_or(*op), a, b)
            }
            _ => self.not(expr),
        }
    }

    pub(super) fn not(&self, inner: &Expr) -> Printed {
        let text = format!("!{}", self.condition(inner)?.at(level::UNARY));
        Ok(Text::new(text, level::UNARY, self.truth()))
    }

    pub(super) fn truth(&self) -> Type {
        Type::Scalar(self.dialect.truth())
    }

    pub(super) fn comparison(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Printed {
        let Some(ty) = a.ty.scalar() else {
            let (left, right) = (self.exact(a)?, self.exact(b)?);
            return Ok(self.join(left, op, right, self.truth()));
        };
        if ty == ScalarType::Bool {
            let (left, right) = (self.exact(a)?, self.exact(b)?);
            return Ok(self.join(left, op, right, self.truth()));
        }
        if ty.is_float() {
            let (left, right) = self.balanced(a, b, ty)?;
            return Ok(self.join(left, op, right, self.truth()));
        }
        // Compilers warn of unsigned values compared with zero where that says nothing.
        let is_zero = |e: &Expr| folded(e).and_then(Value::as_integer) == Some(0);
        let decided = match op {
            BinaryOp::Ge if is_zero(b) && self.known.range(a).lo >= 0 => Some(true),
            BinaryOp::Lt if is_zero(b) && self.known.range(a).lo >= 0 => Some(false),
            BinaryOp::Le if is_zero(a) && self.known.range(b).lo >= 0 => Some(true),
            BinaryOp::Gt if is_zero(a) && self.known.range(b).lo >= 0 => Some(false),
            _ => None,
        };
        if let Some(truth) = decided.filter(|_| !ty.is_signed()) {
            return self.constant(Type::BOOL, Value::Bool(truth));
        }
        // Values compare as they are in any type that holds both.
        let holds_both = |c: ScalarType| {
            self.known.range(a).within(Range::of(c)) && self.known.range(b).within(Range::of(c))
        };
        let (left, right) = (self.bare(a, ty)?, self.bare(b, ty)?);
        let c = usual_conversion(left.scalar(), right.scalar());
        // Either C converts as the casts left out do, or both values are kept throughout.
        if c == promoted(ty) && ty.bits() >= 32 {
            return Ok(self.join(left, op, right, self.truth()));
        }
        let (left, right) = (self.exact(a)?, self.exact(b)?);
        let (left, right) = (self.shortest(left), self.shortest(right));
        let c = usual_conversion(left.scalar(), right.scalar());
        if holds_both(c) && !c.is_float() {
            if let Some(truth) = decided.filter(|_| !c.is_signed()) {
                return self.constant(Type::BOOL, Value::Bool(truth));
            }
            return Ok(self.join(left, op, right, self.truth()));
        }
        let (left, right) = self.balanced(a, b, ty)?;
        Ok(self.join(left, op, right, self.truth()))
    }

    pub(super) fn select(&self, cond: &Expr, a: &Expr, b: &Expr, ty: Type) -> Printed {
        let cond = self.condition(cond)?;
        let (yes, no, c) = match ty {
            Type::Pointer(_) => (self.exact(a)?, self.exact(b)?, ty),
            Type::Scalar(ScalarType::Bool) => (self.exact(a)?, self.exact(b)?, self.truth()),
            Type::Scalar(scalar) if scalar.is_float() => {
                let (yes, no) = self.balanced(a, b, scalar)?;
                (yes, no, ty)
            }
            Type::Scalar(scalar) => {
                let (yes, no) = (self.exact(a)?, self.exact(b)?);
                let c = usual_conversion(yes.scalar(), no.scalar());
                let fits = self.known.range(a).within(Range::of(c))
                    && self.known.range(b).within(Range::of(c));
                if fits {
                    (yes, no, Type::Scalar(c))
                } else {
                    let (yes, no) = self.balanced(a, b, scalar)?;
                    (yes, no, Type::Scalar(promoted(scalar)))
                }
            }
        };
        let text = format!(
            "{} ? {} : {}",
            cond.at(level::OR),
            yes.at(level::OR),
            no.at(level::OR)
        );
        Ok(Text::new(text, level::CONDITIONAL, c))
    }
}

pub(super) fn is_float(expr: &Expr) -> bool {
    expr.ty.scalar().is_some_and(ScalarType::is_float)
}

pub(super) const fn opposite(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        _ => return None,
    })
}
