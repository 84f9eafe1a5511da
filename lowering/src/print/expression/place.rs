//! Places in memory: subscripts, assignments to them, sizes.

use super::Printer;
use super::text::{Printed, Text, Unprintable, level};
use crate::print::c_type::usual_conversion;
use crate::print::dialect::Dialect;
use crate::print::gpu_pointer::is_null;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::types::{ScalarType, Type};

impl Printer<'_> {
    /// `*pointer` as an lvalue.
    pub(crate) fn place(&self, pointer: &Expr) -> Printed {
        if self.dialect == Dialect::CSharp {
            return self.csharp_place(pointer);
        }
        let elem = pointer.pointee();
        let ty = Type::Scalar(elem);
        let text = match &pointer.kind {
            ExprKind::ArrayBase(array) => {
                let name = (self.array_name)(*array);
                if (self.is_scalar)(*array) {
                    return Ok(Text::new(name, level::PRIMARY, ty));
                }
                format!("{name}[0]")
            }
            ExprKind::Offset(base, elements) => {
                let start = match base.kind {
                    ExprKind::ArrayBase(_) => true,
                    ExprKind::Var(var) => (self.is_start)(var),
                    _ => false,
                };
                let base = self.start(base, level::PRIMARY)?;
                format!("{base}[{}]", self.subscript(elements, start)?.text)
            }
            _ => format!("*{}", self.start(pointer, level::UNARY)?),
        };
        let level = if text.starts_with('*') {
            level::UNARY
        } else {
            level::PRIMARY
        };
        Ok(Text::new(text, level, ty))
    }

    /// A pointer that is followed. The null pointer of C has no type that it leads to.
    fn start(&self, pointer: &Expr, level: u8) -> Result<String, Unprintable> {
        let text = self.exact(pointer)?;
        let Some(to) = pointer.ty.pointer().filter(|_| is_null(pointer)) else {
            return Ok(text.at(level));
        };
        let ty = self.pointer_type(to, self.space_of(pointer));
        Ok(format!("(({ty}){})", text.at(level::UNARY)))
    }

    /// The index of a subscript.
    ///
    /// Where the pointer is the start of an array and the index a sum of `int`s of which one is
    /// not negative, the sum is printed plainly although it may overflow: if it does, the
    /// algebra's index is negative, which is out of bounds and so a fault.
    pub(super) fn subscript(&self, elements: &Expr, start: bool) -> Printed {
        if let ExprKind::Cast(inner) = &elements.kind
            && start
            && inner.ty == Type::I32
            && let ExprKind::Binary(BinaryOp::Add, a, b) = &inner.kind
            && (self.known.range(a).lo >= 0 || self.known.range(b).lo >= 0)
        {
            let (left, right) = (self.exact(a)?, self.exact(b)?);
            if usual_conversion(left.scalar(), right.scalar()) == ScalarType::I32 {
                return Ok(self.join(left, BinaryOp::Add, right, Type::I32));
            }
        }
        let text = self.exact(elements)?;
        Ok(self.shortest(text))
    }

    /// A number of bytes, by elements of a type where it is a multiple of their size.
    pub(crate) fn bytes(&self, expr: &Expr, elem: ScalarType) -> Result<String, Unprintable> {
        if self.dialect == Dialect::CSharp {
            return self.csharp_bytes(expr, elem);
        }
        let size = elem.size() as i128;
        let name = self.dialect.scalar(elem);
        let is_size =
            |e: &Expr| matches!(e.kind, ExprKind::Const(v) if v.as_integer() == Some(size));
        match &expr.kind {
            ExprKind::Const(value) => {
                if let Some(bytes) = value.as_integer().filter(|b| *b > 0 && b % size == 0) {
                    return Ok(format!("{} * sizeof({name})", bytes / size));
                }
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) if expr.ty == Type::U64 => {
                let count = match (is_size(a), is_size(b)) {
                    (_, true) => Some(a),
                    (true, _) => Some(b),
                    _ => None,
                };
                // `sizeof` is a `size_t`: C converts the other factor to 64 bits by itself.
                if let Some(count) = count {
                    let count = self.bare(count, ScalarType::U64)?;
                    let count = count.operand(level::MULTIPLICATIVE, false);
                    return Ok(format!("{count} * sizeof({name})"));
                }
            }
            _ => {}
        }
        Ok(self.converted(expr)?.text)
    }

    /// `place = value`, as a compound assignment where the value begins with the place.
    pub(crate) fn assignment(&self, place: &Text, value: &Expr) -> Result<String, Unprintable> {
        if self.dialect == Dialect::CSharp {
            return Ok(format!("{} = {}", place.text, self.csharp(value)?.text));
        }
        let text = match value.ty {
            Type::Scalar(ty) if ty.is_integer() => {
                let text = self.modular_for(value, ty.bits(), Some(&place.text))?;
                self.shortest(text)
            }
            _ => self.converted(value)?,
        };
        if let Some((left, op, right)) = &text.parts
            && *left == place.text
            && matches!(
                *op,
                "+" | "-" | "*" | "/" | "%" | "<<" | ">>" | "&" | "|" | "^"
            )
        {
            if right == "1" && matches!(*op, "+" | "-") {
                return Ok(format!("{}{op}{op}", place.text));
            }
            return Ok(format!("{} {op}= {right}", place.text));
        }
        Ok(format!("{} = {}", place.text, text.text))
    }
}
