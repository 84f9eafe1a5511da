//! What a pipeline run gives: `steps[]` of the JSON contract, the lowered files, the device runs.

use super::format::PipelineFile;
use gridlock_checker::cost::Cost;
use gridlock_checker::finding::Statistics;
use gridlock_checker::report::assumption::{self, Assumption};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::remark::{self, Remark};
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Assurance, Reason, Verdict};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// One step under one profile.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    pub name: String,
    /// The step whose program it rewrote.
    pub from: String,
    pub rules: String,
    pub profile: String,
    /// In words: `at least passed`, `refuted (data-race)`.
    pub expected: String,
    pub verdict: Verdict,
    pub reason: Option<Reason>,
    pub assurance: Option<Assurance>,
    /// One sentence.
    pub explanation: String,
    /// What the program was compared with: the last one accepted under this profile.
    pub against: String,
    #[serde(flatten, serialize_with = "assumption::in_report")]
    pub assumptions: Statements<Assumption>,
    #[serde(flatten, serialize_with = "remark::in_report")]
    pub remarks: Statements<Remark>,
    pub defects: Vec<Defect>,
    /// States explored, transitions and runs made, both sides together.
    pub statistics: Statistics,
    /// It came out as expected.
    pub agrees: bool,
    pub seconds: f64,
    /// Where each rule was applied, in words: only with the first profile of a step.
    pub applied: Vec<String>,
    /// Unified diff of the printed programs: only with the first profile of a step.
    pub diff: String,
}

/// A lowered text and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct LoweredReport {
    pub target: String,
    pub step: String,
    /// The whole text.
    #[serde(skip)]
    pub text: String,
    pub lines: usize,
    /// The file's, where it is written.
    #[serde(skip)]
    pub name: String,
    /// Where it was written, with `--out` or `--write`.
    pub file: Option<PathBuf>,
    /// Architectures `nvcc` compiled it for without a warning.
    pub compiled_for: Vec<String>,
}

/// A differential run.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceReport {
    pub device: String,
    pub case: String,
    /// Cells compared with the interpreter.
    pub cells: u64,
    pub agree: bool,
    /// What differs, or why it could not be run.
    pub message: String,
}

/// A device the pipeline names that nothing was run on.
#[derive(Clone, Debug, Serialize)]
pub struct NotRun {
    pub device: String,
    /// Without a full stop.
    pub reason: String,
}

/// What a search for better programs came to.
#[derive(Clone, Debug, Serialize)]
pub struct SearchReport {
    pub from: String,
    pub profile: String,
    pub depth: u32,
    /// What the program it starts from costs; `None` where one run was not followed to its end.
    pub cost: Option<Costs>,
    /// Programs judged, by what came out.
    pub accepted: u64,
    pub refuted: u64,
    pub unknown: u64,
    /// Programs another sequence had made before.
    pub seen_before: u64,
    /// Rewritings that did not apply.
    pub inapplicable: u64,
    /// The limit that ended it before every sequence was tried.
    pub limit: Option<String>,
    /// The accepted ones, the cheapest first.
    pub found: Vec<Found>,
}

/// An accepted program and how it was reached.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    pub steps: Vec<String>,
    /// The weakest of its rewritings.
    pub verdict: Verdict,
    pub assurance: Option<Assurance>,
    #[serde(flatten, serialize_with = "assumption::in_report")]
    pub assumptions: Statements<Assumption>,
    pub cost: Option<Costs>,
    /// Where it was written, with `--out`.
    pub file: Option<PathBuf>,
}

/// Counts of one run of each case, and their sum by weight.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Costs {
    #[serde(flatten)]
    pub counts: Cost,
    pub total: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct PipelineReport {
    pub name: String,
    pub story: String,
    pub file: String,
    pub steps: Vec<StepReport>,
    pub search: Option<SearchReport>,
    pub lowered: Vec<LoweredReport>,
    pub runs: Vec<DeviceReport>,
    pub not_run: Vec<NotRun>,
    /// Everything came out as expected.
    pub as_expected: bool,
    /// Steps not tried because an earlier one did not come out as expected.
    pub skipped: Vec<String>,
    pub seconds: f64,
}

impl PipelineReport {
    /// Nothing of it is judged yet, nor as expected.
    pub fn begun(file: &PipelineFile, path: &Path) -> PipelineReport {
        PipelineReport {
            name: file.name.clone(),
            story: file.story.clone(),
            file: path.display().to_string(),
            steps: Vec::new(),
            search: None,
            lowered: Vec::new(),
            runs: Vec::new(),
            not_run: Vec::new(),
            as_expected: false,
            skipped: Vec::new(),
            seconds: 0.0,
        }
    }
}
