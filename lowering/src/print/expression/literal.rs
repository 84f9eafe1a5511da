//! Constants.

use super::Printer;
use super::text::{Printed, Text, Unprintable, level};
use crate::print::c_type::usual_conversion;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::evaluation::arithmetic;

impl Printer<'_> {
    pub(super) fn constant(&self, ty: Type, value: Value) -> Printed {
        let suffix = self.dialect.long_suffix();
        let (text, ty) = match value {
            Value::Bool(b) => (b.to_string(), self.dialect.truth()),
            Value::Int(ty, _) => {
                let v = value.integer();
                match ty {
                    ScalarType::U32 => (format!("{v}u"), ty),
                    ScalarType::U64 => (format!("{v}U{suffix}"), ty),
                    ScalarType::I64 if v == i64::MIN as i128 => {
                        (format!("(-{}{suffix} - 1)", i64::MAX), ty)
                    }
                    ScalarType::I64 => (format!("{v}{suffix}"), ty),
                    ScalarType::I32 if v == i32::MIN as i128 => {
                        (format!("(-{} - 1)", i32::MAX), ty)
                    }
                    _ => (v.to_string(), ScalarType::I32),
                }
            }
            Value::F32(bits) => {
                return self.float(f32::from_bits(bits) as f64, ScalarType::F32, || {
                    format!("{:?}f", f32::from_bits(bits))
                });
            }
            Value::F64(bits) => {
                return self.float(f64::from_bits(bits), ScalarType::F64, || {
                    format!("{:?}", f64::from_bits(bits))
                });
            }
            Value::Pointer(pointer) if pointer.array == ArrayRef::Null => {
                return Ok(Text::new(self.dialect.null(), level::PRIMARY, ty));
            }
            Value::Pointer(_) => {
                return Err(Unprintable(
                    "a pointer value of a running program".to_owned(),
                ));
            }
            Value::Undef => {
                return Err(Unprintable("an undetermined value".to_owned()));
            }
        };
        let level = if text.starts_with('-') {
            level::UNARY
        } else {
            level::PRIMARY
        };
        Ok(Text::new(text, level, Type::Scalar(ty)))
    }

    pub(super) fn float(&self, value: f64, ty: ScalarType, digits: impl Fn() -> String) -> Printed {
        let name = |constant: &str| {
            let text = match (ty, value < 0.0) {
                (ScalarType::F64, true) => format!("(double)-{constant}"),
                (ScalarType::F64, false) => format!("(double){constant}"),
                (_, true) => format!("-{constant}"),
                (_, false) => constant.to_owned(),
            };
            let level = if text == constant {
                level::PRIMARY
            } else {
                level::UNARY
            };
            Text::new(text, level, Type::Scalar(ty))
        };
        Ok(if value.is_nan() {
            name("NAN")
        } else if value.is_infinite() {
            name("INFINITY")
        } else {
            let text = digits();
            let level = if text.starts_with('-') {
                level::UNARY
            } else {
                level::PRIMARY
            };
            Text::new(text, level, Type::Scalar(ty))
        })
    }

    pub(super) fn with_suffix(&self, text: &Text, ty: ScalarType) -> Option<Text> {
        let digits = text.digits()?;
        let suffix = match ty {
            ScalarType::U32 => "u".to_owned(),
            ScalarType::I64 => self.dialect.long_suffix().to_owned(),
            ScalarType::U64 => format!("U{}", self.dialect.long_suffix()),
            _ => return None,
        };
        Some(Text::new(
            format!("{digits}{suffix}"),
            level::PRIMARY,
            Type::Scalar(ty),
        ))
    }

    /// A negative constant where C computes in the unsigned type `c`: compilers warn of the
    /// change of sign.
    pub(super) fn unsigned_constant(&self, expr: &Expr, text: Text, c: ScalarType) -> Text {
        match folded(expr).and_then(Value::as_integer) {
            Some(value) if value < 0 => {
                let suffix = match c {
                    ScalarType::U64 => format!("u{}", self.dialect.long_suffix()),
                    _ => "u".to_owned(),
                };
                let bits = value as u64 & (u64::MAX >> (64 - c.bits()));
                Text::new(
                    format!("{bits:#x}{suffix}"),
                    level::PRIMARY,
                    Type::Scalar(c),
                )
            }
            _ => text,
        }
    }

    /// `x + 1u` is `x + 1` where `x` is unsigned already: no suffix that C, computing in `c`, does
    /// not need.
    pub(super) fn shorter(&self, left: Text, right: Text, c: ScalarType) -> (Text, Text) {
        let short = self.shortest(right.clone());
        let right = if usual_conversion(left.scalar(), short.scalar()) == c {
            short
        } else {
            right
        };
        let short = self.shortest(left.clone());
        if usual_conversion(short.scalar(), right.scalar()) == c {
            (short, right)
        } else {
            (left, right)
        }
    }

    /// A literal without its suffix where an `int` holds it.
    pub(super) fn shortest(&self, text: Text) -> Text {
        match text.digits() {
            Some(digits) if digits.parse::<i32>().is_ok() => {
                Text::new(digits, level::PRIMARY, Type::I32)
            }
            _ => text,
        }
    }
}

/// The value of an integer expression of constants, unless it is a fault.
pub(super) fn folded(expr: &Expr) -> Option<Value> {
    if !expr.ty.scalar().is_some_and(ScalarType::is_integer) {
        return None;
    }
    fn value(expr: &Expr) -> Option<Value> {
        match &expr.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Unary(op, a) => arithmetic::unary(*op, value(a)?).ok(),
            ExprKind::Binary(op, a, b) => arithmetic::binary(*op, value(a)?, value(b)?).ok(),
            ExprKind::Cast(a) => arithmetic::cast(value(a)?, expr.ty).ok(),
            ExprKind::Math(function, args) => {
                let args: Option<Vec<Value>> = args.iter().map(value).collect();
                arithmetic::math(*function, &args?).ok()
            }
            _ => None,
        }
    }
    value(expr).filter(|value| matches!(value, Value::Int(..)))
}

/// Infinity with the sign of a constant zero.
pub(crate) fn reciprocal_of_zero(expr: &Expr) -> Option<Expr> {
    let infinity = match expr.kind {
        ExprKind::Const(Value::F32(bits)) if f32::from_bits(bits) == 0.0 => {
            Value::f32(1.0 / f32::from_bits(bits))
        }
        ExprKind::Const(Value::F64(bits)) if f64::from_bits(bits) == 0.0 => {
            Value::f64(1.0 / f64::from_bits(bits))
        }
        _ => return None,
    };
    Some(Expr::new(expr.ty, ExprKind::Const(infinity)))
}
