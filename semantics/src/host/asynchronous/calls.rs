//! `StreamOperation`, of the host: a request to a stream, an event or a device, after which the host continues, or
//! waits for operations (beyond the paper). With `Q` the operations that have not ended, and `after(s)` those that
//! must end before the next operation of stream `s` begins:
//!
//! ```text
//! enqueue   (y(s);R, Q)     →  (R, Q ∪ {t ↦ (s, after(s), y)})   t a new ticket
//! wait      (sync(s);R, Q)  →  (R, Q)                            if no ticket of s is in Q
//! ```
//!
//! Premises: [`Premise::RequestIsValid`], without which the step is a fault, and [`Premise::HostMayGoOn`].
//!
//! Effect: the request is entered in the queues ([`streams`](super::super::streams)); memory stays, except for memory
//! that is freed at once. Copies are in [`copy`](super::copy): whether the host waits for one depends on its source
//! and target.

use super::super::happening::{Happening, Range, Toucher};
use super::super::label::{fail, label};
use super::super::launch;
use super::super::state::State;
use super::super::streams::{DEVICES, Event, Stream, StreamId, Ticket, Work};
use super::performed::Performed;
use crate::algebra::expr::Expr;
use crate::algebra::operator::{Basic, Op, OpId, OpKind};
use crate::algebra::types::ScalarType;
use crate::algebra::value::{ArrayRef, Value};
use crate::analysis::stream_operator::is_stream_operator;
use crate::evaluation::eval::eval;
use crate::setup::context::Context;
use crate::thread::view::Reading;
use crate::thread::{Head, ThreadState, allocation};
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;
use crate::transition::{AccessMode, Actor, Rule};
use std::sync::Arc;

/// The operator of this kind a host thread stands at.
fn head(thread: &ThreadState) -> Option<(&Arc<Op>, &Basic)> {
    match thread.head() {
        Head::Op(op) => match &op.kind {
            OpKind::Basic(basic) if is_stream_operator(basic) => Some((op, basic)),
            _ => None,
        },
        _ => None,
    }
}

/// A step of a host thread that stands at an operator of this kind; `None` while it waits.
pub(crate) fn step(context: &Context, state: &State, who: Actor) -> Option<Performed> {
    let thread = state.host_thread(who)?;
    let (op, basic) = head(thread)?;
    let reading = Reading::new(state.view(context, who)?);
    let mut step = HostStep {
        state,
        who,
        op: op.id,
        reading,
        after: state.clone(),
        thread: (**thread).clone(),
        happenings: Vec::new(),
    };
    let outcome = step.perform(basic);
    decided(Premise::RequestIsValid, outcome.is_ok());
    if let Ok(enabled) = &outcome {
        decided(Premise::HostMayGoOn, *enabled == Enabled::Yes);
    }
    let HostStep {
        reading,
        mut after,
        mut thread,
        happenings,
        ..
    } = step;
    let mut touched = reading.touched;
    if let Basic::Wait { .. } = basic {
        // WAIT acquires: it reads what others release.
        touched.iter_mut().for_each(|t| t.mode = AccessMode::Atomic);
    }
    let mut label = label(Rule::StreamOperation, who, who, op.id, &touched);
    match outcome {
        Ok(Enabled::No) => return None,
        Ok(Enabled::Yes) => {
            thread.advance(&context.program);
            after.set_host_thread(who, thread);
        }
        Err(kind) => {
            after = state.clone();
            fail(&mut label, &mut after, who, op.id, kind);
        }
    }
    Some(Performed {
        label,
        after,
        happenings,
    })
}

/// Whether the host may continue.
#[derive(PartialEq)]
pub(super) enum Enabled {
    Yes,
    No,
}

/// A step of a host thread in the making.
pub(super) struct HostStep<'a> {
    pub state: &'a State,
    pub who: Actor,
    op: OpId,
    pub reading: Reading<'a>,
    pub after: State,
    pub thread: ThreadState,
    pub happenings: Vec<Happening>,
}

