//! Pipelines: apply, check, apply, check, lower, run. Each step rewrites a program by rules and
//! is judged against the last program accepted under the profile.

mod folder;
pub mod format;
pub mod gpu_cases;
pub mod lifting;
mod lower;
pub mod offload;
mod options;
pub mod oracle;
pub mod report;
pub mod rewriting;
mod search;
mod stage;
mod step;

pub use options::PipelineOptions;

use crate::input::error::InputError;
use crate::input::request::Request;
use crate::input::whole_file::Inputs;
use crate::subject::prepared::Prepared;
use crate::subject::printed::not_compared;
use crate::subject::taken::TakenForGranted;
use format::PipelineFile;
use gridlock_checker::limits::Limits;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::not_judged::NotJudged;
use gridlock_checker::report::statements::Statements;
use gridlock_frontend::{ParseOptions, Parsed};
use report::{PipelineReport, SearchReport, StepReport};
use stage::Stage;
use std::path::Path;
use std::time::Instant;

/// Runs a pipeline.
///
/// # Errors
/// Bad input: the pipeline file, the source, a rule file, names that do not resolve.
pub fn verify(path: &Path, options: &PipelineOptions) -> Result<PipelineReport, InputError> {
    verify_with(path, options, &mut |_| {})
}

/// Runs a pipeline and tells of each step as soon as it is judged.
///
/// # Errors
/// As [`verify`].
pub fn verify_with(
    path: &Path,
    options: &PipelineOptions,
    progress: &mut dyn FnMut(&StepReport),
) -> Result<PipelineReport, InputError> {
    run(&PipelineFile::load(path)?, path, options, progress)
}

