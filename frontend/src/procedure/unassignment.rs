//! A declaration without initialiser inside a loop leaves its variable without a value each time it
//! is reached. If on every path the next use of the variable is an assignment, this makes no
//! difference, and the operator that takes the value away is left out.

use gridlock_semantics::algebra::expr::ExprKind;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Variables that may be read before they are assigned again.
type Live = BTreeSet<VarId>;

/// The body of a procedure without the unassignments that make no difference.
pub(crate) fn without_needless(body: &Arc<Op>) -> Arc<Op> {
    before(body, &Live::new()).0
}

/// The rest of `op`, and the variables that are live before it.
fn before(op: &Arc<Op>, after: &Live) -> (Arc<Op>, Live) {
    let mut live = after.clone();
    let kind = match &op.kind {
        OpKind::Seq(ops) => {
            let kept = sequence(ops, &mut live);
            let left = kept.iter().zip(ops);
            let left = left.filter(|(now, was)| now.kind != OpKind::Skip || was.kind == now.kind);
            let mut left: Vec<Arc<Op>> = left.map(|(now, _)| now.clone()).collect();
            match left.len() {
                0 => OpKind::Skip,
                1 if ops.len() > 1 => return (left.swap_remove(0), live),
                _ => OpKind::Seq(left),
            }
        }
        OpKind::If {
            cond,
            then,
            otherwise,
        } => {
            let (then, mut earlier) = before(then, after);
            let (otherwise, other) = before(otherwise, after);
            earlier.extend(other);
            live = earlier;
            OpKind::If {
                cond: cond.clone(),
                then,
                otherwise,
            }
        }
        OpKind::While { cond, body } => {
            read(op, &mut live);
            let body = loop {
                let (body, earlier) = loop_body(body, &live);
                if earlier.is_subset(&live) {
                    break body;
                }
                live.extend(earlier);
            };
            OpKind::While {
                cond: cond.clone(),
                body,
            }
        }
        OpKind::Par(a, b) => {
            let (a, earlier) = before(a, after);
            let (b, other) = before(b, after);
            live.extend(earlier);
            live.extend(other);
            OpKind::Par(a, b)
        }
        OpKind::Basic(Basic::Assign { var, value }) if value.is_no_value() => {
            if live.remove(var) {
                op.kind.clone()
            } else {
                OpKind::Skip
            }
        }
        kind => {
            let assigned = match kind {
                OpKind::Basic(basic) => basic.assigned(),
                OpKind::Call { result, .. } => *result,
                _ => None,
            };
            assigned.iter().for_each(|var| {
                live.remove(var);
            });
            kind.clone()
        }
    };
    read(op, &mut live);
    let op = if kind == op.kind {
        op.clone()
    } else {
        Arc::new(Op {
            kind,
            ..(**op).clone()
        })
    };
    (op, live)
}

fn sequence(ops: &[Arc<Op>], live: &mut Live) -> Vec<Arc<Op>> {
    let mut kept = Vec::new();
    for part in ops.iter().rev() {
        let (part, earlier) = before(part, live);
        *live = earlier;
        kept.push(part);
    }
    kept.reverse();
    kept
}

/// The body and the step of a counted loop stay two operators.
fn loop_body(body: &Arc<Op>, after: &Live) -> (Arc<Op>, Live) {
    match &body.kind {
        OpKind::Seq(ops) if ops.len() == 2 => {
            let mut live = after.clone();
            let kind = OpKind::Seq(sequence(ops, &mut live));
            let body = Arc::new(Op {
                kind,
                ..(**body).clone()
            });
            (body, live)
        }
        _ => before(body, after),
    }
}

fn read(op: &Op, live: &mut Live) {
    for expr in op.expressions() {
        expr.walk(&mut |e| {
            if let ExprKind::Var(var) = e.kind {
                live.insert(var);
            }
        });
    }
}
