//! Operators, split where their expressions load.

use super::translation::Translation;
use crate::algebra::expr::ExprKind;
use crate::algebra::operator::{Basic, Op, OpId, OpKind, Provenance};
use crate::analysis::definite_assignment::Assigned;
use crate::analysis::loops;
use std::sync::Arc;

impl Translation<'_> {
    pub(super) fn operator(&mut self, op: &Arc<Op>) -> Arc<Op> {
        if let OpKind::Seq(ops) = &op.kind {
            return self.sequence(op, ops);
        }
        let (before, core) = self.split(op);
        self.from = op.id;
        self.span = op.span;
        self.join(before, core)
    }

    /// The operators that load what `op` needs, and what is left of `op`.
    pub(super) fn split(&mut self, op: &Arc<Op>) -> (Vec<Arc<Op>>, Arc<Op>) {
        self.from = op.id;
        self.span = op.span;
        let mut before = Vec::new();
        let kind = match &op.kind {
            OpKind::Skip => OpKind::Skip,
            OpKind::Seq(_) => return (before, self.operator(op)),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => {
                let cond = self.expression(cond, &mut before);
                let entry = self.assigned.clone();
                let then = self.operator(then);
                let after_then = std::mem::replace(&mut self.assigned, entry);
                let otherwise = self.operator(otherwise);
                self.assigned = self.assigned.clone().meet(after_then);
                OpKind::If {
                    cond,
                    then,
                    otherwise,
                }
            }
            OpKind::While { cond, body } => {
                let here = std::mem::replace(&mut self.assigned, Assigned::Unreachable);
                self.assigned = here.at_loop_head(self.program, body);
                let atomic_cond = self.expression(cond, &mut before);
                let entry = self.assigned.clone();
                let mut atomic_body = self.operator(body);
                self.assigned = entry;
                self.from = op.id;
                self.span = op.span;
                if !before.is_empty() {
                    // The same loads into the same temporaries, as new occurrences.
                    let mut parts = vec![atomic_body];
                    parts.extend(before.iter().cloned());
                    atomic_body = self.make(OpKind::Seq(parts));
                }
                OpKind::While {
                    cond: atomic_cond,
                    body: atomic_body,
                }
            }
            OpKind::Call { proc, args, result } => {
                let args = self.expressions(&args.iter().collect::<Vec<_>>(), &mut before);
                // A function may end without giving a result.
                result.iter().for_each(|var| self.assigned.remove(*var));
                OpKind::Call {
                    proc: *proc,
                    args,
                    result: *result,
                }
            }
            OpKind::Par(a, b) => OpKind::Par(self.operator(a), self.operator(b)),
            OpKind::Basic(basic) => OpKind::Basic(self.basic(basic, &mut before)),
        };
        self.from = op.id;
        self.span = op.span;
        let core = self.make(kind);
        if let OpKind::Basic(basic) = &core.kind {
            let here = std::mem::replace(&mut self.assigned, Assigned::Unreachable);
            self.assigned = here.after(basic);
        }
        (before, core)
    }

    /// A counted loop keeps its shape: the loads of its initialisation go before the whole.
    pub(super) fn sequence(&mut self, op: &Arc<Op>, ops: &[Arc<Op>]) -> Arc<Op> {
        let mut outside = Vec::new();
        let mut parts = Vec::with_capacity(ops.len());
        let is_loop = loops::counted_loop(op).is_some();
        for (index, part) in ops.iter().enumerate() {
            let (before, core) = if let OpKind::Seq(_) = part.kind {
                (vec![], self.operator(part))
            } else {
                self.split(part)
            };
            self.from = part.id;
            self.span = part.span;
            if is_loop && index == 0 {
                outside = before;
                parts.push(core);
            } else if is_loop {
                parts.extend(before);
                parts.push(core);
            } else {
                parts.push(self.join(before, core));
            }
        }
        self.from = op.id;
        self.span = op.span;
        let whole = self.make(OpKind::Seq(parts));
        self.join(outside, whole)
    }

    pub(super) fn join(&self, mut before: Vec<Arc<Op>>, core: Arc<Op>) -> Arc<Op> {
        if before.is_empty() {
            return core;
        }
        before.push(core);
        self.make(OpKind::Seq(before))
    }

    pub(super) fn make(&self, kind: OpKind) -> Arc<Op> {
        Arc::new(Op {
            id: OpId(u32::MAX),
            span: self.span,
            provenance: Provenance::AtomicForm { from: self.from },
            kind,
        })
    }

    pub(super) fn basic(&mut self, basic: &Basic, before: &mut Vec<Arc<Op>>) -> Basic {
        if let Basic::Assign { var, value } = basic
            && let ExprKind::Load(pointer) = &value.kind
        {
            let pointer = self.expression(pointer, before);
            return Basic::Load { var: *var, pointer };
        }
        // The synchroniser looks again and again, at all its cells at once.
        if let Basic::Wait { .. } = basic {
            return basic.clone();
        }
        let values = self.expressions(&basic.expressions(), before);
        let mut made = basic.clone();
        for (operand, value) in made.expressions_mut().into_iter().zip(values) {
            *operand = value;
        }
        made
    }
}
