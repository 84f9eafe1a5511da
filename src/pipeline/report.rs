//! What a pipeline run gives: `steps[]` of the JSON contract, the lowered files, the device runs.

use gridlock_checker::defect::Defect;
use gridlock_checker::report::Statistics;
use gridlock_checker::verdict::{Assurance, Reason, Verdict};
use serde::Serialize;
use std::path::PathBuf;

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
    pub assumptions: Vec<String>,
    pub remarks: Vec<String>,
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
    /// Where it was written, with `--out`.
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

#[derive(Clone, Debug, Serialize)]
pub struct PipelineReport {
    pub name: String,
    pub story: String,
    pub file: String,
    pub steps: Vec<StepReport>,
    pub lowered: Vec<LoweredReport>,
    pub runs: Vec<DeviceReport>,
    /// Everything came out as expected.
    pub as_expected: bool,
    /// Steps not tried because an earlier one did not come out as expected.
    pub skipped: Vec<String>,
    pub seconds: f64,
}
