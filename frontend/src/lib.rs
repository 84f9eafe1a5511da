//! From source text to the algebra: CUDA C++, OpenCL C and C, read through clang's JSON syntax tree,
//! and the algebra's own notation ([`scheme`]).
//!
//! The result is a [`Program`](gridlock_semantics::algebra::program::Program) in surface form. Only the subset of C
//! that has a meaning in the algebra is accepted; every other construct is reported with its place. A construct
//! outside the subset makes the procedure around it and its callers unsupported, not the file.

#![warn(missing_docs)]

mod arithmetic;
mod assumed;
mod body;
mod calls;
mod clang;
mod constant;
mod device;
mod error;
mod expressions;
mod header_comment;
mod host;
mod launches;
mod objects;
mod order;
mod parsed;
mod places;
mod procedure;
mod reading;
mod refusal;
mod request;
pub mod scheme;
mod spans;
mod statements;
mod storage;
mod syntax;
mod translation;
mod types;
mod unit;

pub use assumed::{Assumed, Assumption};
pub use error::{ErrorKind, FrontendError};
pub use header_comment::HeaderLine;
pub use parsed::{HostLaunch, LaunchInput, Layout, Note, Parsed, Unsupported};
pub use request::{DEFAULT_RECURSION, Language, MAX_RECURSION, ParseOptions, ReadLimits};

use gridlock_boundary::input;
use std::path::Path;

/// Reads a source file.
///
/// # Errors
/// [`ErrorKind::File`] when it cannot be read, [`ErrorKind::Syntax`] with clang's first
/// diagnostic, [`ErrorKind::Unsupported`] for a construct at file scope that concerns every
/// procedure, [`ErrorKind::Limit`] when clang takes more than the options allow,
/// [`ErrorKind::Clang`] when there is no clang to run, [`ErrorKind::Options`] when a macro or the
/// standard of the options is malformed, [`ErrorKind::Internal`] when this crate makes a mistake.
pub fn parse_file(path: &Path, options: &ParseOptions) -> Result<Parsed, FrontendError> {
    let shown = path.to_string_lossy().into_owned();
    let bytes = input::read(path).map_err(|error| {
        let error = FrontendError::new(ErrorKind::File, format!("cannot read: {error}"));
        error.at(&shown, 0, 0)
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let by_itself = || Language::of_file(path).map(|language| language.of_header(path, &text));
    let language = match options.language.or_else(by_itself) {
        Some(language) => language,
        None => {
            let message = "not a source file: known are .cu .cuh .cpp .cc .cxx .hpp .hh .hxx .inl .c .h .cl .scheme";
            return Err(FrontendError::new(ErrorKind::File, message).at(&shown, 0, 0));
        }
    };
    if language == Language::Scheme {
        return parse_scheme(&shown, &bytes);
    }
    reading::on_a_roomy_stack(path, &shown, &text, language, options)
}

/// A scheme has no macros and includes no files, so that no option concerns it.
fn parse_scheme(name: &str, text: &[u8]) -> Result<Parsed, FrontendError> {
    let program = scheme::read(name, text)?;
    Ok(Parsed {
        program,
        unsupported: Vec::new(),
        notes: Vec::new(),
        assumptions: Vec::new(),
        fillable: Vec::new(),
        asked: None,
        layouts: Vec::new(),
        launches: Vec::new(),
        other_launches: Default::default(),
        templates: Default::default(),
        same_names: Default::default(),
        headers: header_comment::header_lines(&String::from_utf8_lossy(text)),
    })
}

/// Reads source text that is in memory; `name` stands for the file in spans and messages.
///
/// # Errors
/// As [`parse_file`].
pub fn parse_source(
    name: &str,
    text: &str,
    language: Language,
    options: &ParseOptions,
) -> Result<Parsed, FrontendError> {
    if language == Language::Scheme {
        return parse_scheme(name, text.as_bytes());
    }
    let file_error = |error: std::io::Error| {
        FrontendError::new(
            ErrorKind::File,
            format!("cannot make a temporary file: {error}"),
        )
    };
    let dir = tempfile::Builder::new()
        .prefix("gridlock-source-")
        .tempdir()
        .map_err(file_error)?;
    let path = dir.path().join(match language {
        Language::C => "source.c",
        Language::OpenCl => "source.cl",
        _ => "source.cu",
    });
    std::fs::write(&path, text).map_err(file_error)?;
    reading::on_a_roomy_stack(&path, name, text, language, options)
}
