//! The translation into atomic form: every basic operator touches non-private memory at most
//! once. Loads leave the expressions and become operators of their own, left to right; what is
//! evaluated before a load and may fail is computed into a temporary first, so that one thread
//! meets the same faults in the same order. With several threads the atomic form has at least the
//! outcomes of the surface form: others may step in between.
//!
//! Short-circuit operators and `?:` whose conditional part loads become branches. The loads of a
//! loop's condition stand before the loop and again at the end of its body.

use crate::algebra::declaration::VarDecl;
use crate::algebra::expr::{BinaryOp, Expr, ExprKind};
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::operator::{Basic, Op, OpId, OpKind, Provenance};
use crate::algebra::program::{Form, Procedure, Program};
use crate::algebra::span::Span;
use crate::algebra::types::{ScalarType, Type};
use crate::algebra::value::Value;
use crate::analysis::definite_assignment::Assigned;
use crate::analysis::loops;
use std::sync::Arc;

/// The atomic form of a program; the program itself when it has that form already. Operators get
/// fresh ids, and provenance [`Provenance::AtomicForm`] naming the surface operator; procedures,
/// arrays and existing variables keep their ids, temporaries are added behind.
pub fn atomic_form(program: &Program) -> Program {
    if program.form == Form::Atomic {
        return program.clone();
    }
    let mut result = program.clone();
    result.form = Form::Atomic;
    for index in 0..program.procs.len() {
        let proc = program.proc(ProcId(index as u32));
        let mut translation = Translation {
            program,
            vars: proc.vars.clone(),
            assigned: Assigned::These(proc.params.iter().copied().collect()),
            from: OpId(0),
            span: Span::NONE,
        };
        let body = translation.operator(&proc.body);
        result.procs[index] = Procedure {
            vars: translation.vars,
            body,
            ..proc.clone()
        };
    }
    result.number_operators();
    result
}

/// Whether evaluating a load-free expression may be a fault, where `assigned` holds.
pub fn may_fault(expr: &Expr, assigned: &Assigned) -> bool {
    let here = match &expr.kind {
        ExprKind::Var(var) => !assigned.contains(*var),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Div | BinaryOp::Rem => is_integer(a) && !is_harmless_divisor(b),
            BinaryOp::Shl | BinaryOp::Shr => !is_constant_below(b, a),
            BinaryOp::PtrDiff => true,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => a.ty.pointer().is_some(),
            _ => false,
        },
        ExprKind::Cast(a) => {
            let from_float = a.ty.scalar().is_some_and(ScalarType::is_float);
            from_float && expr.ty.scalar().is_some_and(ScalarType::is_integer)
        }
        ExprKind::Load(_) => true,
        _ => false,
    };
    here || expr.operands().iter().any(|e| may_fault(e, assigned))
}

fn is_integer(expr: &Expr) -> bool {
    expr.ty.scalar().is_some_and(ScalarType::is_integer)
}

fn constant(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Const(value) => value.as_integer(),
        _ => None,
    }
}

fn is_harmless_divisor(expr: &Expr) -> bool {
    constant(expr).is_some_and(|n| n != 0 && n != -1)
}

fn is_constant_below(amount: &Expr, shifted: &Expr) -> bool {
    let width = shifted.ty.scalar().map_or(0, ScalarType::bits) as i128;
    constant(amount).is_some_and(|n| (0..width).contains(&n))
}

struct Translation<'p> {
    /// The surface form.
    program: &'p Program,
    vars: Vec<VarDecl>,
    assigned: Assigned,
    /// The surface operator being translated.
    from: OpId,
    span: Span,
}

