//! The translation of one procedure, in the making.

use crate::algebra::declaration::VarDecl;
use crate::algebra::operator::OpId;
use crate::algebra::program::Program;
use crate::algebra::span::Span;
use crate::analysis::definite_assignment::Assigned;

pub(super) struct Translation<'p> {
    /// The surface form.
    pub program: &'p Program,
    pub vars: Vec<VarDecl>,
    pub assigned: Assigned,
    /// The surface operator being translated.
    pub from: OpId,
    pub span: Span,
}
