//! The errors that clang reports for a file.

use crate::clang::output::{FIRST_REQUEST, INSTANCES, Output};
use crate::error::{ErrorKind, FrontendError};
use crate::request::ParseOptions;
use std::collections::HashSet;
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

/// Whether clang says that something is wrong.
pub(super) fn says_error(said: &[u8]) -> bool {
    let words = b"error: ";
    said.windows(words.len()).any(|part| part == words)
}

/// The requests for instances that clang complains of, by their places among them: each has a line of its own in a file
/// of ours, where the error stands or which a note to it names. `None` if that cannot be told.
pub(super) fn of_requests(output: &Output) -> Option<HashSet<usize>> {
    if !output.said_all || output.crashed() {
        return None;
    }
    let text = String::from_utf8_lossy(&output.said);
    let is_fatal = |line: &str| line.contains(": fatal error: ") || line.starts_with("error: ");
    if text.lines().any(is_fatal) {
        return None;
    }
    let request = |line: &str| {
        let rest = line.split_once(&format!("{INSTANCES}:"))?.1;
        let (row, rest) = rest.split_once(':')?;
        let is_said = rest.contains(": error: ") || rest.contains(": note: ");
        let row: usize = row.parse().ok()?;
        is_said.then(|| row.checked_sub(FIRST_REQUEST))?
    };
    Some(text.lines().filter_map(request).collect())
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
            let instance = options
                .instantiate
                .get((row as usize).wrapping_sub(FIRST_REQUEST));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clang::tree::Compact;

    #[test]
    fn requests_are_told_by_their_lines() {
        let of = |said: &str| {
            of_requests(&Output {
                status: Default::default(),
                tree: Compact::default(),
                said: said.as_bytes().to_vec(),
                said_all: true,
            })
            .map(|found| {
                let mut found: Vec<usize> = found.into_iter().collect();
                found.sort_unstable();
                found
            })
        };
        let said = "In file included from /t/gridlock_instances.cu:1:\n\
            /w/a.cu:3:5: error: static assertion failed\n\
            /t/gridlock_instances.cu:4:40: note: in instantiation of function template specialization 'k<3>'\n\
            /t/gridlock_instances.cu:2:30: error: use of undeclared identifier 'T'\n\
            /w/a.cu:9:1: error: unknown type name 'x'\n";
        assert_eq!(of(said), Some(vec![0, 2]));
        assert_eq!(
            of("/w/a.cu:9:1: error: unknown type name 'x'\n"),
            Some(vec![])
        );
        assert_eq!(of("/w/a.cu:9:1: fatal error: 'x.h' file not found\n"), None);
        assert_eq!(of("error: unable to handle compilation\n"), None);
    }
}
