//! From host code over another interface back to a program: lifted by the target's patterns, put
//! together with its kernels, read by the front end.

use crate::input::error::{ErrorKind, InputError};
use crate::input::source;
use gridlock_boundary::input;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_lowering::cuda::{self, CudaOptions};
use gridlock_lowering::error::LoweringError;
use gridlock_lowering::patterns::{
    self, KernelSignature, Kernels, PatternError, PatternFile, runtime_prologue,
};
use gridlock_semantics::algebra::program::Program;
use std::path::{Path, PathBuf};

/// A target that comes with the tool, by its name.
///
/// # Errors
/// There is none of that name.
pub fn built_in(name: &str) -> Result<PatternFile, InputError> {
    patterns::built_in(name).cloned().map_err(of_patterns)
}

/// The target that a file describes.
///
/// # Errors
/// The file cannot be read, or is no pattern file; with its place.
pub fn read_patterns(path: &Path) -> Result<PatternFile, InputError> {
    let text = read(path)?;
    PatternFile::read(&path.display().to_string(), &text).map_err(of_patterns)
}

fn of_patterns(error: PatternError) -> InputError {
    if error.file.is_empty() {
        return InputError::usage(error.message);
    }
    InputError::new(ErrorKind::Syntax, error.message)
        .in_file(error.file)
        .at(error.line, error.column)
}

fn read(path: &Path) -> Result<String, InputError> {
    input::read_text(path).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot read: {e}"))
            .in_file(path.display().to_string())
    })
}

/// What a target cannot say is an error of input with its place.
pub fn refused(error: LoweringError) -> InputError {
    let message = format!(
        "not supported by the target {}: {}",
        error.target, error.message
    );
    let located = InputError::new(ErrorKind::Unsupported, message);
    match (error.file.is_empty(), error.line) {
        (true, _) => located,
        (false, 0) => located.in_file(error.file),
        (false, line) => located.in_file(error.file).at(line, error.column),
    }
}

/// Reads host code of a target as a program. `kernels`: their file; without it the one beside the
/// host's, of the same name and the extension the target has for kernels.
///
/// # Errors
/// A file that cannot be read; text the patterns do not explain; kernels or lifted text the front
/// end refuses. Places are those of the file concerned; of lifted text, those in it, which is
/// called `FILE (lifted)`.
pub fn lift(
    file: &Path,
    kernels: Option<&Path>,
    patterns: &PatternFile,
    options: &ParseOptions,
) -> Result<Program, InputError> {
    let text = read(file)?;
    let beside = |extension: &str| -> PathBuf {
        kernels.map_or_else(|| file.with_extension(extension), Path::to_owned)
    };
    let (kernel_text, signatures) = match &patterns.kernels {
        // Their texts pass through with the host's.
        Kernels::SameFile => (String::new(), Vec::new()),
        Kernels::Cuda { source, .. } => {
            let path = beside(source);
            let signatures = KernelSignature::all(&program(&path, options)?);
            (read(&path)?, signatures)
        }
        Kernels::OpenCl { source } => {
            let program = program(&beside(source), options)?;
            let lowered = cuda::kernels(&program, &CudaOptions::default()).map_err(refused)?;
            (lowered.text, KernelSignature::all(&program))
        }
    };
    let host = patterns::lift(patterns, &text, &signatures).map_err(|e| {
        let error = InputError::new(ErrorKind::Unsupported, format!("not lifted: {}", e.message))
            .in_file(file.display().to_string());
        match e.line {
            0 => error,
            line => error.at(line, e.column),
        }
    })?;
    let whole = format!("{}\n{kernel_text}\n{host}\n", runtime_prologue());
    let name = format!("{} (lifted)", file.display());
    let parsed = parse_source(&name, &whole, Language::Cuda, options)
        .map_err(|e| source::input_error(e, Path::new(&name)))?;
    whole_program(parsed)
}

fn program(path: &Path, options: &ParseOptions) -> Result<Program, InputError> {
    whole_program(source::parse(path, options)?)
}

/// A program of which nothing is left out.
fn whole_program(parsed: gridlock_frontend::Parsed) -> Result<Program, InputError> {
    match parsed.unsupported.into_iter().next() {
        Some(left) => Err(InputError::new(
            ErrorKind::Unsupported,
            format!("not supported: {}", left.message),
        )
        .in_file(left.file)
        .at(left.line, left.column)),
        None => Ok(parsed.program),
    }
}
