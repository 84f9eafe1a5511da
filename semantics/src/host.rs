//! The CPU thread and its device, `S_gc` (paper 2, sections 2.3 and 2.6). The CPU runs R1–R5.
//!
//! R8: CPU head `call_gpu(P, block, grid)`, device idle: the device holds the initial state of
//! the grid; the CPU's head stays.
//! R9: CPU head `call_gpu(…)`, device final: the head is removed and the device is idle; the
//! device's memory stays.
//!
//! While a launch is in progress the CPU does not move, so its memory does not change.

use crate::context::Context;
use crate::device_limits::static_shared_bytes;
use crate::eval::eval;
use crate::expr::Expr;
use crate::fault::{Fault, FaultKind};
use crate::grid::GridState;
use crate::operator::{Basic, Op, OpId, OpKind};
use crate::premises::{Premise, decided};
use crate::program::ProcId;
use crate::rules::{self, Effect};
use crate::setup::Launch;
use crate::system::{End, State};
use crate::thread::Head;
use crate::transition::{Access, Actor, Label, Rule};
use crate::value::Value;
use crate::view::{Reading, Touched, View};
use std::sync::Arc;

fn view<'a>(context: &'a Context, state: &'a State) -> Option<View<'a>> {
    Some(View {
        context,
        memory: &state.memory,
        thread: state.host.as_ref()?,
        device: None,
    })
}

fn launch_head(state: &State) -> Option<&Arc<Op>> {
    match state.host.as_ref()?.head() {
        Head::Op(op) if matches!(op.kind, OpKind::Basic(Basic::CallGpu { .. })) => Some(op),
        _ => None,
    }
}

/// The CPU's own transition: none while a launch is in progress or next.
pub fn step(context: &Context, state: &State) -> Vec<(Label, State)> {
    if state.device.is_some() || launch_head(state).is_some() {
        return vec![];
    }
    let Some(outcome) = view(context, state).and_then(rules::step) else {
        return vec![];
    };
    let mut after = state.clone();
    let label = match outcome {
        Ok(step) => {
            let label = label(step.rule, Actor::Host, step.op, &step.touched);
            after.host = Some(Arc::new(step.thread));
            apply(&mut after, step.effect);
            label
        }
        Err(failure) => {
            let mut label = label(failure.rule, Actor::Host, failure.op, &failure.touched);
            fail(&mut label, &mut after, failure.op, failure.kind);
            label
        }
    };
    vec![(label, after)]
}

/// R8 and R9.
pub fn launch_boundary(context: &Context, state: &State) -> Vec<(Label, State)> {
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
            vec![(label(Rule::R9, Actor::Device, op.id, &[]), after)]
        }
        Some(_) => {
            decided(Premise::DeviceIsIdle, false);
            vec![]
        }
    }
}

fn begin(context: &Context, state: &State, op: &Arc<Op>) -> Vec<(Label, State)> {
    let Some(view) = view(context, state) else {
        return vec![];
    };
    let mut reading = Reading {
        view,
        touched: Vec::new(),
    };
    let requested = request(context, op, &mut reading);
    decided(Premise::LaunchIsValid, requested.is_ok());
    let mut label = label(Rule::R8, Actor::Device, op.id, &reading.touched);
    let mut after = state.clone();
    match requested {
        Err(kind) => {
            fail(&mut label, &mut after, op.id, kind);
            vec![(label, after)]
        }
        Ok((kernel, launch, args)) => GridState::initial(context, kernel, launch, &args)
            .into_iter()
            .map(|grid| {
                let mut launched = after.clone();
                launched.device = Some(grid);
                (label.clone(), launched)
            })
            .collect(),
    }
}

fn request(
    context: &Context,
    op: &Arc<Op>,
    reading: &mut Reading<'_>,
) -> Result<(ProcId, Launch, Vec<Value>), FaultKind> {
    let OpKind::Basic(Basic::CallGpu {
        kernel,
        grid,
        block,
        shared_bytes,
        args,
        ..
    }) = &op.kind
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
    match context.limits.validate(&launch, declared) {
        Ok(()) => Ok((*kernel, launch, values)),
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

fn label(rule: Rule, actor: Actor, op: OpId, touched: &[Touched]) -> Label {
    let access = |t: &Touched| Access {
        actor: Actor::Host,
        array: t.array,
        index: t.index,
        mode: t.mode,
        op,
    };
    Label {
        rule,
        actors: vec![actor],
        op: Some(op),
        accesses: touched.iter().map(access).collect(),
        fault: None,
    }
}

fn fail(label: &mut Label, after: &mut State, op: OpId, kind: FaultKind) {
    let fault = Fault {
        kind,
        actor: Actor::Host,
        op,
    };
    after.end = Some(End::Fault(Arc::new(fault.clone())));
    label.fault = Some(fault);
}

fn apply(state: &mut State, effect: Effect) {
    match effect {
        Effect::Replace(memory) => state.memory = memory,
        Effect::Discard => state.end = Some(End::Discarded),
        Effect::Write { to, value } => {
            if let Some(array) = state.memory.array_mut(to.array) {
                array.set(to.offset, value);
            }
        }
        // The CPU has no barriers and no atomics.
        Effect::Nothing | Effect::Atomic { .. } | Effect::CountArrival | Effect::ClearArrivals => {}
    }
}
