//! Why a procedure is not supported.

use gridlock_semantics::algebra::span::Span;

/// Why a procedure is not supported, and where.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub span: Span,
    pub message: String,
    /// The root cause, if the message is about another procedure that is refused.
    pub cause: Option<String>,
}

pub(crate) type Result<T> = std::result::Result<T, Refusal>;
