//! What is read, and from where: questions about the source to which the procedure that is being made has no part.

use crate::refusal::{Refusal, Result};
use crate::syntax::Node;
use crate::types::ctype::{CType, QualifiedType};
use crate::unit::Unit;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;

/// The source as one procedure sees it. It answers questions, and can change nothing.
#[derive(Clone, Copy)]
pub(crate) struct Source<'u, 'a> {
    pub(crate) unit: &'u Unit<'a>,
    /// What the procedure is: of the host, or of the device.
    pub(crate) kind: ProcKind,
    /// The place of the call of the intrinsic whose expression is being read.
    pub(crate) intrinsic_at: Option<Span>,
}

impl Source<'_, '_> {
    pub(crate) fn on_host(&self) -> bool {
        self.kind == ProcKind::Host
    }

    /// The place of a node; the parts of an intrinsic have the place of its call.
    pub(crate) fn span(&self, node: &Node) -> Span {
        self.intrinsic_at
            .unwrap_or_else(|| self.unit.files.span(node))
    }

    pub(crate) fn refuse<T>(&self, node: &Node, message: impl Into<String>) -> Result<T> {
        Err(Refusal {
            span: self.span(node),
            message: message.into(),
            cause: None,
        })
    }

    pub(crate) fn type_of(&self, node: &Node) -> QualifiedType {
        self.unit.type_of(node)
    }

    /// The type a node's value has in the algebra.
    pub(crate) fn value_type(&self, node: &Node) -> Result<Type> {
        let ty = self.type_of(node);
        match ty.ty {
            CType::Status => Ok(Type::U32),
            _ => ty
                .variable_type()
                .or_else(|message| self.refuse(node, message)),
        }
    }
}
