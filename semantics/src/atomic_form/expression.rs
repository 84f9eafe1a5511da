//! Expressions, whose loads become operators before them.

use super::may_fault::may_fault;
use super::translation::Translation;
use crate::algebra::declaration::VarDecl;
use crate::algebra::expr::{BinaryOp, Expr, ExprKind};
use crate::algebra::ids::VarId;
use crate::algebra::operator::{Basic, Op, OpKind};
use crate::algebra::types::Type;
use std::sync::Arc;

impl Translation<'_> {
    /// Expressions evaluated one after another.
    pub(super) fn expressions(&mut self, exprs: &[&Expr], before: &mut Vec<Arc<Op>>) -> Vec<Expr> {
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

    pub(super) fn expression(&mut self, expr: &Expr, before: &mut Vec<Arc<Op>>) -> Expr {
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

    pub(super) fn pair(
        &mut self,
        a: &Expr,
        b: &Expr,
        before: &mut Vec<Arc<Op>>,
    ) -> (Arc<Expr>, Arc<Expr>) {
        let mut a = self.expression(a, before);
        if b.has_load() && may_fault(&a, &self.assigned) {
            a = self.keep_in_temporary(a, before);
        }
        (Arc::new(a), Arc::new(self.expression(b, before)))
    }

    /// `cond ? then : otherwise` by a branch.
    pub(super) fn branch(
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

    pub(super) fn keep_in_temporary(&mut self, value: Expr, before: &mut Vec<Arc<Op>>) -> Expr {
        let ty = value.ty;
        let var = self.temporary(ty);
        let value = self.used(value);
        before.push(self.make(OpKind::Basic(Basic::Assign { var, value })));
        self.assigned.insert(var);
        Expr::var(var, ty)
    }

    /// What would only be copied by an assignment is used where it stands: a variable without a value
    /// is a fault already there.
    pub(super) fn used(&self, value: Expr) -> Expr {
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

    pub(super) fn temporary(&mut self, ty: Type) -> VarId {
        let var = VarId(self.vars.len() as u32);
        self.vars.push(VarDecl {
            name: format!("t{}", var.0).into(),
            ty,
            span: self.span,
        });
        var
    }
}
