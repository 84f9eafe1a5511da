//! Host operators in a program with streams. Each is one visible step of the host; an operation it
//! enqueues runs at once, as steps of its stream and, for a launch, of the device.

use super::host::{Host, Side};
use super::launch::run_launch;
use super::machine::Stop;
use super::run::{Halt, Run, launch_of};
use super::shadow::{READS, WRITES};
use super::streams::{Copied, Footprint, Place, Span, Streams};
use super::trace::Moment;
use crate::compiled::instruction::{HostSite, Reg};
use crate::compiled::{Code, raw};
use crate::finding::DefectKind;
use crate::system::footprint::AccessClass;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::CopyKind;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::host::streams::{DEVICES, Event, Stream, StreamId};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::Actor;
use gridlock_semantics::transition::fault::FaultKind;

/// Where an operator ends: something it found, or the end of the run.
type Outcome<T> = Result<T, Stop>;

fn null() -> Stop {
    Stop::Fault(FaultKind::NullPointer {
        mode: AccessMode::Write,
    })
}

fn twice(kind: FaultKind) -> FaultKind {
    match kind {
        FaultKind::DeadHandle { handle, .. } => FaultKind::DeadHandle {
            handle,
            again: true,
        },
        other => other,
    }
}

impl Host {
    /// Runs an operator by the rules of streams; `None` when it has none.
    pub(super) fn stream_operator(
        &mut self,
        run: &mut Run<'_>,
        site: &HostSite,
    ) -> Option<Result<(), Halt>> {
        let mut streams = run.streams.take()?;
        let outcome = self.perform(run, &mut streams, site);
        run.streams = Some(streams);
        match outcome {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(Halted::Stop(Stop::Fault(kind))) => Some(Err(self.failed(run, kind))),
            Err(Halted::Stop(_)) => {
                let what = crate::limits::LENGTH.to_owned();
                Some(Err(Halt::Limit(what)))
            }
            Err(Halted::Halt(halt)) => Some(Err(halt)),
        }
    }

