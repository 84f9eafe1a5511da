//! The order in which arguments of functions known by name are evaluated. Such a function reads its arguments in an
//! order of its own, so they are checked here before it does: C++ leaves the order open, and an argument must not
//! change what another one reads. Arguments are compared by the variables they name; those that change something, by
//! the effects of evaluating each alone.

use crate::body::Body;
use crate::body::operands::Evaluated;
use crate::order::disturbance::without_order;
use crate::order::footprint::Unordered;
use crate::refusal::Result;
use crate::syntax::casts::behind_void;
use crate::syntax::expression::Expression;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::{Axis, Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use std::collections::HashMap;
use std::sync::Arc;

impl Body<'_, '_> {
    /// Refuses arguments whose order of evaluation could make a difference.
    pub(crate) fn arguments_in_any_order(&mut self, arguments: &[&Node]) -> Result<()> {
        let mut changed: Vec<Vec<Id>> = Vec::new();
        for argument in arguments {
            let mut names = Vec::new();
            changed_names(argument, &mut names);
            changed.push(names);
        }
        for (at, names) in changed.iter().enumerate() {
            for (_, other) in arguments.iter().enumerate().filter(|(i, _)| *i != at) {
                if let Some(name) = names.iter().find_map(|id| mentioned(other, *id)) {
                    return self.refuse(other, without_order(&format!("`{name}`")));
                }
            }
        }
        // The arguments of a call inside an argument are compared when that call is read.
        let n_telling = arguments.iter().filter(|a| !is_plain(a)).count();
        if n_telling < 2 || self.compares_arguments || !arguments.iter().any(|a| may_change(a)) {
            return Ok(());
        }
        self.compares_arguments = true;
        let compared = self.compare_evaluations(arguments);
        self.compares_arguments = false;
        self.unordered.extend(compared?);
        Ok(())
    }

    /// Reads each argument separately and discards the reading; returns the comparisons of memory that remain.
    fn compare_evaluations(&mut self, arguments: &[&Node]) -> Result<Vec<Unordered>> {
        arguments.iter().for_each(|a| self.bind_names(a));
        let before = self.before_reading();
        let conflict = self.conflict;
        let mut evaluated = Vec::new();
        for argument in arguments {
            let made = self.apart(|b| b.parts(behind_void(argument)));
            // An argument without a value (a text, the address of a pointer that is assigned) is left to the
            // function.
            if let Ok((ops, values)) = made {
                let span = self.span(argument);
                evaluated.push(Evaluated { ops, values, span });
            }
        }
        self.conflict = conflict;
        let n_before = self.unordered.len();
        let in_order = self.in_any_order(&evaluated);
        let mut found = self.unordered.split_off(n_before);
        self.take_back(&before);
        in_order?;
        let ops = evaluated.iter().flat_map(|one| &one.ops);
        let gone = Gone::new(ops, before.n_vars(), self.builder.mark());
        for one in &mut found {
            for side in [&mut one.left, &mut one.right] {
                let pointers = side.loads.iter_mut().chain(&mut side.stores);
                let passed = side.calls.iter_mut().flat_map(|(_, arguments)| arguments);
                pointers.chain(passed).for_each(|e| *e = gone.replaced(e));
            }
        }
        Ok(found)
    }

    /// Binds the names of the file that an expression mentions: they stay when a reading of it is taken back.
    fn bind_names(&mut self, node: &Node) {
        let decl = node.kind.referenced_decl.as_ref();
        let is_global = decl.is_some_and(|decl| self.unit.globals.contains_key(&decl.id));
        if node.is(Kind::DeclRefExpr) && is_global {
            // The final reading reports the error.
            drop(self.apart(|b| b.place(node)));
        }
        node.inner.iter().for_each(|child| self.bind_names(child));
    }
}

/// Variables and arrays of a discarded reading, and the value of each variable that was assigned once.
struct Gone {
    n_vars: usize,
    n_arrays: usize,
    values: HashMap<VarId, Option<Expr>>,
}

impl Gone {
    fn new<'o>(ops: impl Iterator<Item = &'o Arc<Op>>, n_vars: usize, n_arrays: usize) -> Gone {
        let mut values: HashMap<VarId, Option<Expr>> = HashMap::new();
        for op in ops {
            op.walk(&mut |op| {
                let (var, value) = match &op.kind {
                    OpKind::Basic(Basic::Assign { var, value }) => (Some(*var), Some(value)),
                    OpKind::Basic(basic) => (basic.assigned(), None),
                    OpKind::Call { result, .. } => (*result, None),
                    _ => (None, None),
                };
                if let Some(var) = var.filter(|var| var.0 as usize >= n_vars) {
                    let of_var = values.entry(var);
                    of_var.and_modify(|v| *v = None).or_insert(value.cloned());
                }
            });
        }
        Gone {
            n_vars,
            n_arrays,
            values,
        }
    }

    /// The pointer, expressed by variables that still exist; a pointer of unknown target where that is impossible.
    fn replaced(&self, expr: &Expr) -> Expr {
        let is_gone = |e: &Expr| match e.kind {
            ExprKind::Var(var) if var.0 as usize >= self.n_vars => Some(var),
            _ => None,
        };
        let mut now = expr.clone();
        // This ends: a value names only variables that existed before it.
        for _ in 0..=self.values.len() {
            now = now.map(
                &mut |e| match is_gone(&e).and_then(|var| self.values.get(&var)) {
                    Some(Some(value)) if value.ty.same_shape(e.ty) => value.clone(),
                    _ => e,
                },
            );
        }
        let mut remains = false;
        now.walk(&mut |e| {
            let is_array =
                matches!(e.kind, ExprKind::ArrayBase(a) if a.0 as usize >= self.n_arrays);
            remains |= is_array || is_gone(e).is_some();
        });
        match remains && expr.ty.pointer().is_some() {
            true => Expr::builtin(Builtin::ThreadIdx(Axis::X)).cast(expr.ty),
            false => now,
        }
    }
}

