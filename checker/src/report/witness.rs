//! Witnesses: a program, its inputs and a schedule that together replay a defect.

use crate::finding::DefectKind;
use crate::finding::ScheduleStep;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use serde::{Deserialize, Serialize};

/// Everything needed to replay a defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// Version of this format.
    pub schema: u32,
    /// Path of the source file as the user gave it.
    pub file: String,
    /// Hash of the source text; a witness whose program changed is refused.
    pub source_hash: String,
    /// Name of the kernel or host procedure that runs.
    pub entry: String,
    /// What the hardware is taken to guarantee.
    pub profile: Profile,
    /// Launch, arguments and contents of arrays.
    pub setup: Setup,
    /// Name of the device whose limits launches were held to, those of host code too; `none`: no device's, as was
    /// asked for. Where nothing stands it is the one that launches are held to unless another is named.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub device: Option<String>,
    /// The defect a replay must show.
    pub kind: DefectKind,
    /// Who moves, as often as each does.
    #[serde(with = "crate::report::written_schedule")]
    pub schedule: Vec<ScheduleStep>,
    /// How many of these steps lead to the first that a replay shows: what a program did long before the defect.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub led: u64,
    /// A livelock's: what is repeated for ever from the end of `schedule` on. In both *every*
    /// transition counts, private ones too, and blocks are scheduled as the profile says for
    /// termination.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cycle: Vec<ScheduleStep>,
    /// What the new program leaves otherwise than the old one (`not-equivalent` only): the
    /// schedule is followed and then all actors go on in canonical order to the end.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub difference: Option<WitnessDifference>,
    /// How the file was read, where that was not the usual way.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reading: Option<Reading>,
    /// The whole program, when it is not what the file says (made by rules).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub program: Option<gridlock_semantics::algebra::program::Program>,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Witness {
    /// The version written, and the only one that is read.
    pub const SCHEMA: u32 = 1;
}

/// What was said about reading a file, as options say it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct Reading {
    /// Macros, `NAME` or `NAME=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
    /// Folders of included files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// Files included before the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pre_include: Vec<String>,
    /// Whether a header that is not found made the file an error.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub require_includes: bool,
    /// Instances of templates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instantiate: Vec<String>,
    /// The dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard: Option<String>,
    /// How deep recursion was unfolded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recursion: Option<u32>,
    /// The arguments of `main`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
}

/// One of two programs that are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// The original.
    Old,
    /// What is to do the same.
    #[default]
    New,
}

impl Whose {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Whose::Old => "old",
            Whose::New => "new",
        }
    }
}

/// What can be observed at one place of a finished run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservedCell {
    /// `None` for a function's result.
    pub array: Option<String>,
    /// In elements; `None` for a result.
    pub index: Option<i64>,
    /// `None`: there is no such element.
    pub value: Option<Value>,
}

impl ObservedCell {
    /// `out[3]`, `result`.
    pub fn name(&self) -> String {
        match (&self.array, self.index) {
            (Some(array), Some(index)) => format!("{array}[{index}]"),
            (Some(array), None) => array.clone(),
            (None, _) => "result".to_owned(),
        }
    }

    /// What is there in what is seen of a run.
    pub fn found_in(&self, seen: &Observation) -> Option<Value> {
        let Some(name) = &self.array else {
            return seen.result;
        };
        let array = seen.arrays.iter().find(|array| *array.name == **name)?;
        array.cells.get(usize::try_from(self.index?).ok()?).copied()
    }
}

/// A relation between what two programs leave that does not hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WitnessDifference {
    /// The side this witness is of.
    #[serde(default)]
    pub side: Whose,
    /// What this side leaves where the relation speaks of it.
    #[serde(default)]
    pub cells: Vec<ObservedCell>,
    /// What the relation has on either side; `None` for an element that is not there.
    pub new_value: Option<Value>,
    /// As [`WitnessDifference::new_value`], of the old side.
    pub old_value: Option<Value>,
    /// The relation that fails, `new.out[3] == old.out[96]`.
    pub relation: String,
}

impl WitnessDifference {
    /// Whether a run leaves what this says.
    pub fn is_seen(&self, seen: &Observation) -> bool {
        // A relation without cells says that one side has an array the other has not.
        let mut cells = self.cells.iter();
        self.cells.is_empty() == self.relation.is_empty()
            && cells.all(|cell| cell.found_in(seen) == cell.value)
    }

    /// What a run shows of it.
    pub fn text(&self, seen: &Observation) -> String {
        let shown = |v: Option<Value>| v.map_or("nothing".to_owned(), |v| v.to_string());
        let cells = self.cells.iter().map(|cell| {
            let value = shown(cell.found_in(seen));
            match cell.array {
                Some(_) => format!("{} is {value}", cell.name()),
                None => format!("the result is {value}"),
            }
        });
        if self.cells.is_empty() {
            return "the run comes to its end".to_owned();
        }
        let (other, theirs) = match self.side {
            Whose::New => (Whose::Old, self.old_value),
            Whose::Old => (Whose::New, self.new_value),
        };
        format!(
            "{}; `{}` would need what the {} program leaves, {}",
            cells.collect::<Vec<_>>().join(", "),
            self.relation,
            other.name(),
            shown(theirs)
        )
    }
}
