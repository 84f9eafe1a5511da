//! Arithmetic on values: the one table of what C leaves open (docs/what-c-leaves-open.md).
//!
//! Integers wrap to their type's width, signed ones too. Division by zero, `MIN / -1`, a shift by
//! the width or more and a float out of the integer's range are faults. Floats follow IEEE 754,
//! round to nearest even, keep subnormals, and have one NaN.
//!
//! Every function is total. An operand of a type that [`crate::well_formed`] refuses, or `Undef`,
//! gives `Undef`.

use crate::algebra::expr::{BinaryOp, MathFn, UnaryOp};
use crate::algebra::types::{ScalarType, Type};
use crate::algebra::value::{ArrayRef, Pointer, Value};
use crate::evaluation::{overflow, rounding};
use crate::transition::fault::FaultKind;
use std::cmp::Ordering;

/// `op a`.
pub fn unary(op: UnaryOp, a: Value) -> Result<Value, FaultKind> {
    Ok(match (op, a) {
        (UnaryOp::Neg, Value::Int(ty, _)) => {
            note_overflow(ty, -a.integer());
            Value::int(ty, -a.integer())
        }
        (UnaryOp::Neg, Value::F32(bits)) => Value::f32(-f32::from_bits(bits)),
        (UnaryOp::Neg, Value::F64(bits)) => Value::f64(-f64::from_bits(bits)),
        (UnaryOp::BitNot, Value::Int(ty, _)) => Value::int(ty, !a.integer()),
        (UnaryOp::Not, Value::Bool(b)) => Value::Bool(!b),
        _ => Value::Undef,
    })
}

/// `a op b`, both operands evaluated. (`And` and `Or` do not evaluate their right operand when the
/// left one decides: [`crate::evaluation::eval`] does that.)
pub fn binary(op: BinaryOp, a: Value, b: Value) -> Result<Value, FaultKind> {
    use BinaryOp::*;
    match (a, b) {
        (Value::Int(ty, _), Value::Int(..)) if matches!(op, Shl | Shr) => shift(op, ty, a, b),
        (Value::Int(left, _), Value::Int(right, _)) if left == right => integers(op, left, a, b),
        (Value::Bool(a), Value::Bool(b)) => Ok(booleans(op, a, b)),
        (Value::F32(a), Value::F32(b)) => {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            Ok(match op {
                Add => {
                    rounding::sum_of_singles(a, b, a + b);
                    Value::f32(a + b)
                }
                Sub => {
                    rounding::sum_of_singles(a, -b, a - b);
                    Value::f32(a - b)
                }
                Mul => {
                    rounding::product_of_singles(a, b, a * b);
                    Value::f32(a * b)
                }
                Div => {
                    rounding::quotient_of_singles(a, b, a / b);
                    Value::f32(a / b)
                }
                _ => comparison(op, a.partial_cmp(&b)),
            })
        }
        (Value::F64(a), Value::F64(b)) => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            Ok(match op {
                Add => {
                    rounding::sum_of_doubles(a, b, a + b);
                    Value::f64(a + b)
                }
                Sub => {
                    rounding::sum_of_doubles(a, -b, a - b);
                    Value::f64(a - b)
                }
                Mul => {
                    rounding::product_of_doubles(a, b, a * b);
                    Value::f64(a * b)
                }
                Div => {
                    rounding::quotient_of_doubles(a, b, a / b);
                    Value::f64(a / b)
                }
                _ => comparison(op, a.partial_cmp(&b)),
            })
        }
        (Value::Pointer(a), Value::Pointer(b)) => pointers(op, a, b),
        _ => Ok(Value::Undef),
    }
}

/// Conversion of `value` to `ty`, as in C; the constant 0 becomes the null pointer.
pub fn cast(value: Value, ty: Type) -> Result<Value, FaultKind> {
    let Type::Scalar(to) = ty else {
        return Ok(match value {
            Value::Pointer(_) => value,
            Value::Int(_, 0) => NULL,
            _ => Value::Undef,
        });
    };
    match value {
        Value::Undef => Ok(Value::Undef),
        Value::Pointer(p) if to == ScalarType::Bool => Ok(Value::Bool(p.array != ArrayRef::Null)),
        Value::Pointer(_) => Ok(Value::Undef),
        Value::F32(bits) => match to {
            ScalarType::F32 => Ok(value),
            // Exact: every single is a double.
            _ => from_double(f32::from_bits(bits) as f64, to),
        },
        Value::F64(bits) => from_double(f64::from_bits(bits), to),
        Value::Bool(_) | Value::Int(..) => {
            let n = value.integer();
            Ok(match to {
                ScalarType::Bool => Value::Bool(n != 0),
                ScalarType::F32 => Value::f32(n as f32),
                ScalarType::F64 => Value::f64(n as f64),
                _ => Value::int(to, n),
            })
        }
    }
}

