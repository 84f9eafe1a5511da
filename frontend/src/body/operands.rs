//! The order of evaluation. Operands are evaluated left to right. Where the language leaves their order open, an
//! expression whose value or effect depends on the order is refused ([`Body::in_any_order`]).

use crate::body::Body;
use crate::body::code::Code;
use crate::order::disturbance::{is_disturbed, without_order};
use crate::order::footprint::{Footprint, Unordered};
use crate::refusal::{Refusal, Result};
use crate::request::Language;
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::Op;
use gridlock_semantics::algebra::span::Span;
use std::sync::Arc;

/// One operand of several.
#[derive(Clone, Copy)]
pub(crate) enum Operand<'n> {
    Value(&'n Node),
    Condition(&'n Node),
    /// The address of an lvalue.
    Address(&'n Node),
    /// All parts of a value, each an operand of its own.
    Parts(&'n Node),
}

/// The result of an evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Evaluated {
    pub ops: Vec<Arc<Op>>,
    pub values: Vec<Expr>,
    pub span: Span,
}

impl Default for Evaluated {
    /// Nothing.
    fn default() -> Evaluated {
        Evaluated {
            ops: Vec::new(),
            values: Vec::new(),
            span: Span::NONE,
        }
    }
}

impl Evaluated {
    /// A value that needs no evaluation.
    pub fn of(value: Expr) -> Evaluated {
        Evaluated {
            values: vec![value],
            ..Evaluated::default()
        }
    }
}

impl Code<'_, '_> {
    /// **Lemma (kept operands).** Operators of a later operand may run before the value of an earlier one is
    /// computed, unless they could change it; then it is kept in a temporary in front of them.
    pub(crate) fn one_after_another(&mut self, evaluated: Vec<Evaluated>) -> Vec<Expr> {
        let mut values: Vec<Expr> = Vec::new();
        for Evaluated {
            ops, values: own, ..
        } in evaluated
        {
            self.keep_before(&mut values, &ops);
            self.ops.extend(ops);
            values.extend(own);
        }
        values
    }

    /// **Lemma (any order).** Operands of which none changes what another reads or changes give the same in every
    /// order, interleaved or not. All other operands are refused. The language calls such code undefined (operands of
    /// `+` in C++, of `=` in C) or unspecified (arguments in C++17); in neither case is an order chosen for the
    /// program.
    pub(crate) fn in_any_order(&mut self, evaluated: &[Evaluated]) -> Result<()> {
        if evaluated.iter().all(|one| one.ops.is_empty()) {
            return Ok(());
        }
        let footprint = |one: &Evaluated| Footprint::new(&one.ops, &one.values);
        let all: Vec<Footprint> = evaluated.iter().map(footprint).collect();
        for (at, right) in all.iter().enumerate() {
            for left in &all[..at] {
                self.unordered_pair(left, right, evaluated[at].span)?;
            }
        }
        Ok(())
    }

    /// Refuses two evaluations whose order could make a difference.
    pub(crate) fn unordered_pair(
        &mut self,
        left: &Footprint,
        right: &Footprint,
        span: Span,
    ) -> Result<()> {
        if let Some(var) = left.shared_variable(right) {
            let name = self.vars.get(var.0 as usize).map_or("", |v| &*v.name);
            return Err(Refusal {
                span,
                message: without_order(&format!("`{name}`")),
                cause: None,
            });
        }
        if left.memory.may_interfere(&right.memory) {
            self.unordered.push(Unordered {
                span,
                left: left.memory.clone(),
                right: right.memory.clone(),
            });
        }
        Ok(())
    }

    /// Keeps the values that the next operators, `ops`, could change.
    pub(crate) fn keep_before(&mut self, values: &mut [Expr], ops: &[Arc<Op>]) {
        if let Some(first) = ops.first() {
            let span = first.span;
            for value in values {
                if is_disturbed(value, ops) {
                    *value = self.keep(value.clone(), span);
                }
            }
        }
    }
}

impl Body<'_, '_> {
    /// The result of `make`, which evaluates `node`.
    pub(crate) fn evaluation(
        &mut self,
        node: &Node,
        make: impl FnOnce(&mut Self) -> Result<Vec<Expr>>,
    ) -> Result<Evaluated> {
        let (ops, values) = self.apart(make)?;
        let span = self.span(node);
        Ok(Evaluated { ops, values, span })
    }

    /// Evaluates operands that the language leaves unordered.
    pub(crate) fn operands(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Expr>> {
        let evaluated = self.evaluated(operands)?;
        self.in_any_order(&evaluated)?;
        Ok(self.one_after_another(evaluated))
    }

    /// Evaluates operands that the language orders left to right.
    pub(crate) fn operands_in_order(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Expr>> {
        let evaluated = self.evaluated(operands)?;
        Ok(self.one_after_another(evaluated))
    }

    /// Evaluates operands that C++17 orders left to right and the other languages leave unordered.
    pub(crate) fn operands_as_ordered(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Expr>> {
        match self.unit.is_ordered {
            true => self.operands_in_order(operands),
            false => self.operands(operands),
        }
    }

    pub(crate) fn evaluated(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Evaluated>> {
        let mut all = Vec::with_capacity(operands.len());
        for operand in operands {
            let (node, made) = match *operand {
                Operand::Parts(node) => (node, self.apart(|b| b.parts(node))?),
                Operand::Value(node) => (node, self.apart(|b| Ok(vec![b.value(node)?]))?),
                Operand::Condition(node) => (node, self.apart(|b| Ok(vec![b.condition(node)?]))?),
                Operand::Address(node) => (node, self.apart(|b| Ok(vec![b.referent(node)?]))?),
            };
            all.push(Evaluated {
                ops: made.0,
                values: made.1,
                span: self.span(node),
            });
        }
        Ok(all)
    }

    /// Evaluates the elements of a list in braces, which C++ orders and C does not.
    pub(crate) fn each_listed<T>(
        &mut self,
        list: impl IntoIterator<Item = T>,
        span: Span,
        mut make: impl FnMut(&mut Self, T) -> Result<()>,
    ) -> Result<()> {
        let mut evaluated = Vec::new();
        for item in list {
            let (ops, ()) = self.apart(|b| make(b, item))?;
            evaluated.push(Evaluated {
                ops,
                values: Vec::new(),
                span,
            });
        }
        if self.unit.language != Language::Cuda {
            self.in_any_order(&evaluated)?;
        }
        self.ops
            .extend(evaluated.into_iter().flat_map(|one| one.ops));
        Ok(())
    }

    /// Runs `make`, whose operators come after `earlier` was evaluated.
    pub(crate) fn after<T>(
        &mut self,
        earlier: &mut [Expr],
        make: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let (ops, made) = self.apart(make)?;
        self.keep_before(earlier, &ops);
        self.ops.extend(ops);
        Ok(made)
    }
}

/// Whether an assignment reads what was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Old {
    IsLost,
    IsRead,
}
