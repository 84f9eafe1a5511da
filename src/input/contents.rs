//! What an array argument holds at first, as the user gives it.

use super::file_contents::FileContents;
use super::value::value_of;
use crate::input::error::InputError;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::setup::Contents;

/// First contents of an array argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentsSpec {
    /// Nothing: reading a cell before it is written is a defect.
    Undef,
    /// Zero everywhere.
    Zero,
    /// The same value everywhere, as written.
    Fill(String),
    /// Cell number `i` holds `first + i * step`.
    Range {
        /// Of cell 0, as written.
        first: String,
        /// As written.
        step: String,
    },
    /// These cells, as written; those beyond are zero.
    List(Vec<String>),
    /// Reproducible random cells.
    Random(u64),
    /// Reproducible random numbers from 0 up to, but not with, the bound.
    Below {
        /// Excluded.
        bound: u64,
        /// The same seed gives the same cells.
        seed: u64,
    },
    /// Reproducible random cells, many of them zero: what stands for unknown values.
    Arbitrary(u64),
    /// Of memory that the file declares: what the declaration says.
    Initial,
    /// What a file holds. Only the command line names one.
    File(FileContents),
}

impl ContentsSpec {
    /// Reads `undef`, `zero`, `initial`, `fill:VALUE`, `range:FIRST:STEP`, `list:VALUE,…`,
    /// `random:SEED`, `below:BOUND:SEED` or `arbitrary:SEED`.
    ///
    /// # Errors
    /// Anything else.
    pub fn parse(text: &str) -> Result<ContentsSpec, InputError> {
        let wrong = || {
            InputError::usage(format!(
                "contents `{text}`: write undef, zero, initial, fill:VALUE, range:FIRST:STEP, list:VALUE,…, \
                 random:SEED, below:BOUND:SEED or arbitrary:SEED"
            ))
        };
        let parts: Vec<&str> = text.split(':').map(str::trim).collect();
        Ok(match parts.as_slice() {
            ["undef"] => ContentsSpec::Undef,
            ["zero"] => ContentsSpec::Zero,
            ["initial"] => ContentsSpec::Initial,
            ["fill", value] => ContentsSpec::Fill((*value).to_owned()),
            ["range", first, step] => ContentsSpec::Range {
                first: (*first).to_owned(),
                step: (*step).to_owned(),
            },
            ["list", values] => {
                let values = values.split(',').map(str::trim);
                ContentsSpec::List(values.map(str::to_owned).collect())
            }
            ["random", seed] => ContentsSpec::Random(seed.parse().map_err(|_| wrong())?),
            ["below", bound, seed] => ContentsSpec::Below {
                bound: bound.parse().ok().filter(|b| *b > 0).ok_or_else(wrong)?,
                seed: seed.parse().map_err(|_| wrong())?,
            },
            ["arbitrary", seed] => ContentsSpec::Arbitrary(seed.parse().map_err(|_| wrong())?),
            _ => return Err(wrong()),
        })
    }

    /// As [`ContentsSpec::parse`], of an option: `@FILE` reads a file, of plain bytes (little-endian) or NumPy's.
    ///
    /// # Errors
    /// As there; a file that cannot be read.
    pub fn of_option(text: &str) -> Result<ContentsSpec, InputError> {
        match text.strip_prefix('@') {
            Some(path) => FileContents::read(path).map(ContentsSpec::File),
            None => ContentsSpec::parse(text),
        }
    }

    /// As it is written.
    fn text(&self) -> String {
        match self {
            ContentsSpec::Undef => "undef".to_owned(),
            ContentsSpec::Zero => "zero".to_owned(),
            ContentsSpec::Initial => "initial".to_owned(),
            ContentsSpec::File(file) => file.text(),
            ContentsSpec::Fill(value) => format!("fill:{value}"),
            ContentsSpec::Range { first, step } => format!("range:{first}:{step}"),
            ContentsSpec::List(values) => format!("list:{}", values.join(",")),
            ContentsSpec::Random(seed) => format!("random:{seed}"),
            ContentsSpec::Below { bound, seed } => format!("below:{bound}:{seed}"),
            ContentsSpec::Arbitrary(seed) => format!("arbitrary:{seed}"),
        }
    }

