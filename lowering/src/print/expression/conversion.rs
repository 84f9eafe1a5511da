//! Conversions: those C makes by itself and those that must be written.

use super::Printer;
use super::text::{Printed, Text, Unprintable, level};
use crate::print::c_type::{promoted, usual_conversion};
use crate::print::dialect::Dialect;
use crate::print::range::Range;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

impl Printer<'_> {
    /// For a place that converts to the expression's type: initialiser, assignment, argument.
    pub(crate) fn converted(&self, expr: &Expr) -> Printed {
        if self.dialect == Dialect::CSharp {
            return self.csharp(expr);
        }
        match expr.ty {
            Type::Scalar(ty) if ty.is_integer() => {
                let text = self.modular(expr, ty.bits())?;
                Ok(self.shortest(text))
            }
            Type::Scalar(ScalarType::F32 | ScalarType::F64) => match &expr.kind {
                // C converts integers, and `float` to `double`, by itself.
                ExprKind::Cast(inner)
                    if inner
                        .ty
                        .scalar()
                        .is_some_and(|from| from.is_integer() || (from == ScalarType::F32)) =>
                {
                    self.typed(inner)
                }
                _ => self.exact(expr),
            },
            Type::Scalar(_) => {
                let exact = self.exact(expr)?;
                // Memory of `bool` is `uchar` in OpenCL C; 0 and 1 are 0 and 1.
                Ok(exact)
            }
            Type::Pointer(to) => match &expr.kind {
                ExprKind::Cast(inner) if self.converts_implicitly(inner, to) => self.exact(inner),
                _ => self.exact(expr),
            },
        }
    }

    /// Adds a cast unless the text has the type already.
    pub(super) fn to_type(&self, text: Text, ty: Type) -> Text {
        let fits = match (text.ty, ty) {
            (Type::Scalar(a), Type::Scalar(b)) => a == b,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            _ => false,
        };
        if fits {
            return text;
        }
        // `5` as a `uint` is `5u`.
        if let Type::Scalar(ty) = ty
            && let Some(suffixed) = self.with_suffix(&text, ty)
        {
            return suffixed;
        }
        let name = match ty {
            Type::Scalar(ty) => self.dialect.scalar(ty).to_owned(),
            Type::Pointer(_) => return text,
        };
        Text::new(
            format!("({name}){}", text.at(level::UNARY)),
            level::UNARY,
            ty,
        )
    }

    /// Both operands so that C computes in exactly `ty`, with as few casts as that takes.
    pub(super) fn balanced(
        &self,
        a: &Expr,
        b: &Expr,
        ty: ScalarType,
    ) -> Result<(Text, Text), Unprintable> {
        let (plain_a, plain_b) = (self.bare(a, ty)?, self.bare(b, ty)?);
        let computed = |left: &Text, right: &Text| {
            promoted(ty) == usual_conversion(left.scalar(), right.scalar())
        };
        if computed(&plain_a, &plain_b) {
            return Ok((plain_a, plain_b));
        }
        let typed_a = self.typed(a)?;
        if computed(&typed_a, &plain_b) {
            return Ok((typed_a, plain_b));
        }
        let typed_b = self.typed(b)?;
        if computed(&plain_a, &typed_b) {
            return Ok((plain_a, typed_b));
        }
        Ok((typed_a, typed_b))
    }

    /// Without the conversion to `ty` that C will make anyway, if it computes in `ty`.
    pub(super) fn bare(&self, expr: &Expr, ty: ScalarType) -> Printed {
        match &expr.kind {
            ExprKind::Cast(inner) => match inner.ty.scalar() {
                Some(from) if from.is_integer() && ty.is_integer() && ty.bits() >= 32 => {
                    let exact = self.exact(inner)?;
                    // The C type must convert to `ty` as the algebra's type does.
                    let value_kept = Range::of(from).within(Range::of(exact.scalar()));
                    if value_kept {
                        Ok(exact)
                    } else {
                        self.typed(expr)
                    }
                }
                Some(from) if ty.is_float() && from.is_integer() => self.exact(inner),
                Some(ScalarType::F32) if ty == ScalarType::F64 => self.typed(inner),
                _ => self.exact(expr),
            },
            ExprKind::Const(value) if ty.is_integer() => match value.as_integer() {
                Some(v) if (0..=i32::MAX as i128).contains(&v) => {
                    Ok(Text::new(v.to_string(), level::PRIMARY, Type::I32))
                }
                _ => self.exact(expr),
            },
            _ => self.exact(expr),
        }
    }

    pub(super) fn cast(&self, inner: &Expr, ty: Type) -> Printed {
        match (inner.ty, ty) {
            (Type::Scalar(_), Type::Scalar(ScalarType::Bool)) => {
                let zero = Text::new("0", level::PRIMARY, Type::I32);
                let inner = self.exact(inner)?;
                Ok(self.join(inner, BinaryOp::Ne, zero, self.truth()))
            }
            (Type::Pointer(_), Type::Scalar(ScalarType::Bool)) => {
                let null = Text::new(self.dialect.null(), level::PRIMARY, inner.ty);
                let inner = self.exact(inner)?;
                Ok(self.join(inner, BinaryOp::Ne, null, self.truth()))
            }
            (Type::Scalar(from), Type::Scalar(to)) => {
                if from.is_float() || to.is_float() {
                    let inner = if from.is_float() {
                        self.typed(inner)?
                    } else {
                        self.exact(inner)?
                    };
                    return Ok(self.to_type(inner, ty));
                }
                if self.known.range(inner).within(Range::of(to)) {
                    return self.exact(inner);
                }
                let narrow = self.modular(inner, to.bits().min(from.bits()))?;
                if from.bits() < to.bits() {
                    // Extension depends on the sign: from the exact value.
                    return Ok(self.to_type(self.exact(inner)?, ty));
                }
                Ok(self.to_type(narrow, ty))
            }
            (Type::Pointer(_), Type::Pointer(to)) => {
                if self.converts_implicitly(inner, to) && !to.is_volatile {
                    return self.exact(inner);
                }
                let text = self.exact(inner)?;
                if text.ty == ty {
                    return Ok(text);
                }
                let space = self.space_of(inner);
                let name = self.pointer_type(to, space);
                Ok(Text::new(
                    format!("({name}){}", text.at(level::UNARY)),
                    level::UNARY,
                    ty,
                ))
            }
            (Type::Scalar(_), Type::Pointer(_)) => {
                Ok(Text::new(self.dialect.null(), level::PRIMARY, ty))
            }
            (Type::Pointer(_), Type::Scalar(_)) => {
                Err(Unprintable("a pointer converted to a number".to_owned()))
            }
        }
    }

    /// Whether C converts to the pointer type without a cast: qualifiers are only added.
    pub(super) fn converts_implicitly(&self, inner: &Expr, to: PointerType) -> bool {
        match inner.ty {
            Type::Pointer(from) => {
                from.elem == to.elem
                    && (to.is_const || !from.is_const)
                    && (to.is_volatile || !from.is_volatile)
            }
            Type::Scalar(_) => false,
        }
    }

    /// `const volatile T *`, with the address space in OpenCL C.
    pub(crate) fn pointer_type(&self, to: PointerType, space: Option<Space>) -> String {
        pointer_type(self.dialect, to, space)
    }

    /// Address space a pointer points into, as far as the text shows it.
    pub(crate) fn space_of(&self, pointer: &Expr) -> Option<Space> {
        match &pointer.kind {
            ExprKind::Var(var) => (self.var_space)(*var),
            ExprKind::ArrayBase(array) => Some(self.program.array(*array).space),
            ExprKind::Cast(inner) | ExprKind::Offset(inner, _) => self.space_of(inner),
            ExprKind::Select(_, a, b) => self.space_of(a).or_else(|| self.space_of(b)),
            _ => None,
        }
    }
}

/// `const volatile T *`, with the address space in OpenCL C.
pub(crate) fn pointer_type(dialect: Dialect, to: PointerType, space: Option<Space>) -> String {
    let mut text = String::new();
    if dialect == Dialect::OpenCl {
        text.push_str(match space {
            Some(Space::Shared) => "local ",
            Some(Space::Constant) => "constant ",
            Some(Space::Private) => "private ",
            _ => "global ",
        });
    }
    // `constant` says `const` already.
    // C# has neither.
    let is_const = to.is_const && dialect != Dialect::CSharp;
    if is_const && !(dialect == Dialect::OpenCl && space == Some(Space::Constant)) {
        text.push_str("const ");
    }
    if to.is_volatile && dialect != Dialect::CSharp {
        text.push_str("volatile ");
    }
    text.push_str(dialect.cell(to.elem));
    text.push_str(" *");
    text
}
