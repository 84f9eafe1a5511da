//! The transitions of `S_gc`: those of the threads of the CPU, of streams, and of the launch in progress.

use super::asynchronous::{calls, operations};
use super::label::{fail, label};
use super::state::State;
use super::streams::StreamId;
use super::{launch, launch_end, par};
use crate::algebra::operator::{Basic, OpKind};
use crate::analysis::stream_operator::is_stream_operator;
use crate::grid::transition::Due;
use crate::grid::{Device, alone, transition};
use crate::setup::context::Context;
use crate::thread::{self, Changed, Effect, Head, Step};
use crate::transition::{Actor, Advance, End, Going, Label};

/// Every transition out of a state.
pub fn all(context: &Context, state: &State) -> Vec<(Label, State)> {
    let mut found = Vec::new();
    for who in state.host_threads() {
        found.extend(step(context, state, who));
    }
    for stream in state.queues.busy() {
        found.extend(stream_step(context, state, stream));
    }
    found.extend(boundary(context, state));
    found.extend(of_launch(state, |device| transition::all(context, device)));
    found
}

/// The transitions in which exactly these actors fire.
pub fn fire(context: &Context, state: &State, actors: &[Actor]) -> Vec<(Label, State)> {
    match actors {
        [who @ (Actor::Host | Actor::HostThread(_))] => {
            return step(context, state, *who);
        }
        [Actor::Device] => {
            let mut found = boundary(context, state);
            found.extend(of_launch(state, |device| {
                transition::fire(context, device, actors)
            }));
            return found;
        }
        [actor] => {
            if let Some(stream) = StreamId::of_actor(*actor) {
                return stream_step(context, state, stream);
            }
        }
        _ => {}
    }
    of_launch(state, |device| transition::fire(context, device, actors))
}

/// What exactly these actors, of a launch in progress, are about to do.
pub fn due(context: &Context, state: &State, actors: &[Actor]) -> Option<Due> {
    let is_of_launch = |actor: &Actor| matches!(actor, Actor::Thread { .. } | Actor::Block(_));
    let grid = state.device.as_ref()?;
    match actors.iter().all(is_of_launch) {
        true => transition::due_of(context, &state.memory, grid, actors),
        false => None,
    }
}

/// The transitions that are due.
pub fn outcomes(context: &Context, state: &State, due: Due) -> Vec<(Label, State)> {
    of_launch(state, |device| transition::outcomes(context, device, due))
}

/// R8 and R9.
fn boundary(context: &Context, state: &State) -> Vec<(Label, State)> {
    let mut found = launch::fire(context, state);
    found.extend(launch_end::fire(context, state));
    found
}

/// Transitions of the launch in progress (level 3), as transitions of the whole.
fn of_launch(
    state: &State,
    found: impl FnOnce(&Device) -> Vec<(Label, Device)>,
) -> Vec<(Label, State)> {
    let Some(device) = state.launched() else {
        return vec![];
    };
    let found = found(&device).into_iter();
    found
        .map(|(label, device)| (label, state.with(device)))
        .collect()
}

/// The own transition of a CPU thread: none while a launch is in progress or, without streams,
/// next; none while it waits.
fn step(context: &Context, state: &State, who: Actor) -> Vec<(Label, State)> {
    if state.device.is_some() {
        return vec![];
    }
    let Some(view) = state.view(context, who) else {
        return vec![];
    };
    if let Some(found) = par::step(context, state, who) {
        return found;
    }
    if let Head::Op(op) = view.thread.head()
        && let OpKind::Basic(basic) = &op.kind
    {
        if context.asynchronous && is_stream_operator(basic) {
            let performed = calls::step(context, state, who);
            return performed.map(|p| (p.label, p.after)).into_iter().collect();
        }
        if let Basic::CallGpu { .. } = basic {
            return vec![];
        }
    }
    let Some(outcome) = thread::step(view) else {
        return vec![];
    };
    let mut after = state.clone();
    let label = match outcome {
        Ok(step) => {
            let label = label(step.rule, who, who, step.op, &step.touched);
            apply(&mut after, who, step.thread, step.effect);
            label
        }
        Err(failure) => {
            let mut label = label(failure.rule, who, who, failure.op, &failure.touched);
            fail(&mut label, &mut after, who, failure.op, failure.kind);
            label
        }
    };
    vec![(label, after)]
}

