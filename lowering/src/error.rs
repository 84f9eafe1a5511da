//! Why a program cannot be lowered.

use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;

/// Something in the program that the target language has no honest spelling for, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: not supported by the target {target}: {message}")]
pub struct LoweringError {
    /// `cuda`, `opencl`, `host`, or the name of a pattern file.
    pub target: String,
    /// As the user named the file; empty when the operator stands in no source text.
    pub file: String,
    /// From 1; 0 when unknown.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
    /// What has no spelling, one phrase.
    pub message: String,
}

impl LoweringError {
    pub(crate) fn at(
        target: &str,
        program: &Program,
        span: Span,
        message: impl Into<String>,
    ) -> LoweringError {
        LoweringError {
            target: target.to_owned(),
            file: program.file_name(span).to_owned(),
            line: span.line,
            column: span.column,
            message: message.into(),
        }
    }
}