impl HostStep<'_> {
    fn perform(&mut self, basic: &Basic) -> Result<Enabled, FaultKind> {
        match basic {
            Basic::SetDevice { device } => {
                let device = self.integer(device)?;
                if !(0..DEVICES as i128).contains(&device) {
                    let device = i64::try_from(device).unwrap_or(i64::MAX);
                    return Err(FaultKind::NoSuchDevice { device });
                }
                self.thread.device = device as u32;
            }
            Basic::StreamCreate { var, non_blocking } => {
                self.after.queues.streams.push_back(Stream {
                    device: self.thread.device,
                    non_blocking: *non_blocking,
                    frontier: Vec::new(),
                    op: self.op,
                    destroyed: false,
                });
                let handle = self.after.queues.streams.len();
                self.thread.assign(*var, handle_value(handle));
            }
            Basic::EventCreate { var } => {
                self.after.queues.events.push_back(Event {
                    recorded: Vec::new(),
                    op: self.op,
                    destroyed: false,
                });
                let handle = self.after.queues.events.len();
                self.thread.assign(*var, handle_value(handle));
            }
            Basic::StreamDestroy { stream } => match self.stream(stream).map_err(twice)? {
                StreamId::Created(handle) => {
                    self.after.queues.streams[handle as usize - 1].destroyed = true;
                }
                StreamId::Default(_) | StreamId::PerThread(_) => return Err(null()),
            },
            Basic::EventDestroy { event } => {
                let event = self.event(event).map_err(twice)?;
                self.after.queues.events[event].destroyed = true;
            }
            Basic::StreamSync { stream } => {
                let stream = self.stream(stream)?;
                let tickets = self.state.queues.frontier(stream);
                return Ok(self.wait_for(tickets));
            }
            Basic::EventSync { event } => {
                let event = self.event(event)?;
                let tickets = self.state.queues.events[event].recorded.clone();
                return Ok(self.wait_for(tickets));
            }
            Basic::DeviceSync => {
                let tickets = self.state.queues.before_all(self.thread.device);
                return Ok(self.wait_for(tickets));
            }
            Basic::EventRecord { event, stream } => {
                let event = self.event(event)?;
                let stream = self.stream(stream)?;
                self.after.queues.record(event, stream);
            }
            Basic::StreamWait { stream, event } => {
                let stream = self.stream(stream)?;
                let event = self.event(event)?;
                self.after.queues.wait_for(stream, event);
            }
            Basic::Wait { cond } if eval(cond, &mut self.reading)? != Value::Bool(true) => {
                return Ok(Enabled::No);
            }
            Basic::Free {
                pointer,
                space,
                stream: Some(stream),
            } => {
                let pointer = self.reading.pointer(pointer)?;
                let stream = self.stream(stream)?;
                if pointer.array != ArrayRef::Null {
                    let space = *space;
                    allocation::free(&mut self.state.memory.clone(), pointer, space)?;
                    self.enqueue(stream, Work::Free { pointer, space });
                }
            }
            Basic::Free { pointer, space, .. } => {
                let freed = self.reading.pointer(pointer)?;
                if freed.array != ArrayRef::Null {
                    allocation::free(&mut self.after.memory, freed, *space)?;
                    self.happenings.push(Happening::Freed {
                        by: Toucher::Host(self.who),
                        array: freed.array,
                    });
                }
            }
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream,
            } => return self.copy(*kind, (dst, src), bytes, stream.as_ref()),
            Basic::CallGpu { stream, .. } => {
                let context = self.reading.view.context;
                let launch = launch::request(context, basic, &mut self.reading)?;
                let stream = match stream {
                    Some(stream) => self.stream(stream)?,
                    None => StreamId::Default(self.thread.device),
                };
                let (of_stream, current) =
                    (self.state.queues.device_of(stream), self.thread.device);
                if of_stream != current {
                    let reason = format!(
                        "the stream belongs to device {of_stream}, but the current device is \
                         {current}"
                    );
                    return Err(FaultKind::InvalidLaunch { reason });
                }
                self.enqueue(stream, launch);
            }
            _ => {}
        }
        Ok(Enabled::Yes)
    }

    fn integer(&mut self, expr: &Expr) -> Result<i128, FaultKind> {
        Ok(eval(expr, &mut self.reading)?.integer())
    }

    pub fn stream(&mut self, handle: &Expr) -> Result<StreamId, FaultKind> {
        let handle = self.integer(handle)? as u64;
        self.state.queues.stream(handle, self.thread.device)
    }

    fn event(&mut self, handle: &Expr) -> Result<usize, FaultKind> {
        let handle = self.integer(handle)? as u64;
        self.state.queues.event(handle)
    }

    pub fn wait_for(&mut self, tickets: Vec<Ticket>) -> Enabled {
        if !self.state.queues.have_ended(&tickets) {
            return Enabled::No;
        }
        self.happenings.push(Happening::Waited {
            host: self.who,
            tickets,
        });
        Enabled::Yes
    }

    pub fn enqueue(&mut self, stream: StreamId, work: Work) {
        let ticket = self.after.queues.enqueue(stream, self.op, work);
        let after = self.after.queues.pending[&ticket].after.clone();
        self.happenings.push(Happening::Enqueued {
            host: self.who,
            ticket,
            after,
        });
    }

    pub fn touched(&mut self, by: Toucher, ranges: impl IntoIterator<Item = Range>) {
        let touched = ranges
            .into_iter()
            .map(|range| Happening::Touched { by, range });
        self.happenings.extend(touched);
    }
}

fn handle_value(handle: usize) -> Value {
    Value::int(ScalarType::U64, handle as i128)
}

fn null() -> FaultKind {
    FaultKind::NullPointer {
        mode: AccessMode::Write,
    }
}

/// A handle that was destroyed before is destroyed again.
fn twice(kind: FaultKind) -> FaultKind {
    match kind {
        FaultKind::DeadHandle { handle, .. } => FaultKind::DeadHandle {
            handle,
            again: true,
        },
        other => other,
    }
}