/// A number or the value of a variable: evaluating it has no effect, and an argument that changes it must name it.
fn is_plain(node: &Node) -> bool {
    let node = node.without_casts();
    matches!(
        node.expression(),
        Expression::Name(_)
            | Expression::Integer
            | Expression::Floating
            | Expression::Boolean
            | Expression::Null
            | Expression::Text
            | Expression::SizeOf
    )
}

/// Whether evaluating an expression may change something.
fn may_change(node: &Node) -> bool {
    match node.expression() {
        Expression::Step(_)
        | Expression::Assign { .. }
        | Expression::CompoundAssign { .. }
        | Expression::Call(_) => true,
        Expression::Lambda | Expression::SizeOf => false,
        _ => node.inner.iter().any(may_change),
    }
}

/// The variables that evaluating an expression assigns by name.
fn changed_names(node: &Node, found: &mut Vec<Id>) {
    let target = match node.expression() {
        Expression::Step(step) => Some(step.operand),
        Expression::Assign { left, .. } | Expression::CompoundAssign { left, .. } => Some(left),
        Expression::Lambda | Expression::SizeOf => return,
        _ => None,
    };
    let named = target.and_then(|target| target.without_casts().kind.referenced_decl.as_ref());
    found.extend(named.map(|decl| decl.id));
    for child in &node.inner {
        changed_names(child, found);
    }
}

/// The name by which an expression mentions a variable.
fn mentioned(node: &Node, id: Id) -> Option<&str> {
    let decl = node.kind.referenced_decl.as_ref();
    match decl.filter(|decl| node.is(Kind::DeclRefExpr) && decl.id == id) {
        Some(decl) => Some(&decl.name),
        None => node.inner.iter().find_map(|child| mentioned(child, id)),
    }
}
