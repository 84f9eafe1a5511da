//! Barriers dropped and moved.

use super::{Mutation, Nursery, with_kind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpId, OpKind};
use gridlock_semantics::analysis::loops::counted_loop;
use std::sync::Arc;

/// What the operator is called, if it is a barrier.
fn barrier(op: &Op) -> Option<&'static str> {
    match &op.kind {
        OpKind::Basic(Basic::Barrier { .. }) => Some("the barrier"),
        OpKind::Basic(Basic::NamedBarrier { .. }) => Some("the named barrier"),
        OpKind::Basic(Basic::GridBarrier) => Some("the grid's barrier"),
        OpKind::Basic(Basic::SyncWarp { .. }) => Some("the warp's barrier"),
        _ => None,
    }
}

pub(super) fn dropped(nursery: &mut Nursery) {
    for (proc, op) in nursery.operators() {
        if let Some(what) = barrier(op) {
            nursery.replace(
                Mutation::BarrierDropped,
                (proc, op.span),
                op.id,
                &Op::skip(),
                format!("{what} is dropped"),
            );
        }
    }
}

pub(super) fn moved(nursery: &mut Nursery) {
    for (proc, op) in nursery.operators() {
        match &op.kind {
            OpKind::Seq(parts) => {
                within_sequence(nursery, proc, op, parts);
                if counted_loop(op).is_some() {
                    out_of_loop(nursery, proc, op, &parts[1]);
                }
            }
            OpKind::While { .. } if !is_counted(nursery, op.id) => {
                out_of_loop(nursery, proc, op, op);
            }
            _ => {}
        }
    }
}

/// Whether the loop is the second half of a counted one.
fn is_counted(nursery: &Nursery, of: OpId) -> bool {
    let operators = nursery.operators();
    let mut counted = operators.iter().filter_map(|(_, op)| counted_loop(op));
    counted.any(|counted| counted.while_op.id == of)
}

/// Past a neighbour, and into one that has a body.
fn within_sequence(nursery: &mut Nursery, proc: ProcId, seq: &Arc<Op>, parts: &[Arc<Op>]) {
    for (at, part) in parts.iter().enumerate() {
        let Some(what) = barrier(part) else {
            continue;
        };
        let mut propose = |parts: Vec<Arc<Op>>, description: String| {
            let with = with_kind(seq, OpKind::Seq(parts));
            let place = (proc, part.span);
            nursery.replace(Mutation::BarrierMoved, place, seq.id, &with, description);
        };
        let line = |neighbour: &Op| neighbour.span.line;
        for (other, side) in [
            (at.checked_sub(1), Side::Before),
            (Some(at + 1), Side::After),
        ] {
            let Some((other, neighbour)) = other.and_then(|n| Some((n, parts.get(n)?))) else {
                continue;
            };
            if barrier(neighbour).is_some() {
                continue;
            }
            let mut swapped = parts.to_vec();
            swapped.swap(at, other);
            propose(
                swapped,
                format!("{what} moves {} line {}", side.word(), line(neighbour)),
            );
            for (inside, place) in insides(neighbour, part, side) {
                let mut into = parts.to_vec();
                into[other] = inside;
                into.remove(at);
                propose(
                    into,
                    format!("{what} moves into the {place} of line {}", line(neighbour)),
                );
            }
        }
    }
}

/// On which side of the barrier a neighbour stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

impl Side {
    /// Where the barrier goes.
    const fn word(self) -> &'static str {
        match self {
            Side::Before => "before",
            Side::After => "behind",
        }
    }
}

/// `neighbour` with the barrier in one of its bodies, at the end next to where it was.
fn insides(neighbour: &Arc<Op>, barrier: &Arc<Op>, side: Side) -> Vec<(Arc<Op>, &'static str)> {
    let with = |body: &Arc<Op>| {
        let parts = match side {
            Side::Before => vec![body.clone(), barrier.clone()],
            Side::After => vec![barrier.clone(), body.clone()],
        };
        Op::new(OpKind::Seq(parts), body.span)
    };
    match &neighbour.kind {
        OpKind::If {
            cond,
            then,
            otherwise,
        } => {
            let kind = OpKind::If {
                cond: cond.clone(),
                then: with(then),
                otherwise: otherwise.clone(),
            };
            vec![(with_kind(neighbour, kind), "branch")]
        }
        OpKind::While { cond, body } => {
            let kind = OpKind::While {
                cond: cond.clone(),
                body: with(body),
            };
            vec![(with_kind(neighbour, kind), "loop")]
        }
        OpKind::Seq(_) => match counted_loop(neighbour) {
            Some(counted) => {
                let body = with(counted.body);
                let inside = super::substitute(neighbour, counted.body.id, &body);
                vec![(inside, "loop")]
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// A barrier anywhere in the loop goes behind it. `whole` is the loop with its initialisation.
fn out_of_loop(nursery: &mut Nursery, proc: ProcId, whole: &Arc<Op>, the_loop: &Arc<Op>) {
    let mut inside = Vec::new();
    the_loop.walk(&mut |op| {
        if barrier(op).is_some() {
            inside.push(op.clone());
        }
    });
    for op in inside {
        let without = super::substitute(whole, op.id, &Op::skip());
        let with = Op::new(OpKind::Seq(vec![without, op.clone()]), whole.span);
        let description = format!(
            "{} moves behind the loop of line {}",
            barrier(&op).unwrap_or_default(),
            whole.span.line
        );
        let place = (proc, op.span);
        nursery.replace(Mutation::BarrierMoved, place, whole.id, &with, description);
    }
}
