//! R8, launch (paper 2, section 2.6). With the CPU in `s = (b_c, call_gpu(P, block, grid);R, F)`:
//!
//! ```text
//! (s, (b_g, idle))  →  (s, (b_g, s₀ᵍ(P, block, grid)))
//! ```
//!
//! Premises: [`Premise::DeviceIsIdle`], [`Premise::LaunchIsValid`]; of a launch out of a stream those of its
//! operation ([`operations`](super::asynchronous::operations)).
//!
//! Effect: the device holds an initial state of the grid; there is one transition for each initial state
//! ([`GridState::initial`]). The CPU's head stays: for the CPU, the operator ends with R9. With streams, the launch
//! is an operation: the host requested it when it was enqueued, and it begins when it is the next one.

use super::label::{fail, label};
use super::state::State;
use super::streams::Work;
use crate::algebra::expr::Expr;
use crate::algebra::operator::{Basic, Op, OpKind};
use crate::evaluation::eval::eval;
use crate::grid::GridState;
use crate::setup::Launch;
use crate::setup::context::Context;
use crate::thread::Head;
use crate::thread::view::Reading;
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;
use crate::transition::{Actor, Label, Rule};
use std::sync::Arc;

/// The launch that a CPU without streams stands at, which it waits for.
pub(super) fn at_head(state: &State) -> Option<&Arc<Op>> {
    match state.host.as_ref()?.head() {
        Head::Op(op) if matches!(op.kind, OpKind::Basic(Basic::CallGpu { .. })) => Some(op),
        _ => None,
    }
}

/// R8 of a launch that the CPU stands at, and waits for.
pub(super) fn fire(context: &Context, state: &State) -> Vec<(Label, State)> {
    let (false, Some(op)) = (context.asynchronous, at_head(state)) else {
        return vec![];
    };
    if !decided(Premise::DeviceIsIdle, state.device.is_none()) {
        return vec![];
    }
    let (Some(view), OpKind::Basic(basic)) = (state.view(context, Actor::Host), &op.kind) else {
        return vec![];
    };
    let mut reading = Reading::new(view);
    let requested = request(context, basic, &mut reading);
    decided(Premise::LaunchIsValid, requested.is_ok());
    let touched = &reading.touched;
    let mut label = label(Rule::R8, Actor::Device, Actor::Host, op.id, touched);
    match requested {
        Ok(launch) => begin(context, state, &label, &launch, 0),
        Err(kind) => {
            let mut after = state.clone();
            fail(&mut label, &mut after, Actor::Host, op.id, kind);
            vec![(label, after)]
        }
    }
}

/// The effect of R8: `device` holds an initial state of the grid.
pub(super) fn begin(
    context: &Context,
    state: &State,
    label: &Label,
    launch: &Work,
    device: u32,
) -> Vec<(Label, State)> {
    let Work::Launch {
        kernel,
        launch,
        args,
        cooperative,
    } = launch
    else {
        return vec![];
    };
    let grids = GridState::initial(context, *kernel, *launch, args, *cooperative).into_iter();
    let begun = |grid: GridState| State {
        device: Some(grid.on_device(device)),
        ..state.clone()
    };
    grids.map(|grid| (label.clone(), begun(grid))).collect()
}

/// The launch that an operator asks for, which the device accepts.
///
/// # Errors
/// An operand is not defined, or the device refuses the launch.
pub(super) fn request(
    context: &Context,
    basic: &Basic,
    reading: &mut Reading<'_>,
) -> Result<Work, FaultKind> {
    let Basic::CallGpu {
        kernel,
        grid,
        block,
        shared_bytes,
        args,
        cooperative,
        stream: _,
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
    match context
        .setup
        .device
        .accept(&launch, &context.program, *kernel)
    {
        Ok(()) => Ok(Work::Launch {
            kernel: *kernel,
            launch,
            args: values,
            cooperative: *cooperative,
        }),
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
    Ok(eval(expr, reading)?.integer() as u32)
}