/// A mathematical function; [`crate::algebra::elementary`] says which results are not exactly specified. `Min` and
/// `Max` of floats return the operand that is a number when the other is NaN, and order −0 below +0 (IEEE 754-2019
/// minimumNumber, PTX `min`). `Abs` of the least signed integer wraps to itself.
pub fn math(function: MathFn, args: &[Value]) -> Result<Value, FaultKind> {
    Ok(match (function, args) {
        (MathFn::BitsAs(to), [value]) => same_bits(*value, to),
        // A pointer is tested by its offset from the start of its array.
        (MathFn::Aligned(n), [Value::Pointer(p)]) => is_multiple(p.offset, n),
        (MathFn::Aligned(n), [Value::Int(ScalarType::I64, offset)]) => {
            is_multiple(*offset as i64, n)
        }
        (_, [Value::F32(a), rest @ ..]) => {
            let a = f32::from_bits(*a);
            match (function, rest) {
                (MathFn::Min, [Value::F32(b)]) => Value::f32(min_f32(a, f32::from_bits(*b))),
                (MathFn::Max, [Value::F32(b)]) => Value::f32(-min_f32(-a, -f32::from_bits(*b))),
                (MathFn::Abs, []) => Value::f32(a.abs()),
                (MathFn::Sqrt, []) => Value::f32(a.sqrt()),
                (MathFn::Floor, []) => Value::f32(a.floor()),
                (MathFn::Ceil, []) => Value::f32(a.ceil()),
                (MathFn::Trunc, []) => Value::f32(a.trunc()),
                (MathFn::Fma, [Value::F32(b), Value::F32(c)]) => {
                    Value::f32(a.mul_add(f32::from_bits(*b), f32::from_bits(*c)))
                }
                (MathFn::Elementary(function), []) => Value::f32(function.of_singles(a, 0.0)),
                (MathFn::Elementary(function), [Value::F32(b)]) => {
                    Value::f32(function.of_singles(a, f32::from_bits(*b)))
                }
                _ => Value::Undef,
            }
        }
        (_, [Value::F64(a), rest @ ..]) => {
            let a = f64::from_bits(*a);
            match (function, rest) {
                (MathFn::Min, [Value::F64(b)]) => Value::f64(min_f64(a, f64::from_bits(*b))),
                (MathFn::Max, [Value::F64(b)]) => Value::f64(-min_f64(-a, -f64::from_bits(*b))),
                (MathFn::Abs, []) => Value::f64(a.abs()),
                (MathFn::Sqrt, []) => Value::f64(a.sqrt()),
                (MathFn::Floor, []) => Value::f64(a.floor()),
                (MathFn::Ceil, []) => Value::f64(a.ceil()),
                (MathFn::Trunc, []) => Value::f64(a.trunc()),
                (MathFn::Fma, [Value::F64(b), Value::F64(c)]) => {
                    Value::f64(a.mul_add(f64::from_bits(*b), f64::from_bits(*c)))
                }
                (MathFn::Elementary(function), []) => Value::f64(function.of_doubles(a, 0.0)),
                (MathFn::Elementary(function), [Value::F64(b)]) => {
                    Value::f64(function.of_doubles(a, f64::from_bits(*b)))
                }
                _ => Value::Undef,
            }
        }
        (MathFn::Abs, [a @ Value::Int(ty, _)]) => Value::int(*ty, a.integer().abs()),
        (MathFn::Min, [a @ Value::Int(left, _), b @ Value::Int(right, _)]) if left == right => {
            Value::int(*left, a.integer().min(b.integer()))
        }
        (MathFn::Max, [a @ Value::Int(left, _), b @ Value::Int(right, _)]) if left == right => {
            Value::int(*left, a.integer().max(b.integer()))
        }
        (_, [Value::Int(ty, bits)]) => bit_function(function, *ty, *bits),
        _ => Value::Undef,
    })
}

/// The value of type `to` that has the bits of `value`.
fn same_bits(value: Value, to: ScalarType) -> Value {
    match (value, to) {
        (Value::F32(bits), ScalarType::I32 | ScalarType::U32) => Value::int(to, bits.into()),
        (Value::F64(bits), ScalarType::I64 | ScalarType::U64) => Value::int(to, bits.into()),
        (Value::Int(ScalarType::I32 | ScalarType::U32, bits), ScalarType::F32) => {
            Value::F32(bits as u32)
        }
        (Value::Int(ScalarType::I64 | ScalarType::U64, bits), ScalarType::F64) => Value::F64(bits),
        _ => Value::Undef,
    }
}

fn is_multiple(offset: i64, of: u32) -> Value {
    match of {
        0 => Value::Undef,
        _ => Value::Bool(offset.rem_euclid(i64::from(of)) == 0),
    }
}

/// A function of the bits of an integer of type `ty`; `bits` are zero above its width.
fn bit_function(function: MathFn, ty: ScalarType, bits: u64) -> Value {
    let width = ty.bits();
    let result = match function {
        MathFn::PopCount => bits.count_ones() as u64,
        MathFn::FindFirstSet if bits == 0 => 0,
        MathFn::FindFirstSet => bits.trailing_zeros() as u64 + 1,
        MathFn::CountLeadingZeros => (bits.leading_zeros() + width - 64) as u64,
        MathFn::ReverseBits => bits.reverse_bits() >> (64 - width),
        _ => return Value::Undef,
    };
    Value::int(ty, result as i128)
}

