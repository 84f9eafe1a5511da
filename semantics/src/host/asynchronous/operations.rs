//! `StreamOperation`, of a stream: its oldest operation runs (beyond the paper). With `Q` the operations that have
//! not ended, and the device idle:
//!
//! ```text
//! (b, Q ∪ {t ↦ (s, A, y)})  →  (y(b), Q)   if t is the oldest of s, and no ticket of A is in Q
//! ```
//!
//! Premise: [`OperationIsNext`](crate::transition::premise::Premise::OperationIsNext).
//!
//! Effect: a copy or a release is made as a whole, by the functions that make those of a CPU without streams
//! ([`copy`](crate::thread::copy), [`allocation`]). A launch begins with R8 and ends with R9 ([`launch`]).

use super::super::happening::{Happening, Toucher};
use super::super::label::{fail, label};
use super::super::launch;
use super::super::state::State;
use super::super::streams::{StreamId, Work};
use super::performed::Performed;
use crate::setup::context::Context;
use crate::thread::allocation;
use crate::thread::copy::copy;
use crate::thread::view::Reading;
use crate::transition::{Actor, Rule};
use std::sync::Arc;

/// The oldest operation of a stream, if it may run: a copy as a whole, or the begin of a launch
/// (in as many ways as the profile's scheduling of blocks has).
pub(crate) fn step(context: &Context, state: &State, stream: StreamId) -> Vec<Performed> {
    if state.device.is_some() {
        return vec![];
    }
    let (Some((ticket, operation)), Some(host)) = (state.queues.ready(stream), &state.host) else {
        return vec![];
    };
    let (actor, op) = (stream.actor(), operation.op);
    let mut label = label(Rule::StreamOperation, actor, actor, op, &[]);
    match &operation.work {
        Work::Copy {
            kind,
            dst,
            src,
            bytes,
        } => {
            let Some(view) = state.view(context, Actor::Host) else {
                return vec![];
            };
            let reading = Reading::new(view);
            let mut after = state.clone();
            let mut thread = (**host).clone();
            let memory = &mut after.memory;
            let copied = copy(&reading, memory, &mut thread, *kind, (*dst, *src), *bytes);
            let mut happenings = Vec::new();
            match copied {
                Ok(()) => {
                    after.queues.pending.remove(&ticket);
                    if host.is_running() {
                        after.host = Some(Arc::new(thread));
                    }
                    let by = Toucher::Operation(ticket);
                    let ranges = state.ranges(view, *dst, *src, *bytes).into_iter().flatten();
                    happenings.extend(ranges.map(|range| Happening::Touched { by, range }));
                }
                Err(kind) => fail(&mut label, &mut after, actor, op, kind),
            }
            vec![Performed {
                label,
                after,
                happenings,
            }]
        }
        Work::Free { pointer, space } => {
            let mut after = state.clone();
            let mut happenings = Vec::new();
            match allocation::free(&mut after.memory, *pointer, *space) {
                Ok(()) => {
                    after.queues.pending.remove(&ticket);
                    happenings.push(Happening::Freed {
                        by: Toucher::Operation(ticket),
                        array: pointer.array,
                    });
                }
                Err(kind) => fail(&mut label, &mut after, actor, op, kind),
            }
            vec![Performed {
                label,
                after,
                happenings,
            }]
        }
        launch @ Work::Launch { .. } => {
            label.rule = Rule::R8;
            let mut running = state.clone();
            running.queues.running = Some(ticket);
            let device = state.queues.device_of(stream);
            let begun = launch::begin(context, &running, &label, launch, device).into_iter();
            begun
                .map(|(label, after)| Performed {
                    label,
                    after,
                    happenings: Vec::new(),
                })
                .collect()
        }
    }
}
