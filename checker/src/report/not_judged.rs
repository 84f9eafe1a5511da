//! What was not judged.

use super::statements::{Statement, quoted};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// Something of a subject that was not judged, and why. It does not weaken the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Written")]
pub struct NotJudged {
    /// Index into [`crate::report::Judgement::subjects`].
    pub subject: usize,
    /// What was left out.
    #[serde(flatten)]
    pub gap: Gap,
    /// The construct that stood in the way, where one did.
    #[serde(flatten)]
    pub place: Option<Place>,
}

/// A place in the source: line and column from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The path it was read from.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in bytes.
    pub column: u32,
}

/// What was left out, with what stood in the way. The kinds and their arguments are part of the JSON contract
/// (docs/reports.md): add to them, and rename none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "arguments", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each kind says what its arguments are")]
pub enum Gap {
    /// Bounds of pointer arguments of which no extent is given.
    BoundsWithoutExtent { arrays: Vec<String> },
    /// Bounds of dynamic shared memory of which no size is given.
    BoundsOfOpenShared { arrays: Vec<String> },
    /// What a program prints, in these lines of its file.
    PrintedOutput { lines: Vec<u32> },
    /// Host code that could not be read, for `construct`.
    UnsupportedHostCode { construct: String },
    /// A `main` with parameters.
    HostCodeWithParameters {},
    /// Host code behind the last launch, from `place` on, which a `limit` cut.
    RestOfHostCode { limit: String },
    /// The kernels of a program whose host code ends before it launches one.
    NothingLaunched { entry: String },
}

impl Gap {
    /// What was not judged.
    pub fn what(&self) -> String {
        match self {
            Gap::BoundsWithoutExtent { arrays } | Gap::BoundsOfOpenShared { arrays } => {
                format!("bounds of {}", quoted(arrays))
            }
            Gap::PrintedOutput { .. } => "what is printed".to_owned(),
            Gap::UnsupportedHostCode { .. } | Gap::HostCodeWithParameters {} => {
                "host code".to_owned()
            }
            Gap::RestOfHostCode { .. } => "host code behind the last launch".to_owned(),
            Gap::NothingLaunched { .. } => "the kernels".to_owned(),
        }
    }

    /// Why not.
    pub fn why(&self) -> String {
        match self {
            Gap::BoundsWithoutExtent { arrays } => {
                let first = arrays.first().map_or("", String::as_str);
                format!("no extent given (--extent {first}=…)")
            }
            Gap::BoundsOfOpenShared { .. } => {
                "the size of dynamic shared memory is not given (--shared-bytes N): taken to be as much as is used"
                    .to_owned()
            }
            Gap::PrintedOutput { lines } => {
                let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
                let what = if lines.len() == 1 { "line" } else { "lines" };
                format!(
                    "output is not modelled, so that nothing of it is compared ({what} {})",
                    numbers.join(", ")
                )
            }
            Gap::UnsupportedHostCode { construct } => {
                format!("not supported: {construct}; the kernels are judged without it")
            }
            Gap::HostCodeWithParameters {} => {
                "it has parameters (--entry main judges it for sampled arguments)".to_owned()
            }
            Gap::RestOfHostCode { limit } => {
                format!("from here on it was left out, as a limit was reached: {limit}")
            }
            Gap::NothingLaunched { entry } => match entry.as_str() {
                "main" => "no kernel was launched: with this command line `main` ends before it comes to a \
                           launch (--argv 'ARGUMENTS' gives another)"
                    .to_owned(),
                name => format!("no kernel was launched: `{name}` ends before it comes to a launch"),
            },
        }
    }
}

impl Statement for NotJudged {}

/// What, where and why: `host code: k.cu:3:5: it has parameters`.
impl Display for NotJudged {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.gap.what())?;
        if let Some(place) = &self.place {
            write!(f, "{}:{}:{}: ", place.file, place.line, place.column)?;
        }
        f.write_str(&self.gap.why())
    }
}

/// With the two halves of the sentence apart, as the contract has had them from its beginning.
#[derive(Serialize)]
struct Written {
    subject: usize,
    what: String,
    why: String,
    #[serde(flatten)]
    gap: Gap,
    #[serde(flatten)]
    place: Option<Place>,
}

impl From<NotJudged> for Written {
    fn from(open: NotJudged) -> Written {
        Written {
            subject: open.subject,
            what: open.gap.what(),
            why: open.gap.why(),
            gap: open.gap,
            place: open.place,
        }
    }
}
