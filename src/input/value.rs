//! Values of scalars as people write them.

use super::error::InputError;
use gridlock_semantics::types::ScalarType;
use gridlock_semantics::value::Value;

/// Reads a scalar of a type.
pub fn parse_value(text: &str, ty: ScalarType, name: &str) -> Result<Value, InputError> {
    let wrong = || {
        InputError::usage(format!(
            "argument `{name}={text}`: not a value of type {}",
            ty.c_name()
        ))
    };
    match ty {
        ScalarType::Bool => match text {
            "true" | "1" => Ok(Value::Bool(true)),
            "false" | "0" => Ok(Value::Bool(false)),
            _ => Err(wrong()),
        },
        ScalarType::F32 => text.parse().map(Value::f32).map_err(|_| wrong()),
        ScalarType::F64 => text.parse().map(Value::f64).map_err(|_| wrong()),
        integer => {
            let number: i128 = match text.strip_prefix("0x") {
                Some(hex) => i128::from_str_radix(hex, 16).map_err(|_| wrong())?,
                None => text.parse().map_err(|_| wrong())?,
            };
            let value = Value::int(integer, number);
            if value.as_integer() == Some(number) {
                Ok(value)
            } else {
                Err(wrong())
            }
        }
    }
}
