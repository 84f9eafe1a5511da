//! What a pipeline run gives: `steps[]` of the JSON contract, the lowered files, the device runs.

use super::format::PipelineFile;
use gridlock_checker::cost::Cost;
use gridlock_checker::finding::Statistics;
use gridlock_checker::report::assumption::{self, Assumption};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::not_judged::NotJudged;
use gridlock_checker::report::remark::{self, Remark};
use gridlock_checker::report::statements::Statements;
use gridlock_checker::verdict::{Assurance, Reason, Verdict};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// One step under one profile.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// Name of the step.
    pub name: String,
    /// The step whose program it rewrote.
    pub from: String,
    /// The rule system, as the pipeline file names it.
    pub rules: String,
    /// Name of the profile.
    pub profile: String,
    /// In words: `at least passed`, `refuted (data-race)`.
    pub expected: String,
    /// What came out.
    pub verdict: Verdict,
    /// Why the verdict is `unknown`.
    pub reason: Option<Reason>,
    /// What the verdict covers; `None` where it claims nothing.
    pub assurance: Option<Assurance>,
    /// One sentence.
    pub explanation: String,
    /// What the program was compared with: the last one accepted under this profile.
    pub against: String,
    /// What the verdict takes for granted.
    #[serde(flatten, serialize_with = "assumption::in_report")]
    pub assumptions: Statements<Assumption>,
    /// Remarks that do not weaken the verdict.
    #[serde(flatten, serialize_with = "remark::in_report")]
    pub remarks: Statements<Remark>,
    /// What of either program was not judged.
    pub not_judged: Statements<NotJudged>,
    /// What refutes, each replayed.
    pub defects: Vec<Defect>,
    /// States explored, transitions and runs made, both sides together.
    pub statistics: Statistics,
    /// It came out as expected.
    pub agrees: bool,
    /// Wall-clock time.
    pub seconds: f64,
    /// Where each rule was applied, in words: only with the first profile of a step.
    pub applied: Vec<String>,
    /// Unified diff of the printed programs: only with the first profile of a step.
    pub diff: String,
}

/// A lowered text and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct LoweredReport {
    /// Name of the target language.
    pub target: String,
    /// Name of the step whose program it is.
    pub step: String,
    /// The whole text.
    #[serde(skip)]
    pub text: String,
    /// Lines of the text.
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
    /// Name of the device; of its kind where it could not be run; or the compiler with the
    /// architecture it compiles for.
    pub device: String,
    /// Name of the case, or of the target that the compiler refused.
    pub case: String,
    /// Cells compared with the interpreter.
    pub cells: u64,
    /// No cell differs.
    pub agree: bool,
    /// What differs, or why it could not be run.
    pub message: String,
}

/// What came of comparing a run on a device with the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// No cell differs.
    Agree,
    /// Some cell differs.
    Differ,
    /// It could not be compiled or run.
    Nothing,
}

impl DeviceReport {
    /// See [`Compared`].
    pub fn compared(&self) -> Compared {
        match (self.agree, self.cells) {
            (true, _) => Compared::Agree,
            (false, 0) => Compared::Nothing,
            (false, _) => Compared::Differ,
        }
    }
}

/// A device the pipeline names that nothing was run on.
#[derive(Clone, Debug, Serialize)]
pub struct NotRun {
    /// Name of the kind of device.
    pub device: String,
    /// Without a full stop.
    pub reason: String,
}

/// What a search for better programs came to.
#[derive(Clone, Debug, Serialize)]
pub struct SearchReport {
    /// The step whose program it starts from.
    pub from: String,
    /// Name of the profile.
    pub profile: String,
    /// Rewritings in a sequence, at most.
    pub depth: u32,
    /// What the program it starts from costs; `None` where one run was not followed to its end.
    pub cost: Option<Costs>,
    /// Programs judged, by what came out.
    pub accepted: u64,
    /// See [`SearchReport::accepted`].
    pub refuted: u64,
    /// See [`SearchReport::accepted`].
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
    /// Names of the rewritings, in order.
    pub steps: Vec<String>,
    /// The weakest of its rewritings.
    pub verdict: Verdict,
    /// The weakest of its rewritings'; `None` where nothing is claimed.
    pub assurance: Option<Assurance>,
    /// Of all its rewritings.
    #[serde(flatten, serialize_with = "assumption::in_report")]
    pub assumptions: Statements<Assumption>,
    /// What the program costs; `None` where one run was not followed to its end.
    pub cost: Option<Costs>,
    /// Where it was written, with `--out`.
    pub file: Option<PathBuf>,
}

/// Counts of one run of each case, and their sum by weight.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Costs {
    /// Sums over the cases.
    #[serde(flatten)]
    pub counts: Cost,
    /// The counts by weight, in accesses of one thread to global memory.
    pub total: u64,
}

/// What became of a pipeline.
#[derive(Clone, Debug, Serialize)]
pub struct PipelineReport {
    /// Of the pipeline.
    pub name: String,
    /// What the pipeline file says it is for.
    pub story: String,
    /// The pipeline file, as the user named it.
    pub file: String,
    /// Each step under each profile, in order.
    pub steps: Vec<StepReport>,
    /// The search after the steps, where there is one.
    pub search: Option<SearchReport>,
    /// The texts lowered.
    pub lowered: Vec<LoweredReport>,
    /// The runs on devices.
    pub runs: Vec<DeviceReport>,
    /// Devices on which nothing was run.
    pub not_run: Vec<NotRun>,
    /// Everything came out as expected.
    pub as_expected: bool,
    /// Steps not tried because an earlier one did not come out as expected.
    pub skipped: Vec<String>,
    /// Wall-clock time.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A compiler that is not there is no difference.
    #[test]
    fn what_could_not_be_run_does_not_differ() {
        let run = |cells, agree| DeviceReport {
            device: String::new(),
            case: String::new(),
            cells,
            agree,
            message: String::new(),
        };
        assert_eq!(run(0, false).compared(), Compared::Nothing);
        assert_eq!(run(9, false).compared(), Compared::Differ);
        assert_eq!(run(9, true).compared(), Compared::Agree);
    }
}