    /// Whether the operator was one of streams.
    fn perform(
        &mut self,
        run: &mut Run<'_>,
        streams: &mut Streams,
        site: &HostSite,
    ) -> Result<bool, Halted> {
        let op = self.op();
        match site {
            HostSite::SetDevice(device) => {
                let device = self.register(*device) as i64;
                if !(0..DEVICES as i64).contains(&device) {
                    return Err(Stop::Fault(FaultKind::NoSuchDevice { device }).into());
                }
                streams.device = device as u32;
            }
            HostSite::StreamCreate { dst, non_blocking } => {
                streams.queues.streams.push_back(Stream {
                    device: streams.device,
                    non_blocking: *non_blocking,
                    frontier: Vec::new(),
                    op,
                    destroyed: false,
                });
                self.set_register(*dst, streams.queues.streams.len() as u64);
            }
            HostSite::EventCreate(dst) => {
                streams.queues.events.push_back(Event {
                    recorded: Vec::new(),
                    op,
                    destroyed: false,
                });
                self.set_register(*dst, streams.queues.events.len() as u64);
            }
            HostSite::StreamDestroy(stream) => {
                let found = streams
                    .queues
                    .stream(self.register(*stream), streams.device);
                match found.map_err(twice)? {
                    StreamId::Created(handle) => {
                        streams.queues.streams[handle as usize - 1].destroyed = true;
                    }
                    StreamId::Default(_) | StreamId::PerThread(_) => return Err(null().into()),
                }
            }
            HostSite::EventDestroy(event) => {
                let event = streams.queues.event(self.register(*event)).map_err(twice)?;
                streams.queues.events[event].destroyed = true;
            }
            HostSite::StreamSync(stream) => {
                let stream = self.stream(streams, Some(*stream))?;
                let tickets = streams.queues.frontier(stream);
                streams.waited(&tickets);
            }
            HostSite::EventSync(event) => {
                let event = streams.queues.event(self.register(*event))?;
                let tickets = streams.queues.events[event].recorded.clone();
                streams.waited(&tickets);
            }
            HostSite::DeviceSync => {
                let tickets = streams.queues.before_all(streams.device);
                streams.waited(&tickets);
            }
            HostSite::EventRecord { event, stream } => {
                let event = streams.queues.event(self.register(*event))?;
                let stream = self.stream(streams, Some(*stream))?;
                streams.queues.record(event, stream);
            }
            HostSite::StreamWait { stream, event } => {
                let stream = self.stream(streams, Some(*stream))?;
                let event = streams.queues.event(self.register(*event))?;
                streams.queues.wait_for(stream, event);
            }
            HostSite::Wait => {
                run.note_not_canonical(|| "the host waits for a condition".to_owned());
            }
            HostSite::Free {
                ptr,
                space,
                stream: Some(stream),
            } => {
                let stream = self.stream(streams, Some(*stream))?;
                self.free(run, *ptr, *space)?;
                run.record_one(Actor::Host, None);
                let freed = raw::to_array(self.register(*ptr));
                if freed != ArrayRef::Null {
                    let ticket = streams.enqueue(stream);
                    run.record_one(stream.actor(), None);
                    streams.frees_in_turn(ticket, freed, op, run.now());
                }
                return Ok(true);
            }
            HostSite::Free { ptr, space, .. } => {
                self.free(run, *ptr, *space)?;
                run.record_one(Actor::Host, None);
                let freed = raw::to_array(self.register(*ptr));
                streams.frees(freed, op, run.now());
                return Ok(true);
            }
            HostSite::Copy {
                kind,
                dst,
                src,
                bytes,
                stream,
            } => {
                let bytes = self.bytes(*bytes);
                let id = self.stream(streams, *stream)?;
                let array = |ptr: Reg| raw::to_array(self.register(ptr));
                let kind = kind.resolved(array(*dst), array(*src));
                let sides = self.copy(run, kind, *dst, *src, bytes)?;
                run.record_one(Actor::Host, None);
                let pinned = match sides.as_ref().map(|(source, ..)| source.array()) {
                    Some(ArrayRef::Host(n)) => run.host[n as usize].pinned,
                    _ => false,
                };
                let span = |side: &Side, n: u64, (mode, class)| Span {
                    array: side.array(),
                    first: side.first(),
                    end: side.first() + n,
                    mode,
                    class,
                    actor: Actor::Host,
                    op,
                };
                let copied = Copied {
                    kind,
                    stream: id,
                    is_enqueued: stream.is_some(),
                    is_pinned: pinned,
                    sides: sides.as_ref().map(|(source, target, n)| {
                        [span(source, *n, READS), span(target, *n, WRITES)]
                    }),
                };
                streams.copied(&copied, || {
                    if copied.is_enqueued && kind != CopyKind::HostToHost {
                        run.record_one(id.actor(), None);
                    }
                    run.now()
                });
                return Ok(true);
            }
            HostSite::CallGpu {
                kernel,
                shape,
                args,
                stream,
            } => {
                let shape = shape.map(|reg| self.register(reg) as u32);
                let args = self.arguments(args);
                self.launch(run, streams, *kernel, shape, &args, *stream)?;
                return Ok(true);
            }
            HostSite::Nothing | HostSite::Par | HostSite::Alloc { .. } => return Ok(false),
        }
        run.record_one(Actor::Host, None);
        Ok(true)
    }

    fn stream(&self, streams: &Streams, handle: Option<Reg>) -> Outcome<StreamId> {
        let Some(handle) = handle else {
            return Ok(StreamId::Default(streams.device));
        };
        let found = streams.queues.stream(self.register(handle), streams.device);
        found.map_err(Stop::Fault)
    }

