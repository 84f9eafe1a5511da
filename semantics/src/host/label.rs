//! Labels of the CPU's transitions.

use super::state::State;
use crate::algebra::operator::OpId;
use crate::thread::view::Touched;
use crate::transition::fault::{Fault, FaultKind};
use crate::transition::{Access, Actor, End, Label, Rule};
use std::sync::Arc;

/// `moves` fires; what was touched on the way, `touches` touched.
pub(super) fn label(
    rule: Rule,
    moves: Actor,
    touches: Actor,
    op: OpId,
    touched: &[Touched],
) -> Label {
    let access = |t: &Touched| Access {
        actor: touches,
        array: t.array,
        index: t.index,
        mode: t.mode,
        op,
    };
    Label {
        rule,
        actors: vec![moves],
        op: Some(op),
        accesses: touched.iter().map(access).collect(),
        fault: None,
    }
}

pub(super) fn fail(label: &mut Label, after: &mut State, actor: Actor, op: OpId, kind: FaultKind) {
    let fault = Fault { kind, actor, op };
    after.end = Some(End::Fault(Arc::new(fault.clone())));
    label.fault = Some(fault);
}
