//! Host code with streams (beyond paper 2): the host enqueues operations and goes on; it waits
//! only where it says so.
//!
//! A program all of whose launches and copies are synchronous keeps R8 and R9: such a host cannot
//! tell, because the default stream runs everything in order and every copy waits for it
//! (`docs/host.md`). One with an operator that only streams give a meaning to runs by the rules
//! here, in every profile.
//!
//! **Operations are atomic.** An operation of a stream (a copy, a launch) runs to its end before
//! another begins or the host moves; *which* runs next is open, as far as
//! [`crate::host::streams`] leaves it. Real operations overlap. For programs in which no two unordered
//! operations, nor an operation and the host, touch one element (one of them not only reading)
//! that shows nowhere: steps of different operations then commute, so that every overlapping run
//! ends as one in which each operation is run as a whole. The others have a defect, and
//! [`Happening`]s are what it is judged by. Kernels that talk to each other while both run, or to
//! the host, are outside.
//!
//! How synchronous a copy is follows the runtime reference ("API synchronization behavior"):
//! `cudaMemcpy` waits for what came before it in the default stream; to the host, and between
//! page-locked host memory and the device, it has ended when the call returns; from pageable host
//! memory it has only read its source; between places of the device it is merely enqueued. (The
//! data moves at once in all of them; what has not ended for the host is in flight for
//! [`Happening`]s.) An asynchronous copy uses its host buffer until something waits for it, also
//! where the buffer is pageable and the runtime may happen to stage it. Freeing waits for nothing:
//! that `cudaFree` does is said nowhere in the reference.

use super::happening::{Happening, Range, Toucher};
use super::launch;
use super::state::State;
use super::streams::{DEVICES, Event, Operation, Stream, StreamId, Ticket, Work};
use crate::algebra::expr::Expr;
use crate::algebra::operator::{Basic, CopyKind, Op, OpId, OpKind};
use crate::algebra::types::ScalarType;
use crate::algebra::value::{ArrayRef, Pointer, Value};
use crate::analysis::stream_operator::is_stream_operator;
use crate::evaluation::eval::eval;
use crate::grid::GridState;
use crate::setup::context::Context;
use crate::thread::host_memory;
use crate::thread::host_memory::{byte_count, pointer_value};
use crate::thread::view::{Reading, Touched, View};
use crate::thread::{Head, ThreadState};
use crate::transition::AccessMode;
use crate::transition::End;
use crate::transition::decision::decided;
use crate::transition::fault::{Fault, FaultKind};
use crate::transition::premise::Premise;
use crate::transition::{Access, Actor, Label, Rule};
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

/// A step of the host or of a stream, and what it means.
pub(crate) struct Performed {
    pub label: Label,
    pub after: State,
    happenings: Vec<Happening>,
}

/// What a transition from `before` with this label means, where it is one of this module's.
/// Accesses to single elements stand in the label instead.
pub fn happenings(context: &Context, before: &State, label: &Label) -> Vec<Happening> {
    let [actor] = label.actors.as_slice() else {
        return vec![];
    };
    if !context.asynchronous || label.rule != Rule::StreamOperation {
        return vec![];
    }
    let performed = match StreamId::of_actor(*actor) {
        Some(stream) => operation_step(context, before, stream).into_iter().next(),
        None => host_step(context, before, *actor),
    };
    performed.map_or(vec![], |performed| performed.happenings)
}

/// A step of a host thread that stands at an operator of this kind; `None` while it waits.
pub(crate) fn host_step(context: &Context, state: &State, who: Actor) -> Option<Performed> {
    let thread = state.host_thread(who)?;
    let (op, basic) = head(thread)?;
    let reading = Reading {
        view: View {
            context,
            memory: &state.memory,
            thread,
            device: None,
        },
        touched: Vec::new(),
    };
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
    let mut label = label(who, op.id, &touched);
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

#[derive(PartialEq)]
enum Enabled {
    Yes,
    No,
}

struct HostStep<'a> {
    state: &'a State,
    who: Actor,
    op: OpId,
    reading: Reading<'a>,
    after: State,
    thread: ThreadState,
    happenings: Vec<Happening>,
}

