//! The folder of results: of each step its program, what it changed, its verdict under each profile and
//! the witnesses; at the end the whole report.

use super::format::Step;
use super::report::StepReport;
use super::stage::{Stage, texts};
use super::step::slug;
use crate::input::error::{ErrorKind, InputError};
use crate::input::whole_file::{Inputs, file_part};
use crate::pipeline::rewriting::{self, rule_system};
use crate::words::rewriting_steps;
use crate::words::style::Style;
use gridlock_transforms::rewriting::record::{self, Manner};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A folder results are written into, and what must not be lost by that.
#[derive(Clone, Copy)]
pub(super) struct Results<'a> {
    pub folder: &'a Path,
    pub inputs: &'a Inputs,
}

/// Writes a text as a file of the folder, which is made where it is not there.
///
/// # Errors
/// The folder or the file cannot be written, or is read by the pipeline.
pub(super) fn write(out: Results<'_>, name: &str, text: &str) -> Result<PathBuf, InputError> {
    let mut written = out
        .inputs
        .write_in(out.folder, &[(name, text.as_bytes())])?;
    Ok(written.pop().unwrap_or_else(|| out.folder.join(name)))
}

fn write_json(out: Results<'_>, name: &str, value: &impl Serialize) -> Result<PathBuf, InputError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| {
        InputError::new(ErrorKind::Internal, format!("cannot be written: {error}"))
    })?;
    write(out, name, &(text + "\n"))
}

/// A program in the algebra's notation, which every command reads again.
pub(super) fn write_program(
    out: Results<'_>,
    name: &str,
    stage: &Stage,
) -> Result<PathBuf, InputError> {
    let text = gridlock_frontend::scheme::print_with_head(&stage.prepared.surface);
    write(out, &format!("{name}.scheme"), &text)
}

/// What a step made, numbered in the order of the steps: its program and how it differs.
pub(super) fn write_step(
    out: Results<'_>,
    number: usize,
    stage: &Stage,
    diff: &str,
) -> Result<(), InputError> {
    let name = format!("{number:02}-{}", slug(&stage.name));
    write_program(out, &name, stage)?;
    if !diff.is_empty() {
        write(out, &format!("{name}.diff"), diff)?;
    }
    Ok(())
}

/// How a step came about, as text and for `gridlock rewrite STEP-BEFORE.scheme --replay`. The rules are applied
/// once more, to the program as the folder has it, so that places are those of its text.
///
/// # Errors
/// A file cannot be written; the rules make no program of what is read back.
pub(super) fn write_derivation(
    out: Results<'_>,
    numbers: (usize, usize),
    from: &Stage,
    step: &Step,
    folder: &Path,
) -> Result<(), InputError> {
    let (before, after) = numbers;
    let shown = format!("{before:02}-{}.scheme", slug(&from.name));
    let text = gridlock_frontend::scheme::print_with_head(&from.prepared.surface);
    let Ok(program) = gridlock_frontend::scheme::read(&shown, text.as_bytes()) else {
        return Ok(());
    };
    let system = rule_system(&step.rewriting.rules, folder)?;
    let request = record::Request {
        strategy: step.rewriting.strategy.clone(),
        params: texts(&step.rewriting.params),
        ..record::Request::default()
    };
    let manner = Manner {
        keep_steps: true,
        ..Manner::default()
    };
    let derivation = rewriting::rewrite_in(&program, &system, &request, manner)?;
    let rules = match step.rewriting.rules.ends_with(".rules") {
        true => folder.join(&step.rewriting.rules).display().to_string(),
        false => step.rewriting.rules.clone(),
    };
    let name = format!("{after:02}-{}", slug(&step.name));
    let told = rewriting_steps::text(&program, &derivation, &Style::default());
    write(out, &format!("{name}.steps.txt"), &told)?;
    let steps = &derivation.steps;
    let record = rewriting_steps::record(&rules, &request.params, &program, steps);
    write_json(out, &format!("{name}.steps.json"), &record)?;
    Ok(())
}

/// The verdict of a step under a profile, and a witness of each defect: `STEP-PROFILE-1.json`, …
pub(super) fn write_verdict(
    out: Results<'_>,
    number: usize,
    report: &StepReport,
) -> Result<(), InputError> {
    let name = format!("{}-{}", slug(&report.name), file_part(&report.profile));
    write_json(out, &format!("{number:02}-{name}.verdict.json"), report)?;
    let witnesses = report.defects.iter().filter_map(|d| d.witness.as_ref());
    for (count, witness) in witnesses.enumerate() {
        write_json(out, &format!("{name}-{}.json", count + 1), witness)?;
    }
    Ok(())
}
