//! Numbers: how they are read, how they are written, and which type one without a suffix has.

use super::token::Lexeme;
use super::words;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// The number at the start of `text`, which starts with a digit, and its length in bytes. `Err`
/// says what is wrong with it.
pub fn number(text: &str) -> Result<(Lexeme, usize), &'static str> {
    let bytes = text.as_bytes();
    let digits = |from: usize, hex: bool| {
        let is_digit = |b: &&u8| b.is_ascii_digit() || (hex && b.is_ascii_hexdigit());
        from + bytes[from..].iter().take_while(is_digit).count()
    };
    let is_hex = text.starts_with("0x");
    let mut end = digits(if is_hex { 2 } else { 0 }, is_hex);
    let mut is_float = false;
    if !is_hex {
        let follows = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        if bytes.get(end) == Some(&b'.') && follows(end + 1) {
            is_float = true;
            end = digits(end + 1, false);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = matches!(bytes.get(end + 1), Some(b'+' | b'-')) as usize;
            if follows(end + 1 + sign) {
                is_float = true;
                end = digits(end + 1 + sign, false);
            }
        }
    }
    let whole = end + words::word_length(&text[end..]);
    let suffix = match &text[end..whole] {
        "" => None,
        word => Some(
            words::scalar_type(word)
                .filter(|ty| *ty != ScalarType::Bool)
                .ok_or("a number is followed by the name of its type (`7u32`) or by nothing")?,
        ),
    };
    if is_float || suffix.is_some_and(ScalarType::is_float) {
        if is_hex || suffix.is_some_and(|ty| !ty.is_float()) {
            return Err("the type of a number with a point or an exponent is f32 or f64");
        }
        return Ok((Lexeme::Float(text[..end].into(), suffix), whole));
    }
    let value = match is_hex {
        true => u128::from_str_radix(&text[2..end], 16),
        false => text[..end].parse(),
    };
    match value {
        Ok(value) => Ok((Lexeme::Int(value, suffix), whole)),
        Err(_) if end == 2 && is_hex => Err("hexadecimal digits must follow `0x`"),
        Err(_) => Err("this number is too large for every type"),
    }
}

/// The type of an integer without suffix where `expected` is needed.
pub fn integer_type(expected: Option<Type>) -> ScalarType {
    let wanted = expected.and_then(Type::scalar);
    wanted.filter(|s| s.is_integer()).unwrap_or(ScalarType::I32)
}

/// The type of a number with a point where `expected` is needed.
pub fn float_type(expected: Option<Type>) -> ScalarType {
    let wanted = expected.and_then(Type::scalar);
    wanted.filter(|s| s.is_float()).unwrap_or(ScalarType::F64)
}

/// The float of type `ty` that decimal digits stand for, rounded to nearest.
pub fn float(digits: &str, ty: ScalarType) -> Option<Value> {
    match ty {
        ScalarType::F32 => digits.parse().ok().map(|x: f32| Value::F32(x.to_bits())),
        _ => digits.parse().ok().map(|x: f64| Value::F64(x.to_bits())),
    }
}

/// The integer of type `ty`; `None` when it is out of range.
pub fn integer(value: u128, is_negative: bool, ty: ScalarType) -> Option<Value> {
    let magnitude = i128::try_from(value).ok()?;
    let value = if is_negative { -magnitude } else { magnitude };
    let made = Value::int(ty, value);
    (made.as_integer() == Some(value)).then_some(made)
}

/// A number as text, with its type where `expected` would not give it.
pub fn written(value: Value, expected: Option<Type>) -> String {
    match value {
        Value::Int(ty, bits) => {
            let suffix = match integer_type(expected) == ty {
                true => "",
                false => words::type_word(ty),
            };
            // Masks read better so.
            if !ty.is_signed() && bits >= 1 << 31 {
                format!("{bits:#x}{suffix}")
            } else {
                format!("{value}{suffix}")
            }
        }
        Value::F32(bits) => {
            let number = f32::from_bits(bits);
            let text = format!("{number:?}");
            float_text(&text, number.is_nan(), value, expected)
        }
        Value::F64(bits) => {
            let number = f64::from_bits(bits);
            let text = format!("{number:?}");
            float_text(&text, number.is_nan(), value, expected)
        }
        other => other.to_string(),
    }
}

fn float_text(text: &str, is_nan: bool, value: Value, expected: Option<Type>) -> String {
    let Some(ty) = value.scalar_type() else {
        panic!("a floating-point literal is written, not {value:?}");
    };
    let word = words::type_word(ty);
    if is_nan && value != canonical_nan(ty) {
        return match value {
            Value::F32(bits) => format!("f32_bits({bits:#x})"),
            Value::F64(bits) => format!("f64_bits({bits:#x})"),
            other => other.to_string(),
        };
    }
    let is_clear = float_type(expected) == ty;
    match (text.trim_start_matches('-'), is_clear) {
        ("NaN", true) => "nan".to_owned(),
        ("NaN", false) => format!("(nan : {word})"),
        ("inf", true) => text.to_owned(),
        ("inf", false) => format!("({text} : {word})"),
        (_, true) => text.to_owned(),
        (_, false) => format!("{text}{word}"),
    }
}

pub fn canonical_nan(ty: ScalarType) -> Value {
    match ty {
        ScalarType::F32 => Value::f32(f32::NAN),
        _ => Value::f64(f64::NAN),
    }
}

pub fn infinity(ty: ScalarType, is_negative: bool) -> Value {
    let sign = if is_negative { -1.0 } else { 1.0 };
    match ty {
        ScalarType::F32 => Value::f32(f32::INFINITY * sign as f32),
        _ => Value::f64(f64::INFINITY * sign),
    }
}
