//! R9, return from a launch (paper 2, section 2.6). With the CPU in `s = (b_c, call_gpu(P, block, grid);R, F)` and
//! the grid in a final state with memory `b_g`:
//!
//! ```text
//! (s, (b_g, s_fᵍ))  →  ((b_c, R, F), (b_g, idle))
//! ```
//!
//! Premise: [`Premise::DeviceIsFinal`].
//!
//! Effect: the device is idle, and its memory stays. The CPU continues after the launch. For a launch in a stream,
//! after which the CPU has already continued, the operation ends instead.

use super::label::label;
use super::launch;
use super::state::State;
use crate::setup::context::Context;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;
use crate::transition::{Actor, Label, Rule};
use std::sync::Arc;

/// R9, when a launch is in progress that has ended.
pub(super) fn fire(context: &Context, state: &State) -> Option<(Label, State)> {
    let grid = state.device.as_ref()?;
    let out_of_stream = state.queues.running.and_then(|ticket| {
        let operation = state.queues.pending.get(&ticket)?;
        Some((ticket, operation.op))
    });
    let op = match out_of_stream {
        Some((_, op)) => op,
        None => launch::at_head(state)?.id,
    };
    if !decided(Premise::DeviceIsFinal, grid.is_final()) {
        return None;
    }
    let mut after = State {
        device: None,
        ..state.clone()
    };
    match (out_of_stream, &state.host) {
        (Some((ticket, _)), _) => {
            after.queues.running = None;
            after.queues.pending.remove(&ticket);
        }
        (None, Some(host)) => {
            let mut host = (**host).clone();
            host.advance(&context.program);
            after.host = Some(Arc::new(host));
        }
        (None, None) => {}
    }
    Some((label(Rule::R9, Actor::Device, Actor::Host, op, &[]), after))
}
