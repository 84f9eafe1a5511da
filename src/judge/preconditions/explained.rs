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
    /// The kind of defect.
    pub kind: DefectKind,
    /// Failing points tried that show it.
    pub n_failing: usize,
    /// The failing point with the fewest threads.
    pub example: BTreeMap<String, i64>,
    /// When it does not occur; `None` where no condition separates.
    pub condition: Option<Stated>,
}

/// How a variable was varied.
#[derive(Clone, Debug, Serialize)]
pub struct Varied {
    /// As the source or the launch names it.
    pub name: String,
    /// The values tried.
    pub values: Vec<i64>,
    /// Whether it had one value only.
    pub fixed: bool,
    /// By `--vary`.
    pub given: bool,
}

/// A point that was tried.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    /// The point: a value for each variable.
    pub at: BTreeMap<String, i64>,
    /// What came out there.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// How many points came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All points judged.
    pub tried: usize,
    /// No defect.
    pub safe: usize,
    /// A defect, replayed.
    pub failing: usize,
    /// No engine decided.
    pub unknown: usize,
    /// No launch, or the kernel's own assumptions are false.
    pub excluded: usize,
}

/// A table of outcomes over two variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Grid {
    /// Name of the variable that changes from row to row.
    pub rows: String,
    /// Name of the variable that changes from column to column; empty where one varies alone.
    pub columns: String,
    /// What the short names in the head of the columns mean.
    pub legend: Vec<String>,
    /// The columns, by short name.
    pub head: Vec<String>,
    /// Label and cells of each row.
    pub body: Vec<(String, Vec<String>)>,
    /// Variables over which a cell sums up.
    pub over: Vec<String>,
}

/// What must hold of the launches of one kernel.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    /// As the user named it.
    pub file: String,
    /// Name of the kernel.
    pub kernel: String,
    /// Whether a condition was found.
    pub finding: Finding,
    /// The condition that separates safe points from failing ones, where there is one.
    pub condition: Option<Stated>,
    /// Where no condition separates: one that holds at no failing point and at most safe ones.
    pub sufficient: Option<Stated>,
    /// For each kind of defect, where there are several.
    pub kinds: Vec<OfKind>,
    /// How many points came out how.
    pub counts: Counts,
    /// What was varied.
    pub variables: Vec<Varied>,
    /// Outcomes over two of the variables; `None` where there is nothing to show so.
    pub table: Option<Grid>,
    /// Every point that was judged.
    pub points: Vec<Tried>,
    /// What was taken for granted in the proof and in choosing the points.
    #[serde(flatten, serialize_with = "assumption::in_report")]
    pub assumptions: Statements<Assumption>,
    /// Why points are unknown, each reason once.
    pub unknown: Vec<String>,
    /// Limits that ended the search, in words.
    pub limits_hit: Vec<String>,
    /// Wall-clock time.
    pub seconds: f64,
}
