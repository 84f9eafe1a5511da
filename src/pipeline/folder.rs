//! The folder of results: of each step its program, what it changed, its verdict under each profile and
//! the witnesses; at the end the whole report.

use super::Stage;
use super::report::StepReport;
use super::step::slug;
use crate::input_error::{ErrorKind, InputError};
use crate::whole_file;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Writes a text as a file of the folder, which is made where it is not there.
///
/// # Errors
/// The folder or the file cannot be written.
pub(super) fn write(out: &Path, name: &str, text: &str) -> Result<PathBuf, InputError> {
    std::fs::create_dir_all(out).map_err(|error| {
        InputError::new(ErrorKind::File, format!("cannot write: {error}"))
            .in_file(out.display().to_string())
    })?;
    let path = out.join(name);
    whole_file::write(&path, text)?;
    Ok(path)
}

fn write_json(out: &Path, name: &str, value: &impl Serialize) -> Result<PathBuf, InputError> {
    let text = serde_json::to_string_pretty(value).map_err(|error| {
        InputError::new(ErrorKind::Internal, format!("cannot be written: {error}"))
    })?;
    write(out, name, &(text + "\n"))
}

/// A program in the algebra's notation, which every command reads again.
pub(super) fn write_program(out: &Path, name: &str, stage: &Stage) -> Result<PathBuf, InputError> {
    let text = gridlock_frontend::scheme::print_with_head(&stage.prepared.surface);
    write(out, &format!("{name}.scheme"), &text)
}

/// What a step made, numbered in the order of the steps: its program and how it differs.
pub(super) fn write_step(
    out: &Path,
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

/// The verdict of a step under a profile, and a witness of each defect: `STEP-PROFILE-1.json`, …
pub(super) fn write_verdict(
    out: &Path,
    number: usize,
    report: &StepReport,
) -> Result<(), InputError> {
    let name = format!("{}-{}", slug(&report.name), report.profile);
    write_json(out, &format!("{number:02}-{name}.verdict.json"), report)?;
    let witnesses = report.defects.iter().filter_map(|d| d.witness.as_ref());
    for (count, witness) in witnesses.enumerate() {
        write_json(out, &format!("{name}-{}.json", count + 1), witness)?;
    }
    Ok(())
}
