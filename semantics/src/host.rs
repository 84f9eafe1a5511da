//! The CPU threads and their device, `S_gc` (paper 2, sections 2.3 and 2.6). The CPU runs R1–R5.
//!
//! R8: CPU head `call_gpu(P, block, grid)`, device idle: the device holds the initial state of
//! the grid; the CPU's head stays.
//! R9: CPU head `call_gpu(…)`, device final: the head is removed and the device is idle; the
//! device's memory stays.
//!
//! While a launch is in progress the CPU does not move, so its memory does not change. With
//! streams, launches are operations of a stream: see [`crate::asynchronous`].

use crate::asynchronous;
use crate::context::Context;
use crate::device_limits::static_shared_bytes;
use crate::eval::eval;
use crate::expr::Expr;
use crate::fault::{Fault, FaultKind};
use crate::grid::GridState;
use crate::host_threads;
use crate::operator::{Basic, Op, OpId, OpKind};
use crate::premises::{Premise, decided};
use crate::rules::{self, Effect, atomic};
use crate::setup::Launch;
use crate::stream_operator::is_stream_operator;
use crate::streams::StreamId;
use crate::system::{End, State};
use crate::thread::{Head, ThreadState};
use crate::transition::{Access, Actor, Label, Rule};
use crate::value::Value;
use crate::view::{Reading, Touched, View};
use std::sync::Arc;

fn view<'a>(context: &'a Context, state: &'a State, who: Actor) -> Option<View<'a>> {
    Some(View {
        context,
        memory: &state.memory,
        thread: state.host_thread(who)?,
        device: None,
    })
}

fn launch_head(state: &State) -> Option<&Arc<Op>> {
    match state.host.as_ref()?.head() {
        Head::Op(op) if matches!(op.kind, OpKind::Basic(Basic::CallGpu { .. })) => Some(op),
        _ => None,
    }
}