/// The null pointer.
pub const NULL: Value = Value::Pointer(Pointer {
    array: ArrayRef::Null,
    offset: 0,
});

/// Takes note of a result that a signed type does not have.
fn note_overflow(ty: ScalarType, exact: i128) {
    let (least, greatest) = ty.range();
    if ty.is_signed() && (exact < least || exact > greatest) {
        overflow::note();
    }
}

/// What an operator makes of two integers of type `ty`, before it wraps around.
macro_rules! exact {
    ($op:ident, $ty:ident, $x:ident, $y:ident) => {
        match $op {
            BinaryOp::Add => $x + $y,
            BinaryOp::Sub => $x - $y,
            // A product of unsigned words exceeds what twice their bits hold with a sign; only its low half is kept anyway.
            BinaryOp::Mul => $x.wrapping_mul($y),
            BinaryOp::Div | BinaryOp::Rem if $y == 0 => return Err(FaultKind::DivisionByZero),
            BinaryOp::Div | BinaryOp::Rem if $y == -1 && i128::from($x) == $ty.range().0 => {
                return Err(FaultKind::UndefinedArithmetic);
            }
            BinaryOp::Div => $x / $y,
            BinaryOp::Rem => $x % $y,
            BinaryOp::BitAnd => $x & $y,
            BinaryOp::BitOr => $x | $y,
            BinaryOp::BitXor => $x ^ $y,
            _ => return Ok(comparison($op, Some($x.cmp(&$y)))),
        }
    };
}

fn integers(op: BinaryOp, ty: ScalarType, a: Value, b: Value) -> Result<Value, FaultKind> {
    let (x, y) = (a.integer(), b.integer());
    // Most are of 32 bits, and numbers of 64 take a fraction of the time.
    let exact = match ty.bits() {
        ..=32 => {
            let (x, y) = (x as i64, y as i64);
            i128::from(exact!(op, ty, x, y))
        }
        _ => exact!(op, ty, x, y),
    };
    note_overflow(ty, exact);
    Ok(Value::int(ty, exact))
}

/// The result has the left operand's type; a right shift of a signed value keeps the sign.
fn shift(op: BinaryOp, ty: ScalarType, a: Value, b: Value) -> Result<Value, FaultKind> {
    let (x, amount) = (a.integer(), b.integer());
    if amount < 0 || amount >= ty.bits() as i128 {
        return Err(FaultKind::UndefinedArithmetic);
    }
    let shifted = if op == BinaryOp::Shl {
        x << amount
    } else {
        x >> amount
    };
    Ok(Value::int(ty, shifted))
}

fn booleans(op: BinaryOp, a: bool, b: bool) -> Value {
    use BinaryOp::*;
    match op {
        And | BitAnd => Value::Bool(a & b),
        Or | BitOr => Value::Bool(a | b),
        BitXor => Value::Bool(a ^ b),
        _ => comparison(op, Some(a.cmp(&b))),
    }
}

/// Equality is that of array and offset. Ordering and difference need one array.
fn pointers(op: BinaryOp, a: Pointer, b: Pointer) -> Result<Value, FaultKind> {
    match op {
        BinaryOp::Eq => Ok(Value::Bool(a == b)),
        BinaryOp::Ne => Ok(Value::Bool(a != b)),
        _ if a.array != b.array => Err(FaultKind::UndefinedArithmetic),
        BinaryOp::PtrDiff => Ok(Value::int(
            ScalarType::I64,
            a.offset as i128 - b.offset as i128,
        )),
        _ => Ok(comparison(op, Some(a.offset.cmp(&b.offset)))),
    }
}

/// `None` means unordered (a NaN): every comparison but `!=` is false.
fn comparison(op: BinaryOp, order: Option<Ordering>) -> Value {
    use BinaryOp::*;
    Value::Bool(match op {
        Lt => order == Some(Ordering::Less),
        Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Gt => order == Some(Ordering::Greater),
        Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Eq => order == Some(Ordering::Equal),
        Ne => order != Some(Ordering::Equal),
        _ => return Value::Undef,
    })
}

/// Truncates towards zero; NaN and what does not fit are faults.
fn from_double(x: f64, to: ScalarType) -> Result<Value, FaultKind> {
    match to {
        ScalarType::F64 => Ok(Value::f64(x)),
        ScalarType::F32 => Ok(Value::f32(x as f32)),
        ScalarType::Bool => Ok(Value::Bool(x != 0.0)),
        _ => {
            let (least, greatest) = to.range();
            // Saturates on i128, far outside every range; NaN is caught first.
            let whole = x.trunc() as i128;
            if x.is_nan() || whole < least || whole > greatest {
                return Err(FaultKind::UndefinedArithmetic);
            }
            Ok(Value::int(to, whole))
        }
    }
}

fn min_f32(a: f32, b: f32) -> f32 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}

fn min_f64(a: f64, b: f64) -> f64 {
    if a.is_nan() {
        b
    } else if b.is_nan() || a < b || (a == b && a.is_sign_negative()) {
        a
    } else {
        b
    }
}
