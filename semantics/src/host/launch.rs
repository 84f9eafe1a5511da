//! R8 and R9 of launches that the CPU waits for, and what a launch asks for.

use super::label::{fail, label};
use super::state::State;
use crate::algebra::expr::Expr;
use crate::algebra::operator::{Basic, Op, OpKind};
use crate::algebra::value::Value;
use crate::evaluation::eval::eval;
use crate::grid::GridState;
use crate::setup::Launch;
use crate::setup::context::Context;
use crate::setup::device_limits::static_shared_bytes;
use crate::thread::Head;
use crate::thread::view::Reading;
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;
use crate::transition::{Actor, Label, Rule};
use std::sync::Arc;

fn launch_head(state: &State) -> Option<&Arc<Op>> {
    match state.host.as_ref()?.head() {
        Head::Op(op) if matches!(op.kind, OpKind::Basic(Basic::CallGpu { .. })) => Some(op),
        _ => None,
    }
}

/// R8 and R9 of a launch that the CPU waits for.
pub fn boundary(context: &Context, state: &State) -> Vec<(Label, State)> {
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
    let (Some(view), OpKind::Basic(basic)) = (state.view(context, Actor::Host), &op.kind) else {
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
