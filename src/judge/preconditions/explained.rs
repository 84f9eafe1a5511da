//! What is said about the conditions of one kernel. Text and JSON are renderings of it.

use super::judge::Outcome;
use super::under::UnderCondition;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::assumption::{self, Assumption};
use gridlock_checker::report::statements::Statements;
use serde::Serialize;
use std::collections::BTreeMap;

/// What holds of a kernel's launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// No point tried fails.
    Always,
    /// No point tried is safe.
    Never,
    /// A condition separates the safe points from the failing ones.
    Condition,
    /// No condition of the grammar does.
    NoCondition,
    /// No point could be decided.
    Unknown,
    /// Everything is fixed: there is nothing to tell apart.
    NothingVaries,
}

/// A condition that separates the points tried.
#[derive(Clone, Debug, Serialize)]
pub struct Stated {
    /// In words and formulas.
    pub text: String,
    /// As an expression of the source, where every variable has a name there.
    pub code: Option<String>,
    /// Proved: every launch and every input that meets it is free of the defects judged.
    pub proved: bool,
    /// What the proof established, property by property; empty where none was tried.
    pub properties: Vec<UnderCondition>,
    /// Safe points tried: it holds at each.
    pub holds_at: usize,
    /// Failing points tried: it holds at none.
    pub fails_at: usize,
    /// How many of them were looked at only after the condition was found.
    pub held_out: usize,
    /// How often a point looked at later made it change.
    pub revisions: usize,
}

/// One kind of defect and when it does not occur.
#[derive(Clone, Debug, Serialize)]
pub struct OfKind {
    pub kind: DefectKind,
    pub n_failing: usize,
    /// The failing point with the fewest threads.
    pub example: BTreeMap<String, i64>,
    pub condition: Option<Stated>,
}

/// How a variable was varied.
#[derive(Clone, Debug, Serialize)]
pub struct Varied {
    pub name: String,
    /// The values tried.
    pub values: Vec<i64>,
    pub fixed: bool,
    /// By `--vary`.
    pub given: bool,
}

/// A point that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    pub at: BTreeMap<String, i64>,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How many points came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub tried: usize,
    pub safe: usize,
    pub failing: usize,
    pub unknown: usize,
    pub excluded: usize,
}

/// A table of outcomes over two variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grid {
    pub rows: String,
    pub columns: String,
    /// What the short names in the head of the columns mean.
    pub legend: Vec<String>,
    pub head: Vec<String>,
    /// Label and cells of each row.
    pub body: Vec<(String, Vec<String>)>,
    /// Variables over which a cell sums up.
    pub over: Vec<String>,
}

/// What must hold of the launches of one kernel.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    pub file: String,
    pub kernel: String,
    pub finding: Finding,
    pub condition: Option<Stated>,
    /// Where no condition separates: one that holds at no failing point and at most safe ones.
    pub sufficient: Option<Stated>,
    /// For each kind of defect, where there are several.
    pub kinds: Vec<OfKind>,
    pub counts: Counts,
    pub variables: Vec<Varied>,
    pub table: Option<Grid>,
    pub points: Vec<Tried>,
    /// What was taken for granted in the proof and in choosing the points.
    #[serde(flatten, serialize_with = "assumption::in_report")]
    pub assumptions: Statements<Assumption>,
    /// Why points are unknown, each reason once.
    pub unknown: Vec<String>,
    pub limits_hit: Vec<String>,
    pub seconds: f64,
}
