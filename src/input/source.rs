//! Reading sources: the front end's errors as input errors.

use crate::input::error::{ErrorKind, InputError, Unread};
use crate::input::request::{EntryRequest, parse_dim3};
use gridlock_checker::limits::Limits;
use gridlock_frontend::{FrontendError, Language, ParseOptions, Parsed, ReadLimits, Unsupported};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::setup::Dim3;
use std::path::Path;

/// Reads a source file.
///
/// # Errors
/// As [`gridlock_frontend::parse_file`].
pub fn parse(file: &Path, options: &ParseOptions) -> Result<Parsed, InputError> {
    tracing::info!(target: "stage", "reading {}", file.display());
    gridlock_frontend::parse_file(file, options).map_err(|e| input_error(e, file))
}

/// Reads a source that is in memory, under a name for messages. Files that it includes by a relative name are looked
/// for in the working directory.
///
/// # Errors
/// As [`gridlock_frontend::parse_source`].
pub fn parse_text(
    name: &str,
    text: &str,
    language: Language,
    options: &ParseOptions,
) -> Result<Parsed, InputError> {
    let mut options = options.clone();
    options.include_dirs.insert(0, ".".into());
    gridlock_frontend::parse_source(name, text, language, &options)
        .map_err(|e| input_error(e, Path::new(name)))
}

/// What clang may take where a command has limits: of the time all of it, but enough to start a compiler, and of the
/// memory a part.
pub fn read_limits(limits: &Limits) -> ReadLimits {
    ReadLimits {
        seconds: limits.seconds.max(ReadLimits::LEAST.seconds),
        bytes: (limits.bytes / 4).max(ReadLimits::LEAST.bytes),
    }
}

/// An error of the front end as one of input.
pub fn input_error(error: FrontendError, file: &Path) -> InputError {
    use gridlock_frontend::ErrorKind as Front;
    let kind = match error.kind {
        Front::File => ErrorKind::File,
        Front::Syntax => ErrorKind::Syntax,
        Front::Unsupported => ErrorKind::Unsupported,
        Front::Clang | Front::Options => ErrorKind::Usage,
        Front::Limit => ErrorKind::Limit,
        Front::Internal => ErrorKind::Internal,
    };
    let message = match error.kind {
        Front::Unsupported => format!("not supported: {}", error.message),
        _ => error.message,
    };
    let shown = if error.file.is_empty() {
        file.display().to_string()
    } else {
        error.file
    };
    let located = InputError::new(kind, message).in_file(shown);
    if error.line > 0 {
        located.at(error.line, error.column)
    } else {
        located
    }
}

/// Fills the launch from the header comments (`//--gridDim=… --blockDim=…`, OpenCL's
/// `//--local_size=… --num_groups=…` or `--global_size=…`, or
/// `// gridlock: grid = …` and `block = …`) where the user gave none.
pub fn launch_from_headers(
    entry: &EntryRequest,
    parsed: &Parsed,
) -> Result<EntryRequest, InputError> {
    let mut filled = entry.clone();
    filled.layouts = parsed.layouts.clone();
    filled.asked = parsed.asked.clone();
    if entry.launch.is_given() {
        return Ok(filled);
    }
    filled.launches = parsed.launches.clone();
    filled.other_launches = parsed.other_launches.clone();
    let mut work_items = None;
    for header in &parsed.headers {
        let dims = header.value.trim_matches(['[', ']']);
        match header.key.as_str() {
            "gridDim" | "num_groups" | "grid" => filled.launch.grid = Some(parse_dim3(dims)?),
            key @ ("blockDim" | "local_size" | "block") => {
                filled.launch.block = Some(parse_dim3(dims)?);
                filled.has_any_block = key != "block";
            }
            "global_size" => work_items = Some(parse_dim3(dims)?),
            "global_offset" => {
                let message = format!("--global_offset={dims}: launches begin at 0 here");
                let error = InputError::new(ErrorKind::Unsupported, message);
                let file = parsed.program.files.first().map(|f| f.name.to_string());
                return Err(error.in_file(file.unwrap_or_default()).at(header.line, 1));
            }
            "shared-bytes" => filled.launch.shared_bytes = dims.parse().ok(),
            _ => {}
        }
    }
    if let Some(work_items) = work_items {
        filled.launch.grid = Some(work_groups(work_items, filled.launch.block)?);
    }
    Ok(filled)
}

/// How many work-groups make up so many work-items (OpenCL's `global_size`).
///
/// # Errors
/// No whole number of groups.
pub fn work_groups(work_items: Dim3, group: Option<Dim3>) -> Result<Dim3, InputError> {
    let group = group.unwrap_or([1; 3]);
    let mut groups = [1; 3];
    for ((groups, items), size) in groups.iter_mut().zip(work_items).zip(group) {
        if size == 0 || !items.is_multiple_of(size) {
            return Err(InputError::usage(format!(
                "a global size of {items} is no whole number of work-groups of {size}"
            )));
        }
        *groups = items / size;
    }
    Ok(groups)
}

/// A function that the front end could not read, as an input error.
pub(crate) fn unsupported_error(lost: &Unsupported) -> InputError {
    InputError::new(ErrorKind::Unsupported, not_supported(lost))
        .in_file(&*lost.file)
        .at(lost.line, lost.column)
}

fn not_supported(lost: &Unsupported) -> String {
    format!("not supported: {}", lost.message)
}

/// No function of a file could be read: kernels are named first.
pub(crate) fn nothing_read(file: &str, lost: &[Unsupported]) -> InputError {
    let mut lost: Vec<&Unsupported> = lost.iter().collect();
    lost.sort_by_key(|lost| (lost.kind != ProcKind::Kernel, &lost.file, lost.line));
    let Some(first) = lost.first() else {
        let nothing = InputError::new(ErrorKind::Unsupported, NOTHING);
        return nothing.in_file(file);
    };
    let mut error = unsupported_error(first);
    error.unread.extend(lost.iter().map(|lost| Unread {
        function: lost.proc.clone(),
        message: not_supported(lost),
        file: lost.file.clone(),
        line: lost.line,
        column: lost.column,
    }));
    error
}

/// What is said of a file without a kernel and without a function.
pub(crate) const NOTHING: &str = "no kernel and no function in it";