impl HostStep<'_> {
    fn perform(&mut self, basic: &Basic) -> Result<Enabled, FaultKind> {
        match basic {
            Basic::SetDevice { device } => {
                let device = self.integer(device)?;
                if !(0..DEVICES as i128).contains(&device) {
                    let reason = format!("there is no device {device}, only 0 to {}", DEVICES - 1);
                    return Err(FaultKind::InvalidLaunch { reason });
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
                let pointer = pointer_value(pointer, &mut self.reading)?;
                let stream = self.stream(stream)?;
                if pointer.array != ArrayRef::Null {
                    let space = *space;
                    host_memory::free(&mut self.state.memory.clone(), pointer, space)?;
                    self.enqueue(stream, Work::Free { pointer, space });
                }
            }
            Basic::Free { pointer, space, .. } => {
                let freed = pointer_value(pointer, &mut self.reading)?;
                if freed.array != ArrayRef::Null {
                    host_memory::free(&mut self.after.memory, freed, *space)?;
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
            Basic::CallGpu {
                kernel,
                stream,
                cooperative,
                ..
            } => {
                let context = self.reading.view.context;
                let (launch, args) = launch::request(context, basic, &mut self.reading)?;
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
                let work = Work::Launch {
                    kernel: *kernel,
                    launch,
                    args,
                    cooperative: *cooperative,
                };
                self.enqueue(stream, work);
            }
            _ => {}
        }
        Ok(Enabled::Yes)
    }

    fn integer(&mut self, expr: &Expr) -> Result<i128, FaultKind> {
        Ok(eval(expr, &mut self.reading)?.as_integer().unwrap_or(0))
    }

    fn stream(&mut self, handle: &Expr) -> Result<StreamId, FaultKind> {
        let handle = self.integer(handle)? as u64;
        self.state.queues.stream(handle, self.thread.device)
    }

    fn event(&mut self, handle: &Expr) -> Result<usize, FaultKind> {
        let handle = self.integer(handle)? as u64;
        self.state.queues.event(handle)
    }

    fn wait_for(&mut self, tickets: Vec<Ticket>) -> Enabled {
        if !self.state.queues.have_ended(&tickets) {
            return Enabled::No;
        }
        self.happenings.push(Happening::Waited {
            host: self.who,
            tickets,
        });
        Enabled::Yes
    }

    fn enqueue(&mut self, stream: StreamId, work: Work) {
        let ticket = self.after.queues.enqueue(stream, self.op, work);
        let after = self.after.queues.pending[&ticket].after.clone();
        self.happenings.push(Happening::Enqueued {
            host: self.who,
            ticket,
            after,
        });
    }

    fn touched(&mut self, by: Toucher, ranges: impl IntoIterator<Item = Range>) {
        let touched = ranges
            .into_iter()
            .map(|range| Happening::Touched { by, range });
        self.happenings.extend(touched);
    }

    fn copy(
        &mut self,
        kind: CopyKind,
        (dst, src): (&Expr, &Expr),
        bytes: &Expr,
        stream: Option<&Expr>,
    ) -> Result<Enabled, FaultKind> {
        let dst = pointer_value(dst, &mut self.reading)?;
        let src = pointer_value(src, &mut self.reading)?;
        let bytes = byte_count(bytes, &mut self.reading)?;
        let id = match stream {
            Some(stream) => self.stream(stream)?,
            None => StreamId::Default(self.thread.device),
        };
        let kind = kind.resolved(dst.array, src.array);
        let (mut memory, mut thread) = (self.state.memory.clone(), self.thread.clone());
        let sides = (dst, src);
        host_memory::copy(&self.reading, &mut memory, &mut thread, kind, sides, bytes)?;
        if stream.is_some() && kind != CopyKind::HostToHost {
            let work = Work::Copy {
                kind,
                dst,
                src,
                bytes,
            };
            self.enqueue(id, work);
            return Ok(Enabled::Yes);
        }
        let host = Toucher::Host(self.who);
        let [written, read] = self.state.ranges(self.reading.view, dst, src, bytes);
        // Between places of the host it is no business of a stream's (`memcpy` is the same).
        if kind != CopyKind::HostToHost {
            let before = self.state.queues.before(id);
            if self.wait_for(before.clone()) == Enabled::No {
                return Ok(Enabled::No);
            }
            let pinned = self
                .state
                .memory
                .array(src.array)
                .is_some_and(|a| a.info.pinned);
            let ticket = self.after.queues.ended(id);
            self.happenings.push(Happening::Enqueued {
                host: self.who,
                ticket,
                after: before,
            });
            let operation = Toucher::Operation(ticket);
            match kind {
                CopyKind::HostToDevice if !pinned => {
                    self.touched(host, read);
                    self.touched(operation, written);
                }
                CopyKind::DeviceToDevice => {
                    self.touched(operation, [read, written].into_iter().flatten())
                }
                _ => self.touched(host, [read, written].into_iter().flatten()),
            }
        } else {
            self.touched(host, [read, written].into_iter().flatten());
        }
        (self.after.memory, self.thread) = (memory, thread);
        Ok(Enabled::Yes)
    }
}

impl State {
    /// What a copy writes and reads; nothing when it copies nothing.
    fn ranges(&self, view: View<'_>, dst: Pointer, src: Pointer, bytes: u64) -> [Option<Range>; 2] {
        let range = |pointer: Pointer, mode| {
            let elem = match pointer.array {
                ArrayRef::Private(id) => view.context.program.array(id).elem,
                other => self.memory.array(other)?.info.elem,
            };
            (bytes > 0).then_some(Range {
                array: pointer.array,
                first: pointer.offset,
                len: bytes / elem.size(),
                mode,
            })
        };
        [range(dst, AccessMode::Write), range(src, AccessMode::Read)]
    }
}

/// The oldest operation of a stream, if it may run: a copy as a whole, or the begin of a launch
/// (in as many ways as the profile's scheduling of blocks has).
pub(crate) fn operation_step(context: &Context, state: &State, stream: StreamId) -> Vec<Performed> {
    if state.device.is_some() {
        return vec![];
    }
    let (Some((ticket, operation)), Some(host)) = (state.queues.ready(stream), &state.host) else {
        return vec![];
    };
    match &operation.work {
        Work::Copy {
            kind,
            dst,
            src,
            bytes,
        } => {
            let view = View {
                context,
                memory: &state.memory,
                thread: host,
                device: None,
            };
            let reading = Reading {
                view,
                touched: Vec::new(),
            };
            let mut after = state.clone();
            let mut thread = (**host).clone();
            let mut label = label(stream.actor(), operation.op, &[]);
            let memory = &mut after.memory;
            let copied =
                host_memory::copy(&reading, memory, &mut thread, *kind, (*dst, *src), *bytes);
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
                Err(kind) => fail(&mut label, &mut after, stream.actor(), operation.op, kind),
            }
            vec![Performed {
                label,
                after,
                happenings,
            }]
        }
        Work::Free { pointer, space } => {
            let mut after = state.clone();
            let mut label = label(stream.actor(), operation.op, &[]);
            let mut happenings = Vec::new();
            match host_memory::free(&mut after.memory, *pointer, *space) {
                Ok(()) => {
                    after.queues.pending.remove(&ticket);
                    happenings.push(Happening::Freed {
                        by: Toucher::Operation(ticket),
                        array: pointer.array,
                    });
                }
                Err(kind) => fail(&mut label, &mut after, stream.actor(), operation.op, kind),
            }
            vec![Performed {
                label,
                after,
                happenings,
            }]
        }
        Work::Launch { .. } => begin(context, state, ticket, operation),
    }
}

fn begin(
    context: &Context,
    state: &State,
    ticket: Ticket,
    operation: &Arc<Operation>,
) -> Vec<Performed> {
    let Work::Launch {
        kernel,
        launch,
        args,
        cooperative,
    } = &operation.work
    else {
        return vec![];
    };
    let device = state.queues.device_of(operation.stream);
    let grids = GridState::initial(context, *kernel, *launch, args, *cooperative);
    let begun = grids.into_iter().map(|grid| {
        let mut after = state.clone();
        after.device = Some(grid.on_device(device));
        after.queues.running = Some(ticket);
        Performed {
            label: Label {
                rule: Rule::R8,
                ..label(operation.stream.actor(), operation.op, &[])
            },
            after,
            happenings: Vec::new(),
        }
    });
    begun.collect()
}

/// R9 for a launch that came out of a stream.
pub(crate) fn end_launch(state: &State) -> Vec<(Label, State)> {
    let Some(ticket) = state.queues.running else {
        return vec![];
    };
    let (Some(operation), Some(grid)) = (state.queues.pending.get(&ticket), &state.device) else {
        return vec![];
    };
    if !grid.is_final() {
        return vec![];
    }
    let mut after = state.clone();
    after.device = None;
    after.queues.running = None;
    after.queues.pending.remove(&ticket);
    let label = Label {
        rule: Rule::R9,
        ..label(Actor::Device, operation.op, &[])
    };
    vec![(label, after)]
}

fn handle_value(handle: usize) -> Value {
    Value::int(ScalarType::U64, handle as i128)
}

fn null() -> FaultKind {
    FaultKind::NullPointer {
        mode: AccessMode::Write,
    }
}

/// Destroying what was destroyed.
fn twice(kind: FaultKind) -> FaultKind {
    match kind {
        FaultKind::UseAfterFree { array, space } => FaultKind::DoubleFree { array, space },
        other => other,
    }
}

fn label(actor: Actor, op: OpId, touched: &[Touched]) -> Label {
    let access = |t: &Touched| Access {
        actor,
        array: t.array,
        index: t.index,
        mode: t.mode,
        op,
    };
    Label {
        rule: Rule::StreamOperation,
        actors: vec![actor],
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
