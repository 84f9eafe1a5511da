//! Counted loops, recognised from structure. The shape of a loop is not stored beside its
//! operators: it is recognised from `init; WHILE cond DO (body THEN step)` each time it is needed.

use crate::algebra::expr::{Expr, ExprKind};
use crate::algebra::ids::VarId;
use crate::algebra::operator::{Basic, Op, OpKind};
use std::sync::Arc;

/// `for (var = init; cond; var = step) body`, as a view into `Seq[init, While]`.
#[derive(Clone, Debug)]
pub struct CountedLoop<'a> {
    /// The counter.
    pub var: VarId,
    /// Its first value.
    pub init: &'a Expr,
    /// Tested before each iteration.
    pub cond: &'a Expr,
    /// One iteration without the step; does not assign the counter.
    pub body: &'a Arc<Op>,
    /// The new value of `var`, an expression over `var`.
    pub step: &'a Expr,
    /// `var = init`
    pub init_op: &'a Arc<Op>,
    /// The loop.
    pub while_op: &'a Arc<Op>,
    /// `var = step`, the last operator of each iteration.
    pub step_op: &'a Arc<Op>,
}

/// Recognises `Seq[Assign(var, init), While(cond, Seq[body, Assign(var, step)])]` where `cond` and
/// `step` read `var` and `body` does not assign it. Exactly this nesting, which the front end
/// makes for every `for` and every rule that makes a loop keeps.
pub fn counted_loop(op: &Arc<Op>) -> Option<CountedLoop<'_>> {
    let OpKind::Seq(parts) = &op.kind else {
        return None;
    };
    let [init_op, while_op] = parts.as_slice() else {
        return None;
    };
    let OpKind::Basic(Basic::Assign { var, value: init }) = &init_op.kind else {
        return None;
    };
    let OpKind::While { cond, body: whole } = &while_op.kind else {
        return None;
    };
    let OpKind::Seq(inner) = &whole.kind else {
        return None;
    };
    let [body, step_op] = inner.as_slice() else {
        return None;
    };
    let OpKind::Basic(Basic::Assign {
        var: stepped,
        value: step,
    }) = &step_op.kind
    else {
        return None;
    };
    if init.is_no_value()
        || stepped != var
        || !reads(cond, *var)
        || !reads(step, *var)
        || assigns(body, *var)
    {
        return None;
    }
    Some(CountedLoop {
        var: *var,
        init,
        cond,
        body,
        step,
        init_op,
        while_op,
        step_op,
    })
}

/// Whether `expr` reads variable `var`.
pub fn reads(expr: &Expr, var: VarId) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= e.kind == ExprKind::Var(var));
    found
}

/// Whether some operator inside `op` assigns variable `var`.
pub fn assigns(op: &Arc<Op>, var: VarId) -> bool {
    let mut found = false;
    op.walk(&mut |o| {
        found |= match &o.kind {
            OpKind::Basic(basic) => basic.assigned() == Some(var),
            OpKind::Call { result, .. } => *result == Some(var),
            _ => false,
        }
    });
    found
}
