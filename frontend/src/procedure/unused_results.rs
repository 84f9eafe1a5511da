//! Results of atomics that nothing reads. An object's `fetch_add`, read in place, hands its result on from variable to
//! variable, also where the program drops it in the end; whether a result is used decides what has to be known of the order
//! of atomics.

use gridlock_semantics::algebra::expr::ExprKind;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use std::collections::HashSet;
use std::sync::Arc;

/// The body without copies of variables that nothing reads, and without results of atomics that nothing reads.
/// `result`: what the procedure gives, which is read.
pub(crate) fn without_unused(body: &Arc<Op>, result: Option<VarId>) -> Arc<Op> {
    let mut body = body.clone();
    loop {
        let mut read: HashSet<VarId> = result.into_iter().collect();
        body.walk(&mut |op| {
            for expr in op.expressions() {
                expr.walk(&mut |e| {
                    if let ExprKind::Var(var) = e.kind {
                        read.insert(var);
                    }
                });
            }
        });
        let mut changed = false;
        body = without(&body, &read, &mut changed);
        if !changed {
            return body;
        }
    }
}

/// Whether floats of 16 bits are added: such an addition is a function of a header, and its result that of another.
pub(crate) fn adds_narrow_floats(body: &Arc<Op>) -> bool {
    let mut found = false;
    body.walk(&mut |op| {
        if let OpKind::Basic(Basic::Atomic { function, .. }) = &op.kind {
            found |= function.adds_narrow_floats();
        }
    });
    found
}

fn without(op: &Arc<Op>, read: &HashSet<VarId>, changed: &mut bool) -> Arc<Op> {
    let kind = match &op.kind {
        OpKind::Basic(Basic::Assign { var, value })
            if matches!(value.kind, ExprKind::Var(_)) && !read.contains(var) =>
        {
            *changed = true;
            return Op::skip();
        }
        OpKind::Basic(Basic::Atomic {
            function,
            scope,
            pointer,
            operands,
            result: Some(var),
        }) if !read.contains(var) => {
            *changed = true;
            OpKind::Basic(Basic::Atomic {
                function: *function,
                scope: *scope,
                pointer: pointer.clone(),
                operands: operands.clone(),
                result: None,
            })
        }
        OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(|op| without(op, read, changed)).collect()),
        OpKind::If {
            cond,
            then,
            otherwise,
        } => OpKind::If {
            cond: cond.clone(),
            then: without(then, read, changed),
            otherwise: without(otherwise, read, changed),
        },
        OpKind::While { cond, body } => OpKind::While {
            cond: cond.clone(),
            body: without(body, read, changed),
        },
        _ => return op.clone(),
    };
    Op::new(kind, op.span)
}
