//! Expressions of the algebra as C# expressions. C# computes as the algebra does where both operands
//! have the expression's type: integers wrap (outside constants, which are folded), and nothing is
//! converted silently. So every text has precisely the expression's type, and every conversion of
//! the algebra is written; C reads such a text as C# does.

use super::Printer;
use super::literal::folded;
use super::text::{Printed, Text, Unprintable, level, level_of};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Value};

fn refused(what: &str) -> Unprintable {
    Unprintable(what.to_owned())
}

impl Printer<'_> {
    /// Typed.
    pub(super) fn csharp(&self, expr: &Expr) -> Printed {
        if let Some(value) = folded(expr) {
            return self.csharp_constant(expr.ty, value);
        }
        match &expr.kind {
            ExprKind::Const(value) => self.csharp_constant(expr.ty, *value),
            ExprKind::Var(var) => Ok(Text::new((self.var_name)(*var), level::PRIMARY, expr.ty)),
            ExprKind::Unary(op, inner) => self.csharp_unary(*op, inner, expr.ty),
            ExprKind::Binary(op, a, b) => self.csharp_binary(*op, a, b, expr.ty),
            ExprKind::Cast(inner) => self.csharp_cast(inner, expr.ty),
            ExprKind::Select(cond, a, b) => {
                let cond = self.csharp(cond)?.at(level::OR);
                let (a, b) = (self.csharp(a)?.at(level::OR), self.csharp(b)?.at(level::OR));
                let text = format!("{cond} ? {a} : {b}");
                Ok(Text::new(text, level::CONDITIONAL, expr.ty))
            }
            ExprKind::Offset(pointer, elements) => {
                let base = self.csharp(pointer)?.operand(level::ADDITIVE, false);
                let index = self.csharp(elements)?.operand(level::ADDITIVE, true);
                Ok(Text::new(
                    format!("{base} + {index}"),
                    level::ADDITIVE,
                    expr.ty,
                ))
            }
            ExprKind::Load(pointer) => self.csharp_place(pointer),
            ExprKind::Math(..) => Err(refused("a mathematical function")),
            ExprKind::ArrayBase(_) => Err(refused("a declared array of the host")),
            ExprKind::Builtin(_) => Err(refused("a thread's coordinates in host code")),
        }
    }

    /// `p[i]`
    pub(super) fn csharp_place(&self, pointer: &Expr) -> Printed {
        let elem = pointer.pointee();
        let (base, index) = match &pointer.kind {
            ExprKind::Offset(base, elements) => (&**base, self.csharp(elements)?.text),
            _ => (pointer, "0".to_owned()),
        };
        let base = self.csharp(base)?.at(level::PRIMARY);
        let ty = Type::Scalar(elem);
        Ok(Text::new(format!("{base}[{index}]"), level::PRIMARY, ty))
    }

    /// A number of bytes: a `ulong`.
    pub(super) fn csharp_bytes(
        &self,
        expr: &Expr,
        elem: ScalarType,
    ) -> Result<String, Unprintable> {
        let size = i128::from(elem.size());
        let name = self.dialect.scalar(elem);
        let number = |e: &Expr| match &e.kind {
            ExprKind::Const(value) => value.as_integer(),
            _ => None,
        };
        if let Some(bytes) = number(expr).filter(|bytes| *bytes > 0 && bytes % size == 0) {
            return Ok(format!("{}UL * sizeof({name})", bytes / size));
        }
        if let ExprKind::Binary(BinaryOp::Mul, a, b) = &expr.kind
            && expr.ty == Type::U64
        {
            let count = match (number(a), number(b)) {
                (_, Some(bytes)) if bytes == size => Some(a),
                (Some(bytes), _) if bytes == size => Some(b),
                _ => None,
            };
            if let Some(count) = count {
                let count = self.csharp(count)?.operand(level::MULTIPLICATIVE, false);
                return Ok(format!("{count} * sizeof({name})"));
            }
        }
        Ok(self.csharp(expr)?.text)
    }

    fn csharp_constant(&self, ty: Type, value: Value) -> Printed {
        let integer = value.as_integer().unwrap_or(0);
        let (text, narrow) = match value {
            Value::Bool(b) => (b.to_string(), None),
            Value::Int(ScalarType::I32, _) if integer == i128::from(i32::MIN) => {
                return Err(refused("the least `int`"));
            }
            Value::Int(ScalarType::I64, _) if integer == i128::from(i64::MIN) => {
                return Err(refused("the least `long`"));
            }
            Value::Int(ScalarType::I32, _) => (integer.to_string(), None),
            Value::Int(ScalarType::U32, _) => (format!("{integer}u"), None),
            Value::Int(ScalarType::I64, _) => (format!("{integer}L"), None),
            Value::Int(ScalarType::U64, _) => (format!("{integer}UL"), None),
            Value::Int(narrow, _) => (integer.to_string(), Some(narrow)),
            Value::F32(bits) if f32::from_bits(bits).is_finite() => {
                (format!("{:?}f", f32::from_bits(bits)), None)
            }
            Value::F64(bits) if f64::from_bits(bits).is_finite() => {
                (format!("{:?}", f64::from_bits(bits)), None)
            }
            Value::F32(_) | Value::F64(_) => return Err(refused("an infinity or a NaN")),
            Value::Pointer(pointer) if pointer.array == ArrayRef::Null => ("null".to_owned(), None),
            Value::Pointer(_) => return Err(refused("a pointer value of a running program")),
            Value::Undef => return Err(refused("an undetermined value")),
        };
        let level = match text.starts_with('-') {
            true => level::UNARY,
            false => level::PRIMARY,
        };
        let text = Text::new(text, level, ty);
        Ok(match narrow {
            Some(_) => self.csharp_to(&text, ty),
            None => text,
        })
    }

    /// `(T)text`
    fn csharp_to(&self, text: &Text, ty: Type) -> Text {
        let name = match ty {
            Type::Scalar(ty) => self.dialect.scalar(ty).to_owned(),
            Type::Pointer(to) => self.pointer_type(to, None),
        };
        // `(int)(-1)`: without the parentheses some names would make it a difference.
        let operand = match text.text.starts_with('-') {
            true => format!("({})", text.text),
            false => text.at(level::UNARY),
        };
        Text::new(format!("({name}){operand}"), level::UNARY, ty)
    }

    /// An arithmetic result as C# computes it, brought to the type the algebra gives it.
    fn csharp_result(&self, text: Text, ty: Type) -> Text {
        let as_it_is = matches!(
            ty.scalar(),
            Some(
                ScalarType::I32
                    | ScalarType::U32
                    | ScalarType::I64
                    | ScalarType::U64
                    | ScalarType::F64
                    | ScalarType::Bool
            )
        );
        // Narrow integers were computed as `int`; a `float` may have been computed more exactly,
        // which only a cast ends (ECMA-334, 9.3.7).
        match as_it_is || ty.scalar().is_none() {
            true => text,
            false => self.csharp_to(&text, ty),
        }
    }

    fn csharp_unary(&self, op: UnaryOp, inner: &Expr, ty: Type) -> Printed {
        let operand = self.csharp(inner)?.at(level::UNARY);
        let operand = match operand.starts_with('-') {
            true => format!("({operand})"),
            false => operand,
        };
        let text = match (op, ty.scalar()) {
            (UnaryOp::Not, _) => format!("!{operand}"),
            (UnaryOp::BitNot, _) => format!("~{operand}"),
            // Negated, a `uint` is a `long`, and a `ulong` an error.
            (UnaryOp::Neg, Some(ScalarType::U32)) => {
                return Ok(Text::new(format!("0u - {operand}"), level::ADDITIVE, ty));
            }
            (UnaryOp::Neg, Some(ScalarType::U64)) => {
                return Ok(Text::new(format!("0UL - {operand}"), level::ADDITIVE, ty));
            }
            (UnaryOp::Neg, _) => format!("-{operand}"),
        };
        let exact = op == UnaryOp::Neg && ty.scalar().is_some_and(ScalarType::is_float);
        let text = Text::new(text, level::UNARY, ty);
        Ok(match exact {
            true => text,
            false => self.csharp_result(text, ty),
        })
    }

    fn csharp_binary(&self, op: BinaryOp, a: &Expr, b: &Expr, ty: Type) -> Printed {
        let is_bool = a.ty == Type::BOOL;
        if is_bool
            && matches!(
                op,
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
            )
        {
            return Err(refused("an order of truth values"));
        }
        let level = level_of(op);
        let left = self.csharp(a)?.operand(level, false);
        let mut right = self.csharp(b)?;
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) && b.ty != Type::I32 {
            right = self.csharp_to(&right, Type::I32);
        }
        let text = format!("{left} {} {}", op.c_symbol(), right.operand(level, true));
        let text = Text::new(text, level, ty);
        Ok(
            match op.is_comparison() || op.is_logical() || op == BinaryOp::PtrDiff {
                true => text,
                false => self.csharp_result(text, ty),
            },
        )
    }

    fn csharp_cast(&self, inner: &Expr, ty: Type) -> Printed {
        let text = self.csharp(inner)?;
        if inner.ty == ty {
            return Ok(text);
        }
        match (inner.ty, ty) {
            (Type::Pointer(_), Type::Scalar(ScalarType::Bool)) => {
                let text = format!("{} != null", text.operand(level::EQUALITY, false));
                Ok(Text::new(text, level::EQUALITY, ty))
            }
            (Type::Scalar(_), Type::Scalar(ScalarType::Bool)) => {
                let text = format!("{} != 0", text.operand(level::EQUALITY, false));
                Ok(Text::new(text, level::EQUALITY, ty))
            }
            (Type::Scalar(ScalarType::Bool), Type::Scalar(to)) => {
                let number = format!("({} ? 1 : 0)", text.at(level::OR));
                let number = Text::new(number, level::PRIMARY, Type::I32);
                Ok(match to {
                    ScalarType::I32 => number,
                    _ => self.csharp_to(&number, ty),
                })
            }
            (Type::Scalar(_), Type::Scalar(_)) | (Type::Pointer(_), Type::Pointer(_)) => {
                Ok(self.csharp_to(&text, ty))
            }
            (_, Type::Pointer(_)) => Ok(Text::new("null", level::PRIMARY, ty)),
            (Type::Pointer(_), _) => Err(refused("a pointer as a number")),
        }
    }
}