    fn launch(
        &mut self,
        run: &mut Run<'_>,
        streams: &mut Streams,
        kernel: ProcId,
        shape: [u32; 7],
        args: &[[u64; 2]],
        stream: Option<Reg>,
    ) -> Result<(), Halted> {
        let launch = launch_of(shape);
        if let Err(refused) = run.setup.device.accept(&launch, run.program(), kernel) {
            let reason = refused.reason;
            return Err(Stop::Fault(FaultKind::InvalidLaunch { reason }).into());
        }
        let id = self.stream(streams, stream)?;
        let (of_stream, current) = (streams.queues.device_of(id), streams.device);
        if of_stream != current {
            let reason = format!(
                "the stream belongs to device {of_stream}, but the current device is {current}"
            );
            return Err(Stop::Fault(FaultKind::InvalidLaunch { reason }).into());
        }
        let Some(code) = run.compiled.entry(kernel).cloned() else {
            let what = "instructions once calls are inlined".to_owned();
            return Err(Halted::Halt(Halt::Limit(what)));
        };
        let ticket = streams.enqueue(id);
        run.record_one(Actor::Host, None);
        run.record_one(id.actor(), None);
        for array in run.global.iter_mut() {
            array.set_away(array.device.is_some_and(|device| device != current));
        }
        let first_stamp = run.watch.now.stamp + 1;
        run_launch(run, &code, launch, args).map_err(Halted::Halt)?;
        for array in run.global.iter_mut() {
            array.set_away(false);
        }
        run.record_one(Actor::Device, None);
        let footprint = footprint(run, streams, &code, first_stamp);
        streams.flew(ticket, footprint, Some(run.launch), run.now());
        if streams.talk {
            run.note_not_canonical(|| {
                "launches that nothing orders meet in atomic updates".to_owned()
            });
        }
        Ok(())
    }

    /// The host touches an array that operations in flight use.
    pub(super) fn touches(&self, run: &mut Run<'_>, array: u64, index: i64, mode: AccessMode) {
        let reference = raw::to_array(array);
        // It comes first in the segment recorded next; private accesses are in none.
        let next = run.trace.as_ref().map_or(0, super::trace::Trace::next);
        let moment = match reference {
            ArrayRef::Private(_) => run.now(),
            _ => Moment {
                segment: next,
                steps: 1,
            },
        };
        let class = match mode {
            AccessMode::Read => AccessClass::Read,
            AccessMode::Write => AccessClass::Write,
            AccessMode::Atomic | AccessMode::AtomicRead => AccessClass::Atomic,
        };
        let span = Span {
            array: reference,
            first: index as u64,
            // Before the array's start: out of bounds, and no cell.
            end: (index as u64).saturating_add(1),
            mode,
            class,
            actor: Actor::Host,
            op: self.op(),
        };
        if let Some(streams) = &mut run.streams {
            streams.host_uses(DefectKind::StaleData, &span, moment);
            streams.guard.passes = Some((array, index, mode));
        }
    }
}

/// What a launch touched of global memory, from what the race detector remembers of it.
fn footprint(run: &Run<'_>, streams: &mut Streams, code: &Code, first_stamp: u32) -> Footprint {
    let mut footprint = Footprint::default();
    let launch = run.launch;
    for (number, array) in run.watch.global.arrays.iter().enumerate() {
        array.since(first_stamp, |index, epoch, (mode, class)| {
            let (block, _) = run.place_of(epoch.stamp);
            let thread = epoch.thread;
            let actor = Actor::Thread { block, thread };
            let array = ArrayRef::Global(number as u32);
            if !streams.asked.is_empty() {
                let index = index as i64;
                let place = Place {
                    launch,
                    array,
                    index,
                    mode,
                };
                streams
                    .asked
                    .entry(place)
                    .and_modify(|by| *by = Some(actor));
            }
            footprint.push(Span {
                array,
                first: index as u64,
                end: index as u64 + 1,
                mode,
                class,
                actor,
                op: code.ops[epoch.pc as usize],
            });
        });
    }
    footprint
}

/// What ends an operator.
enum Halted {
    Stop(Stop),
    Halt(Halt),
}

impl From<Stop> for Halted {
    fn from(stop: Stop) -> Halted {
        Halted::Stop(stop)
    }
}

impl From<FaultKind> for Halted {
    fn from(kind: FaultKind) -> Halted {
        Halted::Stop(Stop::Fault(kind))
    }
}
