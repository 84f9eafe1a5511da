//! Reading sources: the front end's errors as input errors.

use crate::input_error::{ErrorKind, InputError};
use crate::request::{EntryRequest, parse_dim3};
use gridlock_frontend::{FrontendError, HeaderLine, ParseOptions, Parsed};
use std::path::Path;

/// Reads a source file.
///
/// # Errors
/// As [`gridlock_frontend::parse_file`].
pub fn parse(file: &Path, options: &ParseOptions) -> Result<Parsed, InputError> {
    gridlock_frontend::parse_file(file, options).map_err(|e| input_error(e, file))
}

fn input_error(error: FrontendError, file: &Path) -> InputError {
    use gridlock_frontend::ErrorKind as Front;
    let kind = match error.kind {
        Front::File => ErrorKind::File,
        Front::Syntax => ErrorKind::Syntax,
        Front::Unsupported => ErrorKind::Unsupported,
        Front::Clang => ErrorKind::Usage,
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

/// Fills the launch from the header comments (`//--gridDim=… --blockDim=…`, or
/// `// gridlock: grid = …` and `block = …`) where the user gave none.
pub fn launch_from_headers(
    entry: &EntryRequest,
    headers: &[HeaderLine],
) -> Result<EntryRequest, InputError> {
    let mut filled = entry.clone();
    if entry.launch.is_given() {
        return Ok(filled);
    }
    for header in headers {
        let dims = header.value.trim_matches(['[', ']']);
        match header.key.as_str() {
            "gridDim" | "grid" => filled.launch.grid = Some(parse_dim3(dims)?),
            "blockDim" | "block" => filled.launch.block = Some(parse_dim3(dims)?),
            _ => {}
        }
    }
    Ok(filled)
}
