//! `gridlock offload`: the loops of a C program that are worth it become kernels, each by rules of the library that
//! are judged step by step; what comes out is a pipeline, which is run as any other.

mod cases;
mod loops;
mod plan;
pub mod report;
mod ways;
mod written;

use super::PipelineOptions;
use super::format::{Lower, PipelineFile};
use super::oracle::RememberingOracle;
use crate::input::error::InputError;
use crate::input::request::{EntryRequest, Request};
use crate::subject::entries::single_entry;
use gridlock_frontend::Parsed;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::profile::Profile;
use plan::Planner;
use report::OffloadReport;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use ways::Blocks;

/// What is to be offloaded, and how.
#[derive(Clone, Debug)]
pub struct Asked {
    /// C, or CUDA C++ with sequential host code.
    pub file: PathBuf,
    /// The function that is judged, loops of what it calls are looked at, too; the only one that there is where `None`.
    pub entry: Option<String>,
    /// Definitions of macros.
    pub define: Vec<String>,
    /// Given values of scalar parameters.
    pub args: BTreeMap<String, String>,
    /// Given extents of arrays.
    pub extents: BTreeMap<String, String>,
    /// Name of the profile.
    pub profile: String,
    /// Threads of a block in what is written.
    pub block: u32,
    /// Loops with less than this share of a run's steps are left alone.
    pub least_share: f64,
    /// The theory that sums of floats are compared modulo.
    pub modulo: Option<String>,
    /// What the program prints is not observed.
    pub ignore_output: bool,
    /// What is written.
    pub targets: Vec<String>,
    /// Architectures that nvcc compiles it for.
    pub nvcc: Vec<String>,
    /// Devices it is run on.
    pub run: Vec<String>,
}

/// The host function that is meant.
fn entry(asked: &Asked, parsed: &Parsed) -> Result<String, InputError> {
    let shown = asked.file.display().to_string();
    let request = EntryRequest {
        entry: asked.entry.clone(),
        ..EntryRequest::default()
    };
    let chosen = parsed.program.proc(single_entry(&shown, parsed, &request)?);
    match chosen.kind {
        ProcKind::Host => Ok(chosen.name.to_string()),
        _ => Err(InputError::usage(format!(
            "`{}` is device code: loops of host functions are offloaded (-k NAME)",
            chosen.name
        ))
        .in_file(shown)),
    }
}

/// Offloads the loops of a program.
///
/// # Errors
/// Bad input: the source, names that it has not, values that are none; results that cannot be written.
pub fn offload(
    asked: &Asked,
    options: &PipelineOptions,
    told: &mut dyn FnMut(&str),
) -> Result<OffloadReport, InputError> {
    let profile: Profile = crate::input::profiles::find(&asked.profile)?;
    let request = Request {
        limits: options.limits,
        until: options.until,
        symbolic: true,
        profile,
        ..Request::default()
    };
    let folder = asked.file.parent().unwrap_or(Path::new(""));
    let name = asked.file.file_name().map(PathBuf::from);
    let mut file = PipelineFile::of(name.unwrap_or_default(), asked.define.clone());
    file.ignore_output = asked.ignore_output;
    let parsed = super::parsed(&file, folder, &options.limits)?;
    file.entry = entry(asked, &parsed)?;
    file.name.clone_from(&file.entry);
    let (source, _) = super::source_of(parsed, &file, folder)?;
    let chosen = cases::cases(&source, &asked.args, &asked.extents, &request)?;
    file.cases = chosen.cases;
    let program = &source.prepared.surface;
    let start = program.find_proc(&file.entry);
    let all = start.map_or(Vec::new(), |entry| loops::loops(program, entry));
    let mut planner = Planner {
        file: &file,
        folder,
        request: &request,
        profile: &asked.profile,
        modulo: asked.modulo.as_deref(),
        least_share: asked.least_share,
        counts: &chosen.counts,
        loops: &all,
        stages: vec![source],
        planned: Vec::new(),
        judged: Vec::new(),
        oracle: RememberingOracle::default(),
        told,
    };
    let loops = planner.plan()?;
    let blocks = Blocks::of(asked.block);
    let planned = planner.planned.iter();
    let steps = planned
        .map(|planned| planner.step(planned, blocks))
        .collect();
    let mut report = OffloadReport {
        file: asked.file.display().to_string(),
        entry: file.entry.clone(),
        cases: file.cases.iter().map(cases::described).collect(),
        cases_left_out: chosen.left_out,
        steps_counted: chosen.counts.iter().map(|run| run.steps).sum(),
        loops,
        in_small_blocks: planner.judged,
        pipeline: None,
    };
    file.steps = steps;
    if report.n_offloaded() == 0 {
        return Ok(report);
    }
    file.lower = vec![Lower {
        step: None,
        targets: asked.targets.clone(),
        nvcc: asked.nvcc.clone(),
        run: asked.run.clone(),
    }];
    let judged = super::run(&file, &asked.file, options, &mut |step| told(&step.name))?;
    if let Some(out) = options.write.as_deref().filter(|_| judged.as_expected) {
        let text = written::text(&file, &asked.file, out)?;
        let name = format!("{}.toml", super::step::slug(&file.name));
        options.inputs.write_in(out, &[(&name, text.as_bytes())])?;
    }
    report.pipeline = Some(judged);
    Ok(report)
}