/// The own transition of a CPU thread: none while a launch is in progress or, without streams,
/// next; none while it waits.
pub fn step(context: &Context, state: &State, who: Actor) -> Vec<(Label, State)> {
    if state.device.is_some() {
        return vec![];
    }
    let Some(view) = view(context, state, who) else {
        return vec![];
    };
    if let Some(found) = host_threads::step(context, state, who) {
        return found;
    }
    if let Head::Op(op) = view.thread.head()
        && let OpKind::Basic(basic) = &op.kind
    {
        if context.asynchronous && is_stream_operator(basic) {
            let performed = asynchronous::host_step(context, state, who);
            return performed.map(|p| (p.label, p.after)).into_iter().collect();
        }
        if let Basic::CallGpu { .. } = basic {
            return vec![];
        }
    }
    let Some(outcome) = rules::step(view) else {
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

/// The step of a stream: its oldest operation, if that may run.
pub fn stream_step(context: &Context, state: &State, stream: StreamId) -> Vec<(Label, State)> {
    let performed = asynchronous::operation_step(context, state, stream);
    performed.into_iter().map(|p| (p.label, p.after)).collect()
}

/// R8 and R9; of a launch out of a stream, R9 only.
pub fn launch_boundary(context: &Context, state: &State) -> Vec<(Label, State)> {
    if context.asynchronous {
        return asynchronous::end_launch(state);
    }
    let Some(op) = launch_head(state) else {
        return vec![];
    };
    match &state.device {
        None => {
            decided(Premise::DeviceIsIdle, true);
            begin(context, state, op)
        }
        Some(grid) if decided(Premise::DeviceIsFinal, grid.is_final()) => {
            let mut after = state.clone();
            after.device = None;
            if let Some(host) = &state.host {
                let mut host = (**host).clone();
                host.advance(&context.program);
                after.host = Some(Arc::new(host));
            }
            let label = label(Rule::R9, Actor::Device, Actor::Host, op.id, &[]);
            vec![(label, after)]
        }
        Some(_) => {
            decided(Premise::DeviceIsIdle, false);
            vec![]
        }
    }
}

fn begin(context: &Context, state: &State, op: &Arc<Op>) -> Vec<(Label, State)> {
    let (Some(view), OpKind::Basic(basic)) = (view(context, state, Actor::Host), &op.kind) else {
        return vec![];
    };
    let Basic::CallGpu {
        kernel,
        cooperative,
        ..
    } = basic
    else {
        return vec![];
    };
    let mut reading = Reading {
        view,
        touched: Vec::new(),
    };
    let requested = request(context, basic, &mut reading);
    decided(Premise::LaunchIsValid, requested.is_ok());
    let touched = &reading.touched;
    let mut label = label(Rule::R8, Actor::Device, Actor::Host, op.id, touched);
    let mut after = state.clone();
    match requested {
        Err(kind) => {
            fail(&mut label, &mut after, Actor::Host, op.id, kind);
            vec![(label, after)]
        }
        Ok((launch, args)) => GridState::initial(context, *kernel, launch, &args, *cooperative)
            .into_iter()
            .map(|grid| {
                let mut launched = after.clone();
                launched.device = Some(grid);
                (label.clone(), launched)
            })
            .collect(),
    }
}

/// Shape and arguments of a launch, which the device accepts.
pub(crate) fn request(
    context: &Context,
    basic: &Basic,
    reading: &mut Reading<'_>,
) -> Result<(Launch, Vec<Value>), FaultKind> {
    let Basic::CallGpu {
        kernel,
        grid,
        block,
        shared_bytes,
        args,
        ..
    } = basic
    else {
        let reason = "not a launch".to_owned();
        return Err(FaultKind::InvalidLaunch { reason });
    };
    let launch = Launch {
        grid: extents(grid, reading)?,
        block: extents(block, reading)?,
        shared_bytes: number(shared_bytes, reading)?,
    };
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        values.push(eval(arg, reading)?);
    }
    let declared = static_shared_bytes(&context.program, *kernel);
    match context.setup.device.validate(&launch, declared) {
        Ok(()) => Ok((launch, values)),
        Err(invalid) => Err(FaultKind::InvalidLaunch {
            reason: invalid.reason,
        }),
    }
}

fn extents(exprs: &[Expr; 3], reading: &mut Reading<'_>) -> Result<[u32; 3], FaultKind> {
    Ok([
        number(&exprs[0], reading)?,
        number(&exprs[1], reading)?,
        number(&exprs[2], reading)?,
    ])
}

fn number(expr: &Expr, reading: &mut Reading<'_>) -> Result<u32, FaultKind> {
    Ok(eval(expr, reading)?.as_integer().unwrap_or(0) as u32)
}

/// `moves` fires; what was touched on the way, `touches` touched.
fn label(rule: Rule, moves: Actor, touches: Actor, op: OpId, touched: &[Touched]) -> Label {
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

fn fail(label: &mut Label, after: &mut State, actor: Actor, op: OpId, kind: FaultKind) {
    let fault = Fault { kind, actor, op };
    after.end = Some(End::Fault(Arc::new(fault.clone())));
    label.fault = Some(fault);
}

fn apply(state: &mut State, who: Actor, mut thread: ThreadState, effect: Effect) {
    match effect {
        Effect::Replace(memory) => state.memory = memory,
        Effect::Discard => state.end = Some(End::Discarded),
        Effect::Write { to, value } => {
            if let Some(array) = state.memory.array_mut(to.array) {
                array.set(to.offset, value);
            }
        }
        Effect::Atomic {
            at,
            function,
            operands,
            result,
        } => {
            if let Some(array) = state.memory.array_mut(at.array) {
                let old = array.get(at.offset);
                array.set(at.offset, atomic::apply(function, old, &operands));
                if let Some(var) = result {
                    thread.assign(var, old);
                }
            }
        }
        // The CPU has no barriers.
        Effect::Nothing | Effect::CountArrival | Effect::ClearArrivals => {}
    }
    state.set_host_thread(who, thread);
}
