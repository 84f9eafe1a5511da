//! Smaller programs out of a program: one operator less, a branch instead of an `if`, a body
//! instead of its loop.

use super::Generated;
use gridlock_semantics::algebra::operator::{Op, OpKind};
use std::sync::Arc;

pub(super) fn smaller(generated: &Generated) -> Vec<Generated> {
    let kernel = generated.kernel.0 as usize;
    let body = &generated.program.procs[kernel].body;
    let with_body = |body: Arc<Op>| {
        let mut smaller = generated.clone();
        smaller.program.procs[kernel].body = body;
        smaller.program.number_operators();
        smaller
    };
    variants(body).into_iter().map(with_body).collect()
}

fn variants(op: &Arc<Op>) -> Vec<Arc<Op>> {
    let rebuilt = |kind: OpKind| Op::new(kind, op.span);
    let mut found = Vec::new();
    match &op.kind {
        OpKind::Seq(ops) => {
            for (index, part) in ops.iter().enumerate() {
                let mut without = ops.clone();
                without.remove(index);
                found.push(rebuilt(OpKind::Seq(without)));
                for variant in variants(part) {
                    let mut changed = ops.clone();
                    changed[index] = variant;
                    found.push(rebuilt(OpKind::Seq(changed)));
                }
            }
        }
        OpKind::If {
            cond,
            then,
            otherwise,
        } => {
            found.extend([then.clone(), otherwise.clone()]);
            let branch = |then: Arc<Op>, otherwise: Arc<Op>| {
                rebuilt(OpKind::If {
                    cond: cond.clone(),
                    then,
                    otherwise,
                })
            };
            found.extend(
                variants(then)
                    .into_iter()
                    .map(|v| branch(v, otherwise.clone())),
            );
            found.extend(
                variants(otherwise)
                    .into_iter()
                    .map(|v| branch(then.clone(), v)),
            );
        }
        // The body alone: without its step a loop would not end.
        OpKind::While { body, .. } => found.push(body.clone()),
        OpKind::Skip | OpKind::Call { .. } | OpKind::Par(..) | OpKind::Basic(_) => {}
    }
    found
}
