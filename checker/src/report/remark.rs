//! What is worth saying and does not weaken a verdict.

use super::statements::{Statement, Statements, as_fields, quoted};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt::{self, Display, Formatter};

/// True of the program or of the judgement, and worth knowing. The kinds and their arguments are part of the JSON
/// contract (docs/reports.md): add to them, and rename none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "arguments", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each kind says what its arguments are")]
pub enum Remark {
    /// Accesses of lanes that nothing but the lockstep of their warp orders.
    LockstepOrder {
        array: String,
        first_line: u32,
        second_line: u32,
    },
    /// The new program has fewer outcomes than the original.
    Refines {},
    /// What a user may do about a limit that host code met.
    SmallerSizes {},
    /// Constant memory whose contents were taken for an input.
    FilledByHost { kernel: String, arrays: Vec<String> },
    /// Branches of one of two compared programs (`old`, `new`) that no sampled input takes, and how many more there are.
    BranchesNotTaken {
        program: String,
        ways: Vec<Way>,
        more: u32,
    },
    /// Parameters of the new program that stand at another place than the ones of the old program with their names.
    PairedByName { parameters: Vec<String> },
    /// The relations of the observation map by which outputs are compared.
    Observed { relations: Vec<String> },
    /// A proof found that no thread of any launch considered comes to an access.
    AccessNeverHappens { line: u32, array: String },
    /// Signed arithmetic on numbers that are certain, beyond its type: C++ leaves the result undefined. `program` says
    /// which of two compared ones (`old`, `new`) has it.
    SignedOverflow {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        program: Option<String>,
        line: u32,
        expression: String,
        value_type: String,
        wraps_to: String,
    },
    /// An unsigned counter that a proof must follow through 0; `requires` is a condition, as the source would have
    /// it, that keeps it from there.
    CounterWrapsAround {
        line: u32,
        counter: String,
        limit: String,
        requires: String,
    },
}

/// What a condition never came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// Of the operator whose condition it is.
    pub line: u32,
    /// The truth that it never had.
    pub holds: bool,
}

/// The fields `remarks` (sentences) and `remarked` (objects) of a report: for `#[serde(flatten, serialize_with)]`.
///
/// # Errors
/// Those of the serializer.
pub fn in_report<S: Serializer>(
    remarks: &Statements<Remark>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    as_fields(remarks, ("remarks", "remarked"), serializer)
}

impl Statement for Remark {}

impl Display for Remark {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        use Remark::*;
        match self {
            LockstepOrder {
                array,
                first_line,
                second_line,
            } => write!(
                f,
                "lanes of a warp communicate through `{array}` (lines {first_line} and {second_line}) in \
                 the order of their instructions alone: right only if the compiler keeps these accesses \
                 and their order, so declare it `volatile`"
            ),
            Refines {} => f.write_str(
                "the new program refines the original: some outcomes of the original no longer occur",
            ),
            SmallerSizes {} => f.write_str(
                "a limit was met: smaller sizes, where the program takes them, are given with --argv, \
                 --arg or -D",
            ),
            FilledByHost { kernel, arrays } => write!(
                f,
                "a host may have filled {} before `{kernel}` starts: any contents are an input \
                 (--contents {}=initial for what the file declares)",
                quoted(arrays),
                arrays.first().map_or("", String::as_str),
            ),
            BranchesNotTaken {
                program,
                ways,
                more,
            } => {
                let shown = ways.iter().map(|way| {
                    let truth = if way.holds { "true" } else { "false" };
                    format!("line {} {truth}", way.line)
                });
                let shown = shown.collect::<Vec<_>>().join(", ");
                let rest = match more {
                    0 => String::new(),
                    n => format!(", and {n} more"),
                };
                write!(
                    f,
                    "no sampled input makes these conditions of the {program} program so: {shown}{rest}"
                )
            }
            PairedByName { parameters } => write!(
                f,
                "parameters are paired by name: {} at another place in the new program, so that a call which passes \
                 them in the old order means something else",
                match parameters.as_slice() {
                    [one] => format!("`{one}` stands"),
                    all => format!("{} stand", quoted(all)),
                }
            ),
            Observed { relations } => write!(
                f,
                "the arrays that it names are compared by {} alone: cells that no relation selects are not",
                quoted(relations)
            ),
            AccessNeverHappens { line, array } => {
                write!(f, "line {line}: this access to {array} never happens")
            }
            SignedOverflow {
                program,
                line,
                expression,
                value_type,
                wraps_to,
            } => {
                if let Some(program) = program {
                    write!(f, "in the {program} program, ")?;
                }
                write!(
                    f,
                    "line {line}: `{expression}` overflows `{value_type}`, which C++ leaves undefined; taken to wrap \
                     around, to {wraps_to}"
                )
            }
            CounterWrapsAround {
                line,
                counter,
                limit,
                requires,
            } => write!(
                f,
                "line {line}: the unsigned counter `{counter}` wraps around where `{limit}` leaves no room \
                 for one more step, so that nothing is taken from this bound; __requires({requires}) \
                 excludes it"
            ),
        }
    }
}