    /// The contents of an array of this name and type.
    ///
    /// # Errors
    /// A value that is not of the type.
    pub fn resolve(&self, name: &str, elem: ScalarType) -> Result<Contents, InputError> {
        let refused = |what: &str, why: &dyn std::fmt::Display| {
            InputError::usage(format!(
                "contents `{name}={}`: `{what}` is {why}",
                self.text()
            ))
        };
        let value = |text: &str| value_of(text, elem).map_err(|why| refused(text, &why));
        let (first, step) = match self {
            ContentsSpec::Undef => return Ok(Contents::Undef),
            ContentsSpec::Zero => return Ok(Contents::Zero),
            ContentsSpec::Initial => {
                return Err(InputError::usage(format!(
                    "contents `{name}=initial`: it is no variable of the file with contents of its own"
                )));
            }
            ContentsSpec::File(file) => {
                let cells = file.cells(elem).map_err(|why| {
                    InputError::usage(format!("contents `{name}={}`: {why}", self.text()))
                })?;
                return Ok(Contents::Values(cells));
            }
            ContentsSpec::List(values) => {
                let cells = values.iter().map(|text| value(text));
                return Ok(Contents::Values(cells.collect::<Result<_, _>>()?));
            }
            ContentsSpec::Random(seed) => return Ok(Contents::Random { seed: *seed }),
            ContentsSpec::Below { bound, seed } => {
                if elem.is_integer() && i128::from(*bound) > elem.range().1 + 1 {
                    let (ty, most) = (elem.usual_name(), elem.range().1);
                    let why =
                        format!("more than numbers of type {ty} come to, which ends at {most}");
                    return Err(refused(&bound.to_string(), &why));
                }
                return Ok(Contents::Below {
                    seed: *seed,
                    bound: *bound,
                });
            }
            ContentsSpec::Arbitrary(seed) => return Ok(Contents::Arbitrary { seed: *seed }),
            ContentsSpec::Fill(value) => (value, None),
            ContentsSpec::Range { first, step } => (first, Some(step)),
        };
        let first = value(first)?;
        Ok(match step {
            None => Contents::Fill(first),
            Some(step) => Contents::Range {
                first,
                step: value(step)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::algebra::value::Value;

    fn check(text: &str, elem: ScalarType, expected: Result<&[Value], &str>) {
        let found = ContentsSpec::parse(text).and_then(|spec| spec.resolve("a", elem));
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                let cells: Vec<Value> = (0..3).map(|index| found.cell(elem, index)).collect();
                assert_eq!(cells, expected, "{text}");
            }
            (Err(error), Err(part)) => {
                assert!(error.message.contains(part), "{text}: {}", error.message);
            }
            (found, expected) => panic!("{text}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn contents_as_written() {
        let int = ScalarType::I32;
        check("zero", int, Ok(&[0, 0, 0].map(Value::i32)));
        check("undef", int, Ok(&[Value::Undef; 3]));
        check("fill:-3", int, Ok(&[-3, -3, -3].map(Value::i32)));
        check("range:5:-2", int, Ok(&[5, 3, 1].map(Value::i32)));
        let wrapped = [i32::MAX, i32::MIN, i32::MIN + 1].map(Value::i32);
        check("range:2147483647:1", int, Ok(&wrapped));
        check("list:4, -1", int, Ok(&[4, -1, 0].map(Value::i32)));
        check("list:7", int, Ok(&[7, 0, 0].map(Value::i32)));
        let float = ScalarType::F32;
        check(
            "list:0.5,inf,-1",
            float,
            Ok(&[0.5, f32::INFINITY, -1.0].map(Value::f32)),
        );
        check("range:0:0.5", float, Ok(&[0.0, 0.5, 1.0].map(Value::f32)));
        check("fill:-0.0", float, Ok(&[-0.0; 3].map(Value::f32)));
        let random = ContentsSpec::parse("random:7").map(|spec| spec.resolve("a", int));
        assert_eq!(random, Ok(Ok(Contents::Random { seed: 7 })));
    }

    #[test]
    fn what_is_no_contents_is_refused() {
        let int = ScalarType::I32;
        check("range:1", int, Err("write undef, zero"));
        check("below:0:1", int, Err("below:BOUND:SEED"));
        check("list:", int, Err("`` is not a value of type int"));
        check("list:1,,2", int, Err("`` is not a value of type int"));
        check(
            "list:1,x",
            int,
            Err("contents `a=list:1,x`: `x` is not a value of type int"),
        );
        check("fill:x", int, Err("not a value of type int"));
        check("fill:0.5", int, Err("not a value of type int"));
        for text in ["fill:nan", "fill:inf", "range:nan:1", "range:0:inf"] {
            check(text, int, Err("is not a value of type int"));
            check(text, ScalarType::Bool, Err("is not a value of type bool"));
        }
        check(
            "fill:nan",
            int,
            Err("contents `a=fill:nan`: `nan` is not a value of type int"),
        );
    }

    #[test]
    fn numbers_that_the_type_does_not_have_are_refused() {
        let byte = ScalarType::U8;
        let why =
            "contents `a=fill:256`: `256` is not a value of type unsigned char, which has 0 to 255";
        check("fill:256", byte, Err(why));
        check(
            "range:0:-1",
            byte,
            Err("`-1` is not a value of type unsigned char"),
        );
        check("fill:128", ScalarType::I8, Err("not a value of type char"));
        check(
            "below:257:1",
            byte,
            Err("`257` is more than numbers of type unsigned char come to"),
        );
        let below = |bound| Contents::Below { seed: 1, bound };
        let fits = ContentsSpec::parse("below:256:1").and_then(|spec| spec.resolve("a", byte));
        assert_eq!(fits, Ok(below(256)));
        let (float, double) = (ScalarType::F32, ScalarType::F64);
        check(
            "fill:1e39",
            float,
            Err("`1e39` is not a value of type float, which ends at 3.4"),
        );
        check("fill:-1e400", double, Err("not a value of type double"));
        check(
            "fill:-inf",
            float,
            Ok(&[f32::NEG_INFINITY; 3].map(Value::f32)),
        );
        check("fill:1e39", double, Ok(&[1e39; 3].map(Value::f64)));
    }
}
