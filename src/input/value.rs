//! Values of scalars as people write them.

use super::error::InputError;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;

/// Reads a scalar of a type.
pub fn parse_value(text: &str, ty: ScalarType, name: &str) -> Result<Value, InputError> {
    value_of(text, ty).map_err(|why| InputError::usage(format!("argument `{name}={text}`: {why}")))
}

/// Why a text is no value of a type.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoValue(String);

/// A number or a truth value as it is written.
///
/// # Errors
/// Why it is none of the type. A number that the type does not have is not taken for another.
pub fn value_of(text: &str, ty: ScalarType) -> Result<Value, NoValue> {
    let name = ty.usual_name();
    let wrong = || NoValue(format!("not a value of type {name}"));
    match ty {
        ScalarType::Bool => match text {
            "true" | "1" => Ok(Value::Bool(true)),
            "false" | "0" => Ok(Value::Bool(false)),
            _ => Err(wrong()),
        },
        ScalarType::F32 | ScalarType::F64 => {
            let (value, is_finite, most) = match ty {
                ScalarType::F32 => {
                    let number: f32 = text.parse().map_err(|_| wrong())?;
                    (Value::f32(number), number.is_finite(), f64::from(f32::MAX))
                }
                _ => {
                    let number: f64 = text.parse().map_err(|_| wrong())?;
                    (Value::f64(number), number.is_finite(), f64::MAX)
                }
            };
            // `inf` and `nan` are values, and `1e400` would be another one.
            match is_finite || !text.contains(|c: char| c.is_ascii_digit()) {
                true => Ok(value),
                false => Err(NoValue(format!("{}, which ends at {most:e}", wrong()))),
            }
        }
        integer => {
            let number: i128 = match text.strip_prefix("0x") {
                Some(hex) => i128::from_str_radix(hex, 16).map_err(|_| wrong())?,
                None => text.parse().map_err(|_| wrong())?,
            };
            let (least, most) = integer.range();
            match (least..=most).contains(&number) {
                true => Ok(Value::int(integer, number)),
                false => Err(NoValue(format!("{}, which has {least} to {most}", wrong()))),
            }
        }
    }
}
