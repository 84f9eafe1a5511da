//! The errors that clang reports for a file.

use crate::clang::output::{INSTANCES, Output};
use crate::error::{ErrorKind, FrontendError};
use crate::request::ParseOptions;
use std::path::Path;

/// One of clang's errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The file, as clang names it.
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// clang's errors, if each has a place in a file and none is about how templates are instantiated on request.
pub(super) fn complaints(output: &Output) -> Option<Vec<Complaint>> {
    // If some errors are missing here, the parts of the tree that they made clang drop are not known.
    if !output.said_all || output.crashed() {
        return None;
    }
    let text = String::from_utf8_lossy(&output.said);
    let mut found = Vec::new();
    for line in text.lines() {
        if line.contains(": fatal error: ") || line.starts_with("error: ") {
            return None;
        }
        let Some((place, message)) = line.split_once(": error: ") else {
            continue;
        };
        let mut parts = place.rsplitn(3, ':');
        let (column, line) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let file = parts.next()?.to_string();
        if file.ends_with(INSTANCES) {
            return None;
        }
        let message = in_words(message);
        found.push(Complaint {
            file,
            line,
            column,
            message,
        });
    }
    (!found.is_empty()).then_some(found)
}

/// clang's message, or what it means where that says more: a launch in device code is an error to it, and no mistake in
/// CUDA.
fn in_words(message: &str) -> String {
    let launched = message
        .strip_prefix("reference to __global__ function '")
        .and_then(|rest| rest.split_once('\''));
    match launched {
        Some((kernel, rest)) if !rest.contains("__host__ function") => {
            format!("a launch of `{kernel}` in device code (dynamic parallelism) is not supported")
        }
        _ => message.to_string(),
    }
}

/// The beginning of clang's messages about an instance.
fn about(instance: &str) -> String {
    format!("--instantiate '{instance}': ")
}

/// The message of an error about a requested instance; `None` if the error is about something else.
pub(crate) fn of_instance<'e>(error: &'e FrontendError, instance: &str) -> Option<&'e str> {
    error.message.strip_prefix(&about(instance))
}

/// clang's first error, with the file that it names.
pub(super) fn first_diagnostic(
    output: &Output,
    path: &Path,
    shown: &str,
    options: &ParseOptions,
) -> FrontendError {
    let text = String::from_utf8_lossy(&output.said);
    if output.crashed() {
        let message = "clang crashes on this file";
        return FrontendError::new(ErrorKind::Clang, message).at(shown, 0, 0);
    }
    let path = path.to_string_lossy();
    for line in text.lines() {
        let Some((place, message)) = line
            .split_once(": error: ")
            .or_else(|| line.split_once(": fatal error: "))
        else {
            continue;
        };
        let mut parts = place.rsplitn(3, ':');
        let (column, row, file) = (parts.next(), parts.next(), parts.next());
        if let (Some(Ok(column)), Some(Ok(row)), Some(file)) =
            (column.map(str::parse), row.map(str::parse::<u32>), file)
        {
            let instance = options.instantiate.get(row.wrapping_sub(2) as usize);
            if let (true, Some(instance)) = (file.ends_with(INSTANCES), instance) {
                let message = format!("{}{message}", about(instance));
                return FrontendError::new(ErrorKind::Syntax, message).at(shown, 0, 0);
            }
            let file = if file == path { shown } else { file };
            return FrontendError::new(ErrorKind::Syntax, in_words(message)).at(file, row, column);
        }
        if place.starts_with("clang") || place.starts_with("error") {
            break;
        }
    }
    let first = text.lines().next().unwrap_or("no message");
    // A standard that clang does not know, or not for this language, is the user's mistake and not clang's.
    if let (Some(standard), true) = (&options.standard, first.contains("'-std=")) {
        let said = first.trim_start_matches("error: ");
        let message = format!("--std `{standard}`: clang says: {said}");
        return FrontendError::new(ErrorKind::Options, message);
    }
    FrontendError::new(ErrorKind::Clang, format!("clang failed: {first}"))
}
