//! Defects: what is reported when something is refuted.

use crate::finding::DefectKind;
use crate::report::explanation::Explanation;
use crate::report::grade::Grade;
use crate::report::site::Site;
use crate::report::witness::Witness;
use gridlock_semantics::algebra::declaration::Space;
use serde::{Deserialize, Serialize};

/// Something the program does that refutes a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Defect {
    /// Index into [`crate::report::Judgement::subjects`].
    pub subject: usize,
    /// What it does.
    pub kind: DefectKind,
    /// One sentence: what happens, in the program's own names.
    pub message: String,
    /// Name of the array, where the defect is about one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub array: Option<String>,
    /// In elements.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub index: Option<i64>,
    /// The element as the source writes it: `s[1][0]`, `s[0].y`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub element: Option<String>,
    /// The memory the array is in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub space: Option<Space>,
    /// Both sides of a race, the guilty access otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub accesses: Vec<Site>,
    /// Who waits where and who never comes (barriers, deadlock).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub threads: Vec<Site>,
    /// How it came about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub explanation: Option<Explanation>,
    /// When it shows, and what it does.
    #[serde(flatten)]
    pub grade: Grade,
    /// Replayed; always true for a defect that refutes.
    pub confirmed: bool,
    /// What replays it; `None` where nothing does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub witness: Option<Witness>,
    /// The run of the old program beside that of the new one (`not-equivalent` only).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub original: Option<Witness>,
}
