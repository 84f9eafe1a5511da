//! The order of evaluation. Operands are evaluated left to right; where the language gives them no order, or an
//! unspecified one, an evaluation that could tell is refused ([`Body::in_any_order`]).

use super::footprint::{Footprint, Unordered};
use super::{Body, Refusal, Result};
use crate::Language;
use crate::syntax::{Node, NodeExt};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::operator::Op;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::analysis::loops;
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

/// What an evaluation became.
#[derive(Clone, Debug)]
pub(super) struct Evaluated {
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
    /// A value that nothing evaluates.
    pub fn of(value: Expr) -> Evaluated {
        Evaluated {
            values: vec![value],
            ..Evaluated::default()
        }
    }
}

impl Body<'_, '_> {
    /// What `make` evaluates, which `node` says.
    pub(super) fn evaluation(
        &mut self,
        node: &Node,
        make: impl FnOnce(&mut Self) -> Result<Vec<Expr>>,
    ) -> Result<Evaluated> {
        let (ops, values) = self.apart(make)?;
        let span = self.span(node);
        Ok(Evaluated { ops, values, span })
    }

    /// Evaluates operands that the language puts in no order.
    pub(super) fn operands(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Expr>> {
        let evaluated = self.evaluated(operands)?;
        self.in_any_order(&evaluated)?;
        Ok(self.one_after_another(evaluated))
    }

    /// Evaluates operands that the language orders left to right.
    pub(super) fn operands_in_order(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Expr>> {
        let evaluated = self.evaluated(operands)?;
        Ok(self.one_after_another(evaluated))
    }

    /// Evaluates operands that C++17 orders left to right, and the other languages not at all.
    pub(super) fn operands_as_ordered(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Expr>> {
        match self.unit.is_ordered {
            true => self.operands_in_order(operands),
            false => self.operands(operands),
        }
    }

    pub(super) fn evaluated(&mut self, operands: &[Operand<'_>]) -> Result<Vec<Evaluated>> {
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

    /// **Lemma (kept operands).** Operators of a later operand may run before the value of an earlier one is
    /// computed, unless they could change it; then it is kept in a temporary in front of them.
    pub(super) fn one_after_another(&mut self, evaluated: Vec<Evaluated>) -> Vec<Expr> {
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
    /// order, interleaved or not. Others are refused: whether the language calls that undefined (operands of
    /// `+` in C++, of `=` in C) or unspecified (arguments in C++17), no order is picked for the program.
    pub(super) fn in_any_order(&mut self, evaluated: &[Evaluated]) -> Result<()> {
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

    /// Refuses two evaluations that could tell in which order they were made.
    pub(super) fn unordered_pair(
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

    /// One thing after another of a list in braces, which C++ orders and C does not.
    pub(super) fn each_listed<T>(
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

    /// Keeps the values that `ops`, which come next, could change.
    pub(super) fn keep_before(&mut self, values: &mut [Expr], ops: &[Arc<Op>]) {
        if let Some(first) = ops.first() {
            let span = first.span;
            for value in values {
                if is_disturbed(value, ops) {
                    *value = self.keep(value.clone(), span);
                }
            }
        }
    }

    /// Runs `make`, whose operators come after `earlier` was evaluated.
    pub(super) fn after<T>(
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

/// Whether operators assign one of the first `n_vars` variables that an expression names.
pub(super) fn is_moved(expr: &Expr, ops: &[Arc<Op>], n_vars: usize) -> bool {
    let mut moved = false;
    expr.walk(&mut |e| {
        if let ExprKind::Var(var) = e.kind
            && (var.0 as usize) < n_vars
        {
            moved |= ops.iter().any(|op| loops::assigns(op, var));
        }
    });
    moved
}

/// Why operands are refused that could tell in which order they are evaluated.
pub(crate) fn without_order(what: &str) -> String {
    format!("operands that the language puts in no order: one changes {what}, which another uses")
}

/// Whether a body never does more with a parameter than read it.
pub(super) fn only_read(node: &Node, id: Id, reads: bool) -> bool {
    let decl = node.kind.referenced_decl.as_ref();
    if node.is("DeclRefExpr") && decl.is_some_and(|d| d.id == id) {
        return reads;
    }
    let reads = match node.kind_name() {
        "ImplicitCastExpr" if node.kind.cast_kind.as_deref() == Some("LValueToRValue") => true,
        "MemberExpr" if !node.kind.is_arrow => reads,
        "ParenExpr" => reads,
        _ => false,
    };
    node.inner.iter().all(|child| only_read(child, id, reads))
}
