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
    /// When `op` is a sequence: the operators from this one on, which is neither `skip` nor, at the head of a residual, a
    /// sequence. Otherwise 0.
    from: usize,
    rest: Residual,
}

impl Residual {
    /// `ε`
    pub const EMPTY: Residual = Residual(None);

    fn node(op: &Arc<Op>, from: usize, rest: Residual) -> Residual {
        let op = op.clone();
        Residual(Some(Arc::new(Node { op, from, rest })))
    }

    /// `op; self`
    pub fn prepend(self, op: &Arc<Op>) -> Residual {
        match &op.kind {
            OpKind::Skip => self,
            OpKind::Seq(ops) => self.prepend_sequence((op, ops), 0),
            _ => Residual::node(op, 0, self),
        }
    }

    /// The operators of a sequence from this one on, and `self` after them.
    fn prepend_sequence(self, (sequence, ops): (&Arc<Op>, &[Arc<Op>]), from: usize) -> Residual {
        let Some(first) = next_of(ops, from) else {
            return self;
        };
        let OpKind::Seq(inner) = &ops[first].kind else {
            return Residual::node(sequence, first, self);
        };
        let after = match next_of(ops, first + 1) {
            Some(next) => Residual::node(sequence, next, self),
            None => self,
        };
        after.prepend_sequence((&ops[first], inner), 0)
    }

    /// The operator that runs next; `None` for `ε`.
    pub fn head(&self) -> Option<&Arc<Op>> {
        let node = self.0.as_ref()?;
        match &node.op.kind {
            OpKind::Seq(ops) => ops.get(node.from),
            _ => Some(&node.op),
        }
    }

    /// The residual after the head.
    pub fn tail(&self) -> Residual {
        let Some(node) = &self.0 else {
            return Residual::EMPTY;
        };
        if let OpKind::Seq(ops) = &node.op.kind
            && let Some(next) = node.after_head()
        {
            let rest = node.rest.clone();
            return rest.prepend_sequence((&node.op, ops), next);
        }
        match &node.rest.0 {
            Some(next) => next.at_the_head(&node.rest),
            None => Residual::EMPTY,
        }
    }

    /// Removes the head; in place where nothing else shares it.
    pub fn advance(&mut self) {
        if let Some(node) = self.0.as_mut().and_then(Arc::get_mut)
            && let Some(next) = node.after_head()
            && let OpKind::Seq(ops) = &node.op.kind
            && !matches!(ops[next].kind, OpKind::Seq(_))
        {
            node.from = next;
            return;
        }
        *self = self.tail();
    }

    /// Whether there is nothing after the head.
    pub fn ends_with_head(&self) -> bool {
        self.0
            .as_ref()
            .is_none_or(|node| node.rest.is_empty() && node.after_head().is_none())
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

impl Node {
    /// When `op` is a sequence: which of its operators comes after the head, if one does.
    fn after_head(&self) -> Option<usize> {
        match &self.op.kind {
            OpKind::Seq(ops) => next_of(ops, self.from + 1),
            _ => None,
        }
    }

    /// The residual that begins with it, which is `own`, as one whose head is no sequence.
    fn at_the_head(&self, own: &Residual) -> Residual {
        match &self.op.kind {
            OpKind::Seq(ops) if matches!(ops[self.from].kind, OpKind::Seq(_)) => {
                let rest = self.rest.clone();
                rest.prepend_sequence((&self.op, ops), self.from)
            }
            _ => own.clone(),
        }
    }
}

/// The first operator from this one on that does anything.
fn next_of(ops: &[Arc<Op>], from: usize) -> Option<usize> {
    (from..ops.len()).find(|&at| !is_unit(&ops[at]))
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
