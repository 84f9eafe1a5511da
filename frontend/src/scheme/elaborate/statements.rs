//! Operators of control, assignments, calls.

use super::super::problem::{Problem, Reading};
use super::super::scope::{Meaning, shown};
use super::super::tree::{
    BodyTree, ForTree, RangeTree, StatementKind, StatementTree, Tree, TreeKind,
};
use super::super::type_text::type_text;
use super::place::Place;
use crate::spans::join;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::analysis::loops;
use std::sync::Arc;

impl Place<'_> {
    /// No statement is the empty operator, one is itself, several are a sequence.
    pub(super) fn body(&self, tree: &BodyTree) -> Reading<Arc<Op>> {
        match tree.statements.as_slice() {
            [] => Ok(Op::skip()),
            [one] => self.statement(one),
            [first, .., last] => {
                let ops = self.statements(tree)?;
                Ok(Op::new(OpKind::Seq(ops), join(first.at, last.at)))
            }
        }
    }

    fn statements(&self, tree: &BodyTree) -> Reading<Vec<Arc<Op>>> {
        tree.statements.iter().map(|s| self.statement(s)).collect()
    }

    fn statement(&self, tree: &StatementTree) -> Reading<Arc<Op>> {
        let at = tree.at;
        let kind = match &tree.kind {
            StatementKind::Skip => OpKind::Skip,
            StatementKind::Sequence(body) => OpKind::Seq(self.statements(body)?),
            StatementKind::If {
                cond,
                then,
                otherwise,
            } => OpKind::If {
                cond: self.condition(cond)?,
                then: self.body(then)?,
                otherwise: self.body(otherwise)?,
            },
            StatementKind::While { cond, body } => OpKind::While {
                cond: self.condition(cond)?,
                body: self.body(body)?,
            },
            StatementKind::For(tree) => self.counted_loop(tree, at)?,
            StatementKind::Parallel(branches) => return self.parallel(branches, at),
            StatementKind::Assert(cond) => OpKind::Basic(Basic::Assert {
                cond: self.condition(cond)?,
            }),
            StatementKind::Assume(cond) => OpKind::Basic(Basic::Assume {
                cond: self.condition(cond)?,
            }),
            StatementKind::Wait(cond) => OpKind::Basic(Basic::Wait {
                cond: self.condition(cond)?,
            }),
            StatementKind::Assign { target, value } => OpKind::Basic(self.assign(target, value)?),
            StatementKind::Load { target, cell } => {
                let (var, ty) = self.variable(target)?;
                let pointer = self.cell(cell)?;
                let elem = pointer.ty.pointer().map(|p| Type::Scalar(p.elem));
                self.fits(ty, elem.unwrap_or(ty), cell.at)?;
                OpKind::Basic(Basic::Load { var, pointer })
            }
            StatementKind::Call {
                target,
                name,
                name_at,
                args,
            } => {
                let kind = match self.proc().kind {
                    ProcKind::Host => ProcKind::Host,
                    _ => ProcKind::Device,
                };
                let proc = self.declared.names.proc(kind, name, *name_at)?;
                let args = self.arguments(proc, args, *name_at)?;
                let result = target.as_ref().map(|t| self.result(proc, t)).transpose()?;
                OpKind::Call { proc, args, result }
            }
            StatementKind::Launch(tree) => OpKind::Basic(self.launch(tree)?),
            StatementKind::Operator(tree) => OpKind::Basic(self.operator(tree)?),
        };
        Ok(Op::new(kind, at))
    }

    /// `PAR(a, PAR(b, c))`
    fn parallel(&self, branches: &[BodyTree], at: Span) -> Reading<Arc<Op>> {
        let mut branches = branches.iter().rev().map(|branch| self.body(branch));
        let mut all = branches.next().unwrap_or_else(|| Ok(Op::skip()))?;
        for branch in branches {
            all = Op::new(OpKind::Par(branch?, all), at);
        }
        Ok(all)
    }

    /// `counter := first THEN WHILE cond LOOP body THEN counter := next END OF LOOP`, in the
    /// nesting that [`loops::counted_loop`] recognises.
    fn counted_loop(&self, tree: &ForTree, at: Span) -> Reading<OpKind> {
        let name = &tree.counter;
        let meaning = self
            .declared
            .names
            .meaning(self.id, name, tree.counter_at)?;
        let Meaning::Var(var) = meaning else {
            let message = format!("the counter {} is an array", shown(name));
            return Problem::at(tree.counter_at, message);
        };
        let counter = self.var(var);
        let ty = counter.ty;
        let init = self.typed(&tree.first, ty)?;
        let (cond, step) = match &tree.range {
            RangeTree::General { cond, next } => {
                let (found, step) = (self.condition(cond)?, self.typed(next, ty)?);
                for (part, expr, at) in [
                    ("condition", &found, cond.at),
                    ("next value", &step, next.at),
                ] {
                    if !loops::reads(expr, var) {
                        let message =
                            format!("the {part} does not depend on the counter {}", shown(name));
                        return Problem::at(at, message);
                    }
                }
                (found, step)
            }
            RangeTree::Bound {
                comparison,
                bound,
                is_down,
                step,
            } => {
                if !ty.scalar().is_some_and(|s| s.is_integer()) {
                    let found = type_text(ty);
                    let message =
                        format!("the counter {} is no integer but `{found}`", shown(name));
                    return Problem::at(tree.counter_at, message);
                }
                let bound = self.typed(bound, ty)?;
                let cond = Expr::binary(*comparison, counter.clone(), bound);
                let by = match step {
                    Some(step) => self.typed(step, ty)?,
                    None => one(ty),
                };
                let op = if *is_down {
                    BinaryOp::Sub
                } else {
                    BinaryOp::Add
                };
                (cond, Expr::binary(op, counter, by))
            }
        };
        let body = self.body(&tree.body)?;
        if loops::assigns(&body, var) {
            let message = format!(
                "the body assigns the counter {}: write a `WHILE` loop",
                shown(name)
            );
            return Problem::at(tree.counter_at, message);
        }
        let head = join(tree.counter_at, tree.first.at);
        let init = Op::basic(Basic::Assign { var, value: init }, head);
        let step = Op::basic(Basic::Assign { var, value: step }, tree.range_at);
        let whole = Op::new(OpKind::Seq(vec![body, step]), at);
        let looped = Op::new(OpKind::While { cond, body: whole }, at);
        Ok(OpKind::Seq(vec![init, looped]))
    }

    fn assign(&self, target: &Tree, value: &Tree) -> Reading<Basic> {
        match &target.kind {
            TreeKind::Cell(..) | TreeKind::Target(_) => {
                let pointer = self.cell(target)?;
                let elem = pointer
                    .ty
                    .pointer()
                    .map_or(Type::BOOL, |p| Type::Scalar(p.elem));
                // Written back as it is.
                let value = match value.no_value() {
                    None => self.typed(value, elem)?,
                    Some(said) => {
                        let said = said.unwrap_or(elem);
                        self.fits(elem, said, value.at)?;
                        Expr::no_value(said)
                    }
                };
                Ok(Basic::Store { pointer, value })
            }
            _ => {
                let (var, ty) = self.variable(target)?;
                let value = match value.no_value() {
                    None => self.typed(value, ty)?,
                    Some(said) => {
                        let said = said.unwrap_or(ty);
                        self.fits(ty, said, value.at)?;
                        Expr::no_value(said)
                    }
                };
                Ok(Basic::Assign { var, value })
            }
        }
    }

    /// A variable that is assigned, and its type.
    pub(super) fn variable(&self, target: &Tree) -> Reading<(VarId, Type)> {
        let what = match &target.kind {
            TreeKind::Name(name) => match self.declared.names.meaning(self.id, name, target.at)? {
                Meaning::Var(var) => return Ok((var, self.var(var).ty)),
                Meaning::Array(_) => format!(
                    "{} is an array: assign to one of its cells, `{}[i]`",
                    shown(name),
                    name.text
                ),
            },
            _ => "only a variable can be assigned here".to_owned(),
        };
        Problem::at(target.at, what)
    }

    /// Whether a value of type `given` can be assigned to something of type `ty`.
    pub(super) fn fits(&self, ty: Type, given: Type, at: Span) -> Reading<()> {
        match given.same_shape(ty) {
            true => Ok(()),
            false => {
                let (ty, given) = (type_text(ty), type_text(given));
                let message = format!("the variable is `{ty}`, what it would get is `{given}`");
                Problem::at(at, message)
            }
        }
    }

    /// The variable that receives the result of a call.
    fn result(&self, proc: ProcId, target: &Tree) -> Reading<VarId> {
        let (var, ty) = self.variable(target)?;
        let callee = &self.declared.procs[proc.0 as usize];
        match callee.result {
            None => Problem::at(target.at, format!("`{}` has no result", callee.name)),
            Some(result) => {
                self.fits(ty, callee.vars[result.0 as usize].ty, target.at)?;
                Ok(var)
            }
        }
    }

    pub(super) fn arguments(&self, proc: ProcId, args: &[Tree], at: Span) -> Reading<Vec<Expr>> {
        let callee = &self.declared.procs[proc.0 as usize];
        let n_params = callee.params.len();
        if args.len() != n_params {
            let plural = if n_params == 1 { "" } else { "s" };
            let message = format!(
                "`{}` takes {n_params} argument{plural}, not {}",
                callee.name,
                args.len()
            );
            return Problem::at(at, message);
        }
        let params = callee.vars.iter().take(n_params);
        args.iter()
            .zip(params)
            .map(|(arg, param)| self.typed(arg, param.ty))
            .collect()
    }
}

/// The step of a loop that has no `BY`.
fn one(ty: Type) -> Expr {
    Expr::int(super::super::literal::integer_type(Some(ty)), 1)
}
