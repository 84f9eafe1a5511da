//! Reading a file: as often as it takes, with fewer headers, without what is wrong in it, with instances that are chosen.

mod attempts;
mod chosen;

use self::attempts::File;
use self::chosen::with_instances;
use crate::assumed::{Assumed, Assumption};
use crate::clang::known::Known;
use crate::error::{ErrorKind, FrontendError};
use crate::header_comment::header_lines;
use crate::parsed::Parsed;
use crate::request::{Language, MAX_RECURSION, ParseOptions};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::ProcKind;
use std::path::Path;
use std::rc::Rc;

/// Stack of the thread that reads and walks the tree, in bytes; only what is touched costs
/// memory.
const STACK: usize = 512 << 20;

/// Runs the whole front end on a thread whose stack holds the deepest tree accepted.
pub(crate) fn on_a_roomy_stack(
    path: &Path,
    shown: &str,
    text: &str,
    language: Language,
    options: &ParseOptions,
) -> Result<Parsed, FrontendError> {
    let headers = header_lines(text);
    let mut options = options.clone();
    for header in headers.iter().filter(|h| h.key == "include") {
        let folder = path.parent().unwrap_or(Path::new(""));
        let named = header
            .value
            .replace("${KERNEL_DIR}", &folder.display().to_string());
        // From the folder of the file, as that tool's tester has it.
        options.include_dirs.push(match named == header.value {
            true => folder.join(named),
            false => named.into(),
        });
    }
    let mut defined = Vec::new();
    for header in headers.iter().filter(|h| h.key == "define") {
        let (name, value) = match header.value.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (header.value.as_str(), None),
        };
        // The caller's definitions take precedence.
        if options.defines.iter().all(|(known, _)| known != name) {
            options.defines.push((name.to_string(), value));
            defined.push(header.value.clone());
        }
    }
    for header in headers.iter().filter(|h| h.key == "instantiate") {
        options.instantiate.push(header.value.clone());
    }
    let standard = headers.iter().find(|h| h.key == "std");
    if let (None, Some(header)) = (&options.standard, standard) {
        options.standard = Some(header.value.clone());
    }
    let argv = headers.iter().find(|h| h.key == "argv");
    if let (true, Some(header)) = (options.argv.is_empty(), argv) {
        options.argv = header.value.split_whitespace().map(str::to_owned).collect();
    }
    let recursion = headers.iter().find(|h| h.key == "recursion");
    if let (None, Some(header)) = (options.recursion, recursion) {
        let depth = header.value.parse().ok();
        let depth = depth.filter(|depth| (1..=MAX_RECURSION).contains(depth));
        let message = format!("`recursion`: a number from 1 to {}", MAX_RECURSION);
        let error = FrontendError::new(ErrorKind::Syntax, message).at(shown, header.line, 1);
        options.recursion = Some(depth.ok_or(error)?);
    }
    let internal = |message: &str| FrontendError::new(ErrorKind::Internal, message);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("front end".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || {
                let file = File {
                    path,
                    text,
                    shown,
                    language,
                    headers: &headers,
                    known: Rc::new(Known::new(text, &options)),
                };
                let mut reading = file.read_as_far_as_it_goes(&options)?;
                if options.choose_instances && !reading.open.is_empty() {
                    reading = with_instances(&file, reading, &options);
                }
                Ok(file.finished(reading))
            })
            .map_err(|error| internal(&format!("cannot start a thread: {error}")))?;
        match thread.join() {
            Ok(result) => result.map(|parsed| with_definitions(parsed, &defined)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The definitions of the header comment apply to every kernel, and reports say so.
fn with_definitions(mut parsed: Parsed, defined: &[String]) -> Parsed {
    let kernels: Vec<ProcId> = parsed.program.procs_of_kind(ProcKind::Kernel).collect();
    for proc in kernels {
        parsed
            .assumptions
            .extend(defined.iter().map(|given| Assumption {
                proc,
                assumed: Assumed::HeaderDefinition(given.clone()),
            }));
    }
    parsed
}