/// Runs a pipeline that stands, or is taken to stand, at `path`.
///
/// # Errors
/// As [`verify`].
fn run(
    file: &PipelineFile,
    path: &Path,
    options: &PipelineOptions,
    progress: &mut dyn FnMut(&StepReport),
) -> Result<PipelineReport, InputError> {
    let started = Instant::now();
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let (source, taken) = source_stage(file, &folder, &options.limits)?;
    let mut options = options.clone();
    add_inputs(&mut options.inputs, path, file, &source);
    if let Some(path) = &options.also_writes {
        options.inputs.refuse(path)?;
    }
    let options = &options;
    let mut stages = vec![source];
    let mut report = PipelineReport {
        as_expected: true,
        ..PipelineReport::begun(file, path)
    };
    let request = Request {
        limits: options.limits,
        until: options.until,
        symbolic: true,
        ..Request::default()
    };
    if let Some(out) = options.results() {
        folder::write_step(out, 0, &stages[0], "")?;
    }
    for (index, step) in file.steps.iter().enumerate() {
        if !report.as_expected && !options.keep_going {
            report.skipped = file.steps[index..].iter().map(|s| s.name.clone()).collect();
            break;
        }
        let from = match &step.from {
            None => stages.len() - 1,
            Some(name) => stages.iter().position(|s| s.name == *name).unwrap_or(0),
        };
        let derived = step::derive(step, &stages[from], &folder)?;
        let mut stage = derived.stage;
        stage.from = Some(from);
        stages.push(stage);
        let new = stages.len() - 1;
        if let Some(out) = options.results() {
            folder::write_step(out, index + 1, &stages[new], &derived.diff)?;
            folder::write_derivation(out, (from, index + 1), &stages[from], step, &folder)?;
        }
        for (position, expect) in step.expectations.iter().enumerate() {
            let judged = step::judge(file, step, &stages, new, expect, &request)?;
            let mut judged = judged;
            let mut assumptions = taken.clone();
            assumptions.extend(
                derived
                    .assumptions
                    .iter()
                    .chain(&judged.assumptions)
                    .cloned(),
            );
            judged.assumptions = assumptions;
            if position == 0 {
                judged.applied = derived.applied.clone();
                judged.diff = derived.diff.clone();
            }
            if step::is_accepted(judged.verdict) {
                stages[new].accepted.push(expect.profile.clone());
            }
            report.as_expected &= judged.agrees;
            if let Some(out) = options.results() {
                folder::write_verdict(out, index + 1, &judged)?;
            }
            progress(&judged);
            report.steps.push(judged);
        }
    }
    let goes_on = report.as_expected || options.keep_going;
    let mut best = None;
    if let Some(asked) = file.search.as_ref().filter(|_| goes_on) {
        let (found, stage) =
            search::search(file, asked, &mut stages, &request, (options, &folder))?;
        report.as_expected &= !asked.expect_better || is_better(&found);
        report.search = Some(found);
        best = stage;
    }
    if report.as_expected || options.keep_going {
        for lowering in &file.lower {
            lower::lower(file, lowering, (&stages, best), options, &mut report)?;
        }
        lower::write(options, &mut report)?;
    }
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// What a pipeline reads: itself, its source with all that includes, rules and profiles.
fn add_inputs(inputs: &mut Inputs, path: &Path, file: &PipelineFile, source: &Stage) {
    inputs.add([path]);
    let folder = path.parent().unwrap_or(Path::new(""));
    let sources = source.prepared.surface.files.iter();
    inputs.add(sources.map(|source| Path::new(&*source.name)));
    let moves = file.search.iter().flat_map(|search| &search.moves);
    let rewritings = file.steps.iter().map(|step| &step.rewriting);
    for rewriting in rewritings.chain(moves.map(|way| &way.rewriting)) {
        inputs.add([folder.join(&rewriting.rules).as_path()]);
    }
    let expectations = file.steps.iter().flat_map(|step| &step.expectations);
    inputs.add(expectations.map(|expect| Path::new(&expect.profile)));
}

/// Whether the best that was found costs less than what the search started from.
fn is_better(found: &SearchReport) -> bool {
    let best = found.found.first().and_then(|best| best.cost);
    match (best, found.cost) {
        (Some(best), Some(start)) => best.total < start.total,
        _ => false,
    }
}

/// The program as it stands in the file, what was taken for granted of functions the file does not define, and what is
/// not compared of its output.
fn source_stage(
    file: &PipelineFile,
    folder: &Path,
    limits: &Limits,
) -> Result<(Stage, Statements<Assumption>), InputError> {
    source_of(parsed(file, folder, limits)?, file, folder)
}

/// The source file, read.
fn parsed(file: &PipelineFile, folder: &Path, limits: &Limits) -> Result<Parsed, InputError> {
    let parse = ParseOptions {
        limits: crate::input::source::read_limits(limits),
        defines: file
            .define
            .iter()
            .map(|d| match d.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (d.clone(), None),
            })
            .collect(),
        ..ParseOptions::default()
    };
    crate::input::source::parse(&folder.join(&file.source), &parse)
}

fn source_of(
    parsed: Parsed,
    file: &PipelineFile,
    folder: &Path,
) -> Result<(Stage, Statements<Assumption>), InputError> {
    let Some(entry) = parsed.program.find_proc(&file.entry) else {
        let lost = parsed.unsupported.iter().find(|u| u.proc == file.entry);
        return Err(match lost {
            Some(lost) => crate::input::source::unsupported_error(lost),
            None => InputError::usage(format!("no kernel or function `{}`", file.entry))
                .in_file(folder.join(&file.source).display().to_string()),
        });
    };
    let taken = TakenForGranted::of(&parsed);
    let not_judged = not_compared(&parsed, entry).map(|gap| NotJudged {
        subject: 0,
        gap,
        place: None,
    });
    let prepared = Prepared::new(parsed.program);
    let mut assumptions = Statements::default();
    taken.note(&prepared.surface, &[entry], &mut assumptions);
    let source = Stage {
        name: "source".to_owned(),
        from: None,
        entry: file.entry.clone(),
        prepared,
        launch: None,
        observe: Vec::new(),
        cases: None,
        accepted: Vec::new(),
        not_judged,
    };
    Ok((source, assumptions))
}
