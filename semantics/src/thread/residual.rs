//! Residual programs, `R` in the rules: the part of a program that is still to run. A persistent
//! list that shares the program's operators. `THEN` is composition and `skip` its unit, so neither
//! takes a step: the head of a residual is never a sequence or `skip`.
//!
//! A position of the program determines what follows it, so residuals compare by operator ids.

use crate::algebra::operator::{Op, OpId, OpKind};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A residual program; [`Residual::EMPTY`] is `ε`.
#[derive(Clone, Debug, Default)]
pub struct Residual(Option<Arc<Node>>);

#[derive(Debug)]
struct Node {
    op: Arc<Op>,
    /// When `op` is a sequence: the operators from this one on. Otherwise 0.
    from: usize,
    rest: Residual,
}

impl Residual {
    /// `ε`
    pub const EMPTY: Residual = Residual(None);

    /// `op; self`
    pub fn prepend(self, op: &Arc<Op>) -> Residual {
        match &op.kind {
            OpKind::Skip => self,
            OpKind::Seq(_) => self.prepend_sequence(op, 0),
            _ => Residual(Some(Arc::new(Node {
                op: op.clone(),
                from: 0,
                rest: self,
            }))),
        }
    }

    fn prepend_sequence(self, sequence: &Arc<Op>, from: usize) -> Residual {
        let OpKind::Seq(ops) = &sequence.kind else {
            return self;
        };
        let Some(first) = ops.get(from) else {
            return self;
        };
        if ops[from + 1..].iter().all(is_unit) {
            return self.prepend(first);
        }
        if is_unit(first) {
            return self.prepend_sequence(sequence, from + 1);
        }
        Residual(Some(Arc::new(Node {
            op: sequence.clone(),
            from: from + 1,
            rest: self,
        })))
        .prepend(first)
    }

    /// The operator that runs next; `None` for `ε`.
    pub fn head(&self) -> Option<&Arc<Op>> {
        self.0.as_ref().map(|node| &node.op)
    }

    /// The residual after the head.
    pub fn tail(&self) -> Residual {
        let Some(node) = &self.0 else {
            return Residual::EMPTY;
        };
        let rest = node.rest.clone();
        match &rest.0 {
            Some(next) if matches!(next.op.kind, OpKind::Seq(_)) => {
                next.rest.clone().prepend_sequence(&next.op, next.from)
            }
            _ => rest,
        }
    }

    /// Whether it is `ε`.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn ids(&self) -> impl Iterator<Item = (OpId, usize)> + '_ {
        let mut next = self;
        std::iter::from_fn(move || {
            let node = next.0.as_ref()?;
            next = &node.rest;
            Some((node.op.id, node.from))
        })
    }
}

/// `skip`, or a sequence of nothing else.
fn is_unit(op: &Arc<Op>) -> bool {
    match &op.kind {
        OpKind::Skip => true,
        OpKind::Seq(ops) => ops.iter().all(is_unit),
        _ => false,
    }
}

impl PartialEq for Residual {
    fn eq(&self, other: &Residual) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || self.ids().eq(other.ids()),
            (None, None) => true,
            _ => false,
        }
    }
}

impl Eq for Residual {}

impl Hash for Residual {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The head determines the rest within one procedure.
        self.ids().next().hash(state);
    }
}
