//! What is wrong with a scheme, and where.

use gridlock_semantics::algebra::span::Span;

/// What is wrong with a scheme, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub span: Span,
    pub message: String,
}

pub type Reading<T> = Result<T, Problem>;

impl Problem {
    /// The error that stops the reading.
    pub fn at<T>(span: Span, message: impl Into<String>) -> Reading<T> {
        let message = message.into();
        Err(Problem { span, message })
    }
}
