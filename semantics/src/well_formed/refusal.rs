//! Why and where a program is refused.

use crate::algebra::ids::ProcId;
use crate::algebra::program::{Procedure, Program};
use crate::algebra::span::Span;
use std::fmt;

/// One reason why a program is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllFormed {
    /// What it is said of.
    pub span: Span,
    /// A sentence without a full stop.
    pub message: String,
}

impl fmt::Display for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}: {}",
            self.span.line, self.span.column, self.message
        )
    }
}

/// Why an expression or an operator is refused, in one sentence without its place.
pub(super) struct Refusal(pub String);

pub(super) fn because<T>(reason: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal(reason.into()))
}

/// The procedure an operator stands in.
pub(super) struct Place<'a> {
    pub program: &'a Program,
    pub id: ProcId,
    pub proc: &'a Procedure,
}
