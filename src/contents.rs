//! What an array argument holds at first, as the user gives it.

use crate::input_error::InputError;
use crate::subject::parse_value;
use gridlock_semantics::setup::Contents;
use gridlock_semantics::types::ScalarType;
use gridlock_semantics::value::Value;

/// First contents of an array argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentsSpec {
    /// Nothing: reading a cell before it is written is a defect.
    Undef,
    Zero,
    /// The same value everywhere, as written.
    Fill(String),
    /// Cell number `i` holds `first + i * step`.
    Range {
        first: String,
        step: String,
    },
    /// Reproducible random cells.
    Random(u64),
}

impl ContentsSpec {
    /// Reads `undef`, `zero`, `fill:VALUE`, `range:FIRST:STEP` or `random:SEED`.
    ///
    /// # Errors
    /// Anything else.
    pub fn parse(text: &str) -> Result<ContentsSpec, InputError> {
        let wrong = || {
            InputError::usage(format!(
                "contents `{text}`: write undef, zero, fill:VALUE, range:FIRST:STEP or random:SEED"
            ))
        };
        let parts: Vec<&str> = text.split(':').map(str::trim).collect();
        Ok(match parts.as_slice() {
            ["undef"] => ContentsSpec::Undef,
            ["zero"] => ContentsSpec::Zero,
            ["fill", value] => ContentsSpec::Fill((*value).to_owned()),
            ["range", first, step] => ContentsSpec::Range {
                first: (*first).to_owned(),
                step: (*step).to_owned(),
            },
            ["random", seed] => ContentsSpec::Random(seed.parse().map_err(|_| wrong())?),
            _ => return Err(wrong()),
        })
    }

    /// The contents of an array of this name and type.
    ///
    /// # Errors
    /// A value that is not of the type; cells to count and no extent.
    pub fn resolve(
        &self,
        name: &str,
        elem: ScalarType,
        extent: Option<u64>,
    ) -> Result<Contents, InputError> {
        let (first, step) = match self {
            ContentsSpec::Undef => return Ok(Contents::Undef),
            ContentsSpec::Zero => return Ok(Contents::Zero),
            ContentsSpec::Random(seed) => return Ok(Contents::Random { seed: *seed }),
            ContentsSpec::Fill(value) => (value, None),
            ContentsSpec::Range { first, step } => (first, Some(step)),
        };
        let first = parse_value(first, elem, name)?;
        let step = step.map(|step| parse_value(step, elem, name)).transpose()?;
        let Some(extent) = extent else {
            return Err(InputError::usage(format!(
                "contents of `{name}`: give its extent too (--extent {name}=…)"
            )));
        };
        let cell = |index: u64| match step {
            None => first,
            Some(step) => nth(elem, first, step, index),
        };
        Ok(Contents::Values((0..extent).map(cell).collect()))
    }
}

/// `first + index * step`, in the arithmetic of the type.
fn nth(elem: ScalarType, first: Value, step: Value, index: u64) -> Value {
    match (first, step) {
        (Value::F32(first), Value::F32(step)) => {
            Value::f32(f32::from_bits(first) + index as f32 * f32::from_bits(step))
        }
        (Value::F64(first), Value::F64(step)) => {
            Value::f64(f64::from_bits(first) + index as f64 * f64::from_bits(step))
        }
        _ => {
            let number = |value: Value| value.as_integer().unwrap_or(0);
            Value::int(elem, number(first) + index as i128 * number(step))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, elem: ScalarType, extent: Option<u64>, expected: Result<Contents, &str>) {
        let found = ContentsSpec::parse(text).and_then(|spec| spec.resolve("a", elem, extent));
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{text}"),
            (Err(error), Err(part)) => {
                assert!(error.message.contains(part), "{text}: {}", error.message);
            }
            (found, expected) => panic!("{text}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn contents_as_written() {
        let values = |values: &[i32]| {
            Ok(Contents::Values(
                values.iter().map(|v| Value::i32(*v)).collect(),
            ))
        };
        let int = ScalarType::I32;
        check("zero", int, None, Ok(Contents::Zero));
        check("undef", int, None, Ok(Contents::Undef));
        check("random:7", int, None, Ok(Contents::Random { seed: 7 }));
        check("fill:-3", int, Some(2), values(&[-3, -3]));
        check("range:5:-2", int, Some(3), values(&[5, 3, 1]));
        let halves = [0.0, 0.5].map(Value::f32).to_vec();
        let float = ScalarType::F32;
        check("range:0:0.5", float, Some(2), Ok(Contents::Values(halves)));
    }

    #[test]
    fn what_is_no_contents_is_refused() {
        let int = ScalarType::I32;
        check("range:1", int, Some(1), Err("write undef, zero"));
        check("fill:x", int, Some(1), Err("not a value of type int"));
        check("fill:0.5", int, Some(1), Err("not a value of type int"));
        check("range:0:1", int, None, Err("give its extent too"));
    }
}