/// Makes own transitions of one thread, of the CPU or of a launch in progress, in place, one after another while `go` says
/// so, where nothing changes but that thread and memory; how many.
pub fn advance(
    context: &Context,
    state: &mut State,
    actors: &[Actor],
    mut go: impl FnMut(Advance) -> Going,
) -> u32 {
    match actors {
        [who @ (Actor::Host | Actor::HostThread(_))] => {
            let mut made = 0;
            loop {
                let going = advance_host(context, state, *who, &mut go);
                made += u32::from(going != Going::Stops);
                if going != Going::GoesOn {
                    return made;
                }
            }
        }
        [Actor::Thread { block, thread }] => match &mut state.device {
            Some(grid) => {
                let memory = &mut state.memory;
                alone::advance(context, memory, grid, (*block, *thread), go)
            }
            None => 0,
        },
        _ => 0,
    }
}

/// Makes one of the CPU, if there is one and it is to be made.
#[inline]
fn advance_host(
    context: &Context,
    state: &mut State,
    who: Actor,
    go: impl FnOnce(Advance) -> Going,
) -> Going {
    let Some(step) = own_of_host(context, state, who) else {
        return Going::Stops;
    };
    let going = go(step.advance());
    if going != Going::Stops {
        apply(state, who, step.thread, step.effect);
    }
    going
}

/// The own step of a thread of the CPU, where nothing changes but that thread and memory.
#[inline]
fn own_of_host(context: &Context, state: &State, who: Actor) -> Option<Step> {
    if state.device.is_some() {
        return None;
    }
    let view = state.view(context, who)?;
    if let Head::Op(op) = view.thread.head() {
        let is_of_others = match &op.kind {
            OpKind::Par(..) => true,
            OpKind::Basic(Basic::CallGpu { .. }) => true,
            OpKind::Basic(basic) => context.asynchronous && is_stream_operator(basic),
            _ => false,
        };
        if is_of_others {
            return None;
        }
    }
    let step = thread::step_in_place(view)?.ok()?;
    let is_plain = matches!(
        step.effect,
        Effect::Nothing | Effect::Write { .. } | Effect::Replace(_)
    );
    (is_plain && step.thread.is_running()).then_some(step)
}

/// The step of a stream: its oldest operation, if that may run.
fn stream_step(context: &Context, state: &State, stream: StreamId) -> Vec<(Label, State)> {
    let performed = operations::step(context, state, stream);
    performed.into_iter().map(|p| (p.label, p.after)).collect()
}

fn apply(state: &mut State, who: Actor, changed: Changed, effect: Effect) {
    match changed {
        Changed::Whole(after) => state.set_host_thread(who, *after),
        innermost => {
            if let Some(thread) = state.host_thread_mut(who) {
                innermost.make(thread);
            }
        }
    }
    match effect {
        Effect::Replace(memory) => state.memory = *memory,
        Effect::Discard => state.end = Some(End::Discarded),
        Effect::Write { to, value } => {
            if let Some(array) = state.memory.array_mut(to.array) {
                array.set(to.offset, value);
            }
        }
        Effect::Atomic { at, atomic } => {
            if let Some(array) = state.memory.array_mut(at.array) {
                let old = array.get(at.offset);
                array.set(at.offset, atomic.apply(old));
                if let (Some(var), Some(thread)) = (atomic.result, state.host_thread_mut(who)) {
                    thread.assign(var, old);
                }
            }
        }
        // The CPU has no barriers.
        Effect::Nothing | Effect::CountArrival | Effect::ClearArrivals => {}
    }
}