impl Translation<'_> {
    fn operator(&mut self, op: &Arc<Op>) -> Arc<Op> {
        if let OpKind::Seq(ops) = &op.kind {
            return self.sequence(op, ops);
        }
        let (before, core) = self.split(op);
        self.from = op.id;
        self.span = op.span;
        self.join(before, core)
    }

    /// The operators that load what `op` needs, and what is left of `op`.
    fn split(&mut self, op: &Arc<Op>) -> (Vec<Arc<Op>>, Arc<Op>) {
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
    fn sequence(&mut self, op: &Arc<Op>, ops: &[Arc<Op>]) -> Arc<Op> {
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

    fn join(&self, mut before: Vec<Arc<Op>>, core: Arc<Op>) -> Arc<Op> {
        if before.is_empty() {
            return core;
        }
        before.push(core);
        self.make(OpKind::Seq(before))
    }

    fn make(&self, kind: OpKind) -> Arc<Op> {
        Arc::new(Op {
            id: OpId(u32::MAX),
            span: self.span,
            provenance: Provenance::AtomicForm { from: self.from },
            kind,
        })
    }

    fn basic(&mut self, basic: &Basic, before: &mut Vec<Arc<Op>>) -> Basic {
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
        let mut values = self.expressions(&basic.expressions(), before).into_iter();
        // `values` has exactly as many members as the operator has expressions.
        let mut next = || {
            values
                .next()
                .unwrap_or_else(|| Expr::constant(Value::Undef))
        };
        match basic {
            Basic::Assign { var, .. } => Basic::Assign {
                var: *var,
                value: next(),
            },
            Basic::Load { var, .. } => Basic::Load {
                var: *var,
                pointer: next(),
            },
            Basic::Store { .. } => Basic::Store {
                pointer: next(),
                value: next(),
            },
            Basic::Atomic {
                function,
                scope,
                operands,
                result,
                ..
            } => Basic::Atomic {
                function: *function,
                scope: *scope,
                pointer: next(),
                operands: operands.iter().map(|_| next()).collect(),
                result: *result,
            },
            Basic::NamedBarrier {
                threads,
                arrive_only,
                ..
            } => Basic::NamedBarrier {
                id: next(),
                threads: threads.as_ref().map(|_| next()),
                arrive_only: *arrive_only,
            },
            Basic::SyncWarp { .. } => Basic::SyncWarp { mask: next() },
            Basic::Warp {
                function,
                operands,
                result,
                ..
            } => Basic::Warp {
                function: *function,
                mask: next(),
                operands: operands.iter().map(|_| next()).collect(),
                result: *result,
            },
            Basic::Assert { .. } => Basic::Assert { cond: next() },
            Basic::Assume { .. } => Basic::Assume { cond: next() },
            Basic::Alloc {
                var, elem, space, ..
            } => Basic::Alloc {
                var: *var,
                elem: *elem,
                bytes: next(),
                space: *space,
            },
            Basic::Free { space, stream, .. } => Basic::Free {
                pointer: next(),
                space: *space,
                stream: stream.as_ref().map(|_| next()),
            },
            Basic::Copy { kind, stream, .. } => Basic::Copy {
                kind: *kind,
                dst: next(),
                src: next(),
                bytes: next(),
                stream: stream.as_ref().map(|_| next()),
            },
            Basic::CallGpu {
                kernel,
                args,
                stream,
                cooperative,
                ..
            } => Basic::CallGpu {
                kernel: *kernel,
                grid: [next(), next(), next()],
                block: [next(), next(), next()],
                shared_bytes: next(),
                args: args.iter().map(|_| next()).collect(),
                stream: stream.as_ref().map(|_| next()),
                cooperative: *cooperative,
            },
            Basic::SetDevice { .. } => Basic::SetDevice { device: next() },
            Basic::StreamDestroy { .. } => Basic::StreamDestroy { stream: next() },
            Basic::StreamSync { .. } => Basic::StreamSync { stream: next() },
            Basic::EventDestroy { .. } => Basic::EventDestroy { event: next() },
            Basic::EventSync { .. } => Basic::EventSync { event: next() },
            Basic::EventRecord { .. } => Basic::EventRecord {
                event: next(),
                stream: next(),
            },
            Basic::StreamWait { .. } => Basic::StreamWait {
                stream: next(),
                event: next(),
            },
            Basic::Wait { .. } => Basic::Wait { cond: next() },
            Basic::Barrier(orders, agreed) => {
                Basic::Barrier(*orders, agreed.iter().map(|_| next()).collect())
            }
            Basic::GridBarrier
            | Basic::ActiveMask { .. }
            | Basic::Fence { .. }
            | Basic::Exit
            | Basic::Beyond
            | Basic::InitGpu
            | Basic::DeviceSync
            | Basic::StreamCreate { .. }
            | Basic::EventCreate { .. } => basic.clone(),
        }
    }

    /// Expressions evaluated one after another.
    fn expressions(&mut self, exprs: &[&Expr], before: &mut Vec<Arc<Op>>) -> Vec<Expr> {
        let mut done = Vec::with_capacity(exprs.len());
        for (index, expr) in exprs.iter().enumerate() {
            let mut value = self.expression(expr, before);
            let load_follows = exprs[index + 1..].iter().any(|later| later.has_load());
            if load_follows && may_fault(&value, &self.assigned) {
                value = self.keep_in_temporary(value, before);
            }
            done.push(value);
        }
        done
    }

    fn expression(&mut self, expr: &Expr, before: &mut Vec<Arc<Op>>) -> Expr {
        if !expr.has_load() {
            return expr.clone();
        }
        let kind = match &expr.kind {
            ExprKind::Load(pointer) => {
                let pointer = self.expression(pointer, before);
                let var = self.temporary(expr.ty);
                before.push(self.make(OpKind::Basic(Basic::Load { var, pointer })));
                self.assigned.insert(var);
                ExprKind::Var(var)
            }
            ExprKind::Binary(op, a, b) if op.is_logical() && b.has_load() => {
                let a = self.expression(a, before);
                let decided = Expr::bool(*op == BinaryOp::Or);
                return match op {
                    BinaryOp::And => self.branch(a, b, &decided, before),
                    _ => self.branch(a, &decided, b, before),
                };
            }
            ExprKind::Select(cond, then, otherwise) if then.has_load() || otherwise.has_load() => {
                let cond = self.expression(cond, before);
                return self.branch(cond, then, otherwise, before);
            }
            ExprKind::Select(cond, then, otherwise) => {
                let cond = Arc::new(self.expression(cond, before));
                ExprKind::Select(cond, then.clone(), otherwise.clone())
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = self.pair(a, b, before);
                ExprKind::Binary(*op, a, b)
            }
            ExprKind::Offset(a, b) => {
                let (a, b) = self.pair(a, b, before);
                ExprKind::Offset(a, b)
            }
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Arc::new(self.expression(a, before))),
            ExprKind::Cast(a) => ExprKind::Cast(Arc::new(self.expression(a, before))),
            ExprKind::Math(function, args) => {
                let args = self.expressions(&args.iter().collect::<Vec<_>>(), before);
                ExprKind::Math(*function, args)
            }
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Builtin(_)
            | ExprKind::ArrayBase(_) => expr.kind.clone(),
        };
        Expr { ty: expr.ty, kind }
    }

    fn pair(&mut self, a: &Expr, b: &Expr, before: &mut Vec<Arc<Op>>) -> (Arc<Expr>, Arc<Expr>) {
        let mut a = self.expression(a, before);
        if b.has_load() && may_fault(&a, &self.assigned) {
            a = self.keep_in_temporary(a, before);
        }
        (Arc::new(a), Arc::new(self.expression(b, before)))
    }

    /// `cond ? then : otherwise` by a branch.
    fn branch(
        &mut self,
        cond: Expr,
        then: &Expr,
        otherwise: &Expr,
        before: &mut Vec<Arc<Op>>,
    ) -> Expr {
        let var = self.temporary(then.ty);
        let mut arm = |value: &Expr| {
            let entry = self.assigned.clone();
            let mut ops = Vec::new();
            let value = self.expression(value, &mut ops);
            let value = self.used(value);
            ops.push(self.make(OpKind::Basic(Basic::Assign { var, value })));
            self.assigned = entry;
            self.make(OpKind::Seq(ops))
        };
        let (then_op, otherwise_op) = (arm(then), arm(otherwise));
        before.push(self.make(OpKind::If {
            cond,
            then: then_op,
            otherwise: otherwise_op,
        }));
        self.assigned.insert(var);
        Expr::var(var, then.ty)
    }

    fn keep_in_temporary(&mut self, value: Expr, before: &mut Vec<Arc<Op>>) -> Expr {
        let ty = value.ty;
        let var = self.temporary(ty);
        let value = self.used(value);
        before.push(self.make(OpKind::Basic(Basic::Assign { var, value })));
        self.assigned.insert(var);
        Expr::var(var, ty)
    }

    /// What would only be copied by an assignment is used where it stands: a variable without a value
    /// is a fault already there.
    fn used(&self, value: Expr) -> Expr {
        match value.copied_var() {
            Some(var) if !self.assigned.contains(var) => Expr {
                ty: value.ty,
                kind: ExprKind::Select(
                    Arc::new(Expr::bool(true)),
                    Arc::new(value.clone()),
                    Arc::new(value),
                ),
            },
            _ => value,
        }
    }

    fn temporary(&mut self, ty: Type) -> VarId {
        let var = VarId(self.vars.len() as u32);
        self.vars.push(VarDecl {
            name: format!("t{}", var.0).into(),
            ty,
            span: self.span,
        });
        var
    }
}
