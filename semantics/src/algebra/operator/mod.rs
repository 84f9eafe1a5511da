//! Operators of Glushkov's algebra of algorithms: sequence, if, while, call, PAR, and the basic
//! operators of the GPU domain. There is no other control.

mod atomic;
mod barrier;
mod basic;
mod memory;
mod signature;
mod table;
mod warp;

pub use atomic::{AtomicFn, Scope};
pub use barrier::{BARRIER_ANYWHERE, Met, Orders};
pub use basic::{Basic, Head};
pub use memory::{AllocSpace, CopyKind};
pub use signature::{Effect, Expects, Form, Part, Side, Slot};
pub use warp::{ShuffleMode, WarpFn};

use crate::algebra::expr::Expr;
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::span::Span;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An occurrence of an operator. "The same operator" in the semantics always means the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OpId(pub u32);

/// Where an operator comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Provenance {
    /// It stands in the source text.
    Source,
    /// The translation into atomic form made it out of the surface operator `from`.
    AtomicForm {
        /// An operator of the surface form.
        from: OpId,
    },
    /// A rewrite rule made it.
    Rule {
        /// The rule's name.
        rule: Arc<str>,
        /// The operators of the program before that it was made out of.
        from: Vec<OpId>,
    },
}

/// One occurrence of an operator in a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Op {
    /// Unique in its program once [`Program::number_operators`](super::program::Program::number_operators) has run.
    pub id: OpId,
    /// Where it stands in the source; [`Span::NONE`] for what a rule made of nothing there.
    pub span: Span,
    /// What made it.
    pub provenance: Provenance,
    /// What it does.
    pub kind: OpKind,
}

/// Operators: control, of which there is no other, and the basic ones.
#[expect(
    clippy::large_enum_variant,
    reason = "operators are shared behind `Arc`, never moved"
)]
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OpKind {
    /// `skip`, the unit of `THEN`: it takes no step.
    Skip,
    /// `y₁ THEN y₂ THEN …`
    Seq(Vec<Arc<Op>>),
    /// `IF cond THEN then ELSE otherwise`
    If {
        /// Of type `Bool`.
        cond: Expr,
        /// Runs where the condition holds.
        then: Arc<Op>,
        /// Runs where it does not; [`OpKind::Skip`] without an `else`.
        otherwise: Arc<Op>,
    },
    /// `WHILE cond DO body`. A counted loop is `Seq[init, While{cond, Seq[body, step]}]`:
    /// see [`crate::analysis::loops`].
    While {
        /// Of type `Bool`; tested before each iteration.
        cond: Expr,
        /// One iteration.
        body: Arc<Op>,
    },
    /// Call of a device or host procedure. `result` is the caller's variable that receives the
    /// callee's result variable on return.
    Call {
        /// What is called.
        proc: ProcId,
        /// One for each parameter, in order.
        args: Vec<Expr>,
        /// A variable of the caller.
        result: Option<VarId>,
    },
    /// Asynchronous disjunction of host operators (SAA-M).
    Par(Arc<Op>, Arc<Op>),
    /// One step, but for barriers and what waits.
    Basic(Basic),
}

impl Op {
    /// An operator from a source text. Ids are given later: see
    /// [`crate::algebra::program::Program::number_operators`].
    pub fn new(kind: OpKind, span: Span) -> Arc<Op> {
        Arc::new(Op {
            id: OpId(u32::MAX),
            span,
            provenance: Provenance::Source,
            kind,
        })
    }

    /// A basic operator from a source text; see [`Op::new`].
    pub fn basic(basic: Basic, span: Span) -> Arc<Op> {
        Op::new(OpKind::Basic(basic), span)
    }

    /// `skip`, which stands nowhere in a source.
    pub fn skip() -> Arc<Op> {
        Op::new(OpKind::Skip, Span::NONE)
    }

    /// The operators directly inside, in textual order.
    pub fn children(&self) -> Vec<&Arc<Op>> {
        match &self.kind {
            OpKind::Seq(ops) => ops.iter().collect(),
            OpKind::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            OpKind::While { body, .. } => vec![body],
            OpKind::Par(a, b) => vec![a, b],
            OpKind::Skip | OpKind::Call { .. } | OpKind::Basic(_) => vec![],
        }
    }

    /// Calls `visit` on this operator and all inside, outermost first, in textual order.
    pub fn walk<'a>(self: &'a Arc<Op>, visit: &mut impl FnMut(&'a Arc<Op>)) {
        visit(self);
        for child in self.children() {
            child.walk(visit);
        }
    }

    /// The expressions of this operator itself (not of operators inside), in evaluation order.
    pub fn expressions(&self) -> Vec<&Expr> {
        match &self.kind {
            OpKind::Skip | OpKind::Seq(_) | OpKind::Par(..) => vec![],
            OpKind::If { cond, .. } | OpKind::While { cond, .. } => vec![cond],
            OpKind::Call { args, .. } => args.iter().collect(),
            OpKind::Basic(basic) => basic.expressions(),
        }
    }
}
