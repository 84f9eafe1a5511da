//! `PAR(P, Q)`: the asynchronous disjunction of host operators (SAA-M). Two threads of the CPU run the branches side
//! by side; the thread that forked them waits for both.
//!
//! ```text
//! Fork  (b, PAR(P,Q);R, F) ‖ …  →  (b, PAR(P,Q);R, F) ‖ (b, P, F) ‖ (b, Q, F) ‖ …
//! Join  (b, PAR(P,Q);R, F) ‖ (b, ε, F′) ‖ (b, ε, F″) ‖ …  →  (b, R, F″′) ‖ …
//! ```
//!
//! Premises: [`Premise::HasNotForked`], [`Premise::BranchesHaveEnded`].
//!
//! Effect: branches share memory. Each branch has its own copy of the private variables. No branch reads or assigns a
//! variable that the other assigns (well-formedness), so the join takes each variable from the branch that assigns
//! it. A branch begins with device 0 current, as a new host thread does.

use super::state::State;
use crate::algebra::operator::{Op, OpId, OpKind};
use crate::analysis::assigned::assigned;
use crate::memory::Instances;
use crate::setup::context::Context;
use crate::thread::residual::Residual;
use crate::thread::{Frame, Head, Status, ThreadState};
use crate::transition::decision::decided;
use crate::transition::premise::Premise;
use crate::transition::{Actor, Label, Rule};
use std::sync::Arc;

/// The number of a host thread: see [`Actor::HostThread`].
fn number(who: Actor) -> Option<u32> {
    match who {
        Actor::Host => Some(1),
        Actor::HostThread(number) => Some(number),
        _ => None,
    }
}

/// The branches a thread's `PAR` has.
pub fn branches(who: Actor) -> Option<[Actor; 2]> {
    let first = number(who)?.checked_mul(2)?;
    Some([Actor::HostThread(first), Actor::HostThread(first + 1)])
}

/// Fork or join of the thread, when its head is `PAR`; `None` when it is not, nothing while its
/// branches run.
pub(crate) fn step(context: &Context, state: &State, who: Actor) -> Option<Vec<(Label, State)>> {
    let thread = state.host_thread(who)?;
    let Head::Op(op) = thread.head() else {
        return None;
    };
    let OpKind::Par(a, b) = &op.kind else {
        return None;
    };
    let [left, right] = branches(who)?;
    Some(match (state.host_thread(left), state.host_thread(right)) {
        (Some(x), Some(y)) => {
            decided(Premise::HasNotForked, false);
            let have_ended = !x.is_running() && !y.is_running();
            if decided(Premise::BranchesHaveEnded, have_ended) {
                vec![join(context, state, who, op.id, [(a, x), (b, y)])]
            } else {
                vec![]
            }
        }
        _ => {
            decided(Premise::HasNotForked, true);
            let mut after = state.clone();
            after.set_host_thread(left, branch(context, thread, a));
            after.set_host_thread(right, branch(context, thread, b));
            vec![(label(Rule::Fork, who, op.id), after)]
        }
    })
}

fn branch(context: &Context, parent: &ThreadState, body: &Arc<Op>) -> ThreadState {
    let frame = parent.frames.last().map(|frame| Frame {
        call_site: None,
        result_to: None,
        rest: Residual::EMPTY.prepend(body),
        iterations: Vec::new(),
        ..frame.clone()
    });
    let mut thread = ThreadState {
        status: Status::Running,
        frames: frame.into_iter().collect(),
        waiting: false,
        arrays: Instances::new(),
        result: None,
        is_branch: true,
        device: 0,
    };
    thread.settle(&context.program);
    thread
}

fn join(
    context: &Context,
    state: &State,
    who: Actor,
    op: OpId,
    ended: [(&Arc<Op>, &Arc<ThreadState>); 2],
) -> (Label, State) {
    let mut after = state.clone();
    if let Some(parent) = state.host_thread(who) {
        let mut parent = (**parent).clone();
        for (body, branch) in ended {
            for var in assigned(body) {
                let frame = branch.frames.first();
                if let Some(value) = frame.and_then(|f| f.vars.get(var.0 as usize)) {
                    parent.assign(var, *value);
                }
            }
        }
        parent.advance(&context.program);
        after.set_host_thread(who, parent);
    }
    for branch in branches(who).into_iter().flatten() {
        after.remove_host_thread(branch);
    }
    (label(Rule::Join, who, op), after)
}

fn label(rule: Rule, who: Actor, op: OpId) -> Label {
    Label {
        rule,
        actors: vec![who],
        op: Some(op),
        accesses: Vec::new(),
        fault: None,
    }
}
