//! The order of evaluation: left to right.

use super::{Body, Result};
use crate::syntax::Node;
use gridlock_semantics::expr::{Expr, ExprKind};
use gridlock_semantics::loops;
use gridlock_semantics::operator::Op;
use std::sync::Arc;

/// One operand of several.
#[derive(Clone, Copy)]
pub(super) enum Operand<'n> {
    Value(&'n Node),
    Condition(&'n Node),
    /// The address of an lvalue.
    Address(&'n Node),
    /// All parts of a value, each an operand of its own.
    Parts(&'n Node),
}

impl Body<'_, '_> {
    /// Evaluates operands in order. When evaluating one has side effects that could change an
    /// earlier one, that one is kept in a temporary first.
    pub(super) fn operands(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Expr>> {
        let mut values: Vec<Expr> = Vec::with_capacity(operands.len());
        for operand in operands {
            let value = match *operand {
                Operand::Parts(node) => {
                    let parts = self.after(&mut values, |b| b.parts(node))?;
                    values.extend(parts);
                    continue;
                }
                Operand::Value(node) => self.after(&mut values, |b| b.value(node))?,
                Operand::Condition(node) => self.after(&mut values, |b| b.condition(node))?,
                Operand::Address(node) => self.after(&mut values, |b| b.referent(node))?,
            };
            values.push(value);
        }
        Ok(values)
    }

    /// Runs `make`, whose operators come after `earlier` was evaluated.
    pub(super) fn after<T>(
        &mut self,
        earlier: &mut [Expr],
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let (ops, made) = self.apart(make)?;
        if let Some(first) = ops.first() {
            let span = first.span;
            for value in earlier {
                if is_disturbed(value, &ops) {
                    *value = self.keep(value.clone(), span);
                }
            }
        }
        self.ops.extend(ops);
        Ok(made)
    }
}

/// Whether running `ops` could change the value of `expr`.
pub(super) fn is_disturbed(expr: &Expr, ops: &[Arc<Op>]) -> bool {
    if ops.is_empty() {
        return false;
    }
    let mut disturbed = false;
    expr.walk(&mut |e| match e.kind {
        ExprKind::Load(_) => disturbed = true,
        ExprKind::Var(var) => disturbed |= ops.iter().any(|op| loops::assigns(op, var)),
        _ => {}
    });
    disturbed
}
