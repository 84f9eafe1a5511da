//! Streams and events: the work that has been enqueued for the device and has not ended.
//!
//! Beyond paper 2, which knows synchronous launches only. A stream is a queue: its operations run
//! one after another. The order between operations of different streams follows from the CUDA C++
//! Programming Guide ("Asynchronous Concurrent Execution") and the runtime reference ("Stream
//! synchronization behavior"):
//!
//! - an operation waits for the one before it in its stream;
//! - an action in the *legacy default stream* of a device waits for all earlier work of that
//!   device's blocking streams, and their later work waits for it; streams made with
//!   `cudaStreamNonBlocking` take no part in that;
//! - `cudaEventRecord(e, s)` captures the work of `s` up to there; what follows
//!   `cudaStreamWaitEvent(s, e)` in `s` waits for the work captured last when that was called
//!   (nothing, if nothing was).
//!
//! All of it is one relation between operations, numbered by *tickets* in the order in which they
//! were enqueued. A stream is represented by its *frontier*: the tickets that the next operation in
//! it waits for. An event is the frontier it captured.

mod operation;

pub use operation::{Event, Operation, Stream, StreamId, Ticket, Work};

use crate::algebra::operator::OpId;
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;
use im::{OrdMap, Vector};
use std::sync::Arc;

/// Devices of the machine: two of one kind.
pub const DEVICES: u32 = 2;

/// The handle of the per-thread default stream (`cudaStreamPerThread`).
pub const PER_THREAD: u64 = u64::MAX;

/// All streams, all events, and the operations that have not ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Queues {
    /// Frontiers of the default streams, by device; absent: empty.
    defaults: OrdMap<u32, Vec<Ticket>>,
    /// Those of the per-thread default streams, likewise.
    per_thread: OrdMap<u32, Vec<Ticket>>,
    /// By handle, from 1.
    pub streams: Vector<Stream>,
    /// By handle, from 1.
    pub events: Vector<Event>,
    /// Operations that have not ended, by ticket: the oldest first.
    pub pending: OrdMap<Ticket, Arc<Operation>>,
    /// The ticket of the operation enqueued next.
    pub next: Ticket,
    /// The launch in progress, if it came out of a stream.
    pub running: Option<Ticket>,
}

/// The union of two ascending sequences, ascending.
fn union(mut a: Vec<Ticket>, b: &[Ticket]) -> Vec<Ticket> {
    a.extend(b);
    a.sort_unstable();
    a.dedup();
    a
}

fn gone(what: &str, handle: u64) -> FaultKind {
    FaultKind::DeadHandle {
        handle: format!("{what} {handle}").into(),
        again: false,
    }
}

impl Queues {
    /// The stream a handle names while `device` is current. Handle 0 is the default stream,
    /// [`PER_THREAD`] the thread's own.
    ///
    /// # Errors
    /// The stream was destroyed, or no such stream was made.
    pub fn stream(&self, handle: u64, device: u32) -> Result<StreamId, FaultKind> {
        if handle == PER_THREAD {
            return Ok(StreamId::PerThread(device));
        }
        let Some(number) = handle.checked_sub(1) else {
            return Ok(StreamId::Default(device));
        };
        match self.streams.get(number as usize) {
            Some(stream) if stream.destroyed => Err(gone("stream", handle)),
            Some(_) => Ok(StreamId::Created(handle as u32)),
            None => Err(FaultKind::NullPointer {
                mode: crate::transition::AccessMode::Read,
            }),
        }
    }

    /// The number of the event a handle names.
    ///
    /// # Errors
    /// The event was destroyed, or no such event was made.
    pub fn event(&self, handle: u64) -> Result<usize, FaultKind> {
        let number = handle.wrapping_sub(1) as usize;
        match self.events.get(number) {
            Some(event) if event.destroyed => Err(gone("event", handle)),
            Some(_) => Ok(number),
            None => Err(FaultKind::NullPointer {
                mode: crate::transition::AccessMode::Read,
            }),
        }
    }

    /// The device that runs the operations of a stream, which is there.
    pub fn device_of(&self, stream: StreamId) -> u32 {
        match stream {
            StreamId::Default(device) | StreamId::PerThread(device) => device,
            StreamId::Created(handle) => self.streams[handle as usize - 1].device,
        }
    }

    /// The operations that an action in `stream` waits for. An action in a default stream is also
    /// ordered with the work of the blocking streams before and after it.
    pub fn before(&self, stream: StreamId) -> Vec<Ticket> {
        let default = |device| self.frontier(StreamId::Default(device));
        match stream {
            StreamId::Default(device) => {
                let blocking = |s: &&Stream| s.device == device && !s.non_blocking;
                let streams = self.streams.iter().filter(blocking);
                let own = self.frontier(StreamId::PerThread(device));
                let first = union(default(device), &own);
                streams.fold(first, |all, s| union(all, &s.frontier))
            }
            // It waits as a blocking stream does.
            StreamId::PerThread(device) => union(default(device), &self.frontier(stream)),
            StreamId::Created(handle) => {
                let stream = &self.streams[handle as usize - 1];
                if stream.non_blocking {
                    stream.frontier.clone()
                } else {
                    union(default(stream.device), &stream.frontier)
                }
            }
        }
    }

    /// All work of a device.
    pub fn before_all(&self, device: u32) -> Vec<Ticket> {
        let own = self.streams.iter().filter(|s| s.device == device);
        let default = self.frontier(StreamId::Default(device));
        let first = union(default, &self.frontier(StreamId::PerThread(device)));
        own.fold(first, |all, s| union(all, &s.frontier))
    }

    /// The work of one stream so far.
    pub fn frontier(&self, stream: StreamId) -> Vec<Ticket> {
        match stream {
            StreamId::Default(device) => self.defaults.get(&device).cloned().unwrap_or_default(),
            StreamId::PerThread(device) => {
                self.per_thread.get(&device).cloned().unwrap_or_default()
            }
            StreamId::Created(handle) => self.streams[handle as usize - 1].frontier.clone(),
        }
    }

    fn set_frontier(&mut self, stream: StreamId, frontier: Vec<Ticket>) {
        match stream {
            StreamId::Default(device) => {
                self.defaults.insert(device, frontier);
            }
            StreamId::PerThread(device) => {
                self.per_thread.insert(device, frontier);
            }
            StreamId::Created(handle) => self.streams[handle as usize - 1].frontier = frontier,
        }
    }

    /// Appends an operation to a stream.
    pub fn enqueue(&mut self, stream: StreamId, op: OpId, work: Work) -> Ticket {
        let after = self.before(stream);
        let ticket = self.ended(stream);
        let operation = Operation {
            stream,
            op,
            after,
            work,
        };
        self.pending.insert(ticket, Arc::new(operation));
        ticket
    }

    /// The ticket of an operation of a stream that ends where it is enqueued.
    pub fn ended(&mut self, stream: StreamId) -> Ticket {
        let ticket = self.next;
        self.next += 1;
        self.set_frontier(stream, vec![ticket]);
        ticket
    }

    /// `cudaEventRecord`.
    pub fn record(&mut self, event: usize, stream: StreamId) {
        let captured = self.before(stream);
        if let StreamId::Default(_) = stream {
            self.set_frontier(stream, captured.clone());
        }
        self.events[event].recorded = captured;
    }

    /// `cudaStreamWaitEvent`.
    pub fn wait_for(&mut self, stream: StreamId, event: usize) {
        let recorded = self.events[event].recorded.clone();
        let frontier = union(self.before(stream), &recorded);
        self.set_frontier(stream, frontier);
    }

    /// Whether all these operations have ended.
    pub fn have_ended(&self, tickets: &[Ticket]) -> bool {
        tickets.iter().all(|t| !self.pending.contains_key(t))
    }

    /// The oldest operation of a stream, if it may begin now.
    pub fn ready(&self, stream: StreamId) -> Option<(Ticket, &Arc<Operation>)> {
        let mut own = self.pending.iter().filter(|(_, o)| o.stream == stream);
        let (ticket, operation) = own.next()?;
        let free = self.running.is_none() && self.have_ended(&operation.after);
        decided(Premise::OperationIsNext, free).then_some((*ticket, operation))
    }

    /// The streams with operations that have not ended, ascending.
    pub fn busy(&self) -> Vec<StreamId> {
        let mut streams: Vec<StreamId> = self.pending.values().map(|o| o.stream).collect();
        streams.sort_unstable();
        streams.dedup();
        streams
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::operator::CopyKind;
    use crate::algebra::value::Pointer;

    const WORK: Work = Work::Copy {
        kind: CopyKind::HostToDevice,
        dst: Pointer {
            array: crate::algebra::value::ArrayRef::Null,
            offset: 0,
        },
        src: Pointer {
            array: crate::algebra::value::ArrayRef::Null,
            offset: 0,
        },
        bytes: 0,
    };

    /// Two blocking streams (1, 2) and one that is not (3).
    fn queues() -> Queues {
        let stream = |non_blocking| Stream {
            device: 0,
            non_blocking,
            frontier: vec![],
            op: OpId(0),
            destroyed: false,
        };
        Queues {
            streams: [stream(false), stream(false), stream(true)]
                .into_iter()
                .collect(),
            events: Vector::unit(Event {
                recorded: vec![],
                op: OpId(0),
                destroyed: false,
            }),
            ..Queues::default()
        }
    }

    fn put(queues: &mut Queues, stream: StreamId) -> Vec<Ticket> {
        let ticket = queues.enqueue(stream, OpId(0), WORK);
        queues.pending[&ticket].after.clone()
    }

    const A: StreamId = StreamId::Created(1);
    const B: StreamId = StreamId::Created(2);
    const FREE: StreamId = StreamId::Created(3);
    const DEFAULT: StreamId = StreamId::Default(0);

    #[test]
    fn a_stream_is_a_queue() {
        let mut queues = queues();
        assert_eq!(put(&mut queues, A), vec![]);
        assert_eq!(put(&mut queues, A), vec![0]);
        assert_eq!(put(&mut queues, B), vec![]);
        assert_eq!(queues.ready(A).map(|(t, _)| t), Some(0));
        queues.pending.remove(&0);
        assert_eq!(queues.ready(A).map(|(t, _)| t), Some(1));
    }

    #[test]
    fn the_default_stream_stands_between_the_blocking_ones() {
        let mut queues = queues();
        put(&mut queues, A);
        put(&mut queues, FREE);
        assert_eq!(put(&mut queues, DEFAULT), vec![0]);
        assert_eq!(put(&mut queues, B), vec![2]);
        assert_eq!(put(&mut queues, FREE), vec![1]);
        assert_eq!(put(&mut queues, StreamId::Default(1)), vec![]);
        assert_eq!(queues.before_all(0), vec![0, 2, 3, 4]);
    }

    #[test]
    fn the_per_thread_stream_waits_as_a_blocking_one() {
        let mut queues = queues();
        let own = StreamId::PerThread(0);
        put(&mut queues, A);
        assert_eq!(put(&mut queues, own), vec![]);
        assert_eq!(put(&mut queues, DEFAULT), vec![0, 1]);
        assert_eq!(put(&mut queues, own), vec![1, 2]);
        assert_eq!(put(&mut queues, StreamId::PerThread(1)), vec![]);
        assert_eq!(queues.before_all(0), vec![0, 2, 3]);
        assert_eq!(queues.stream(PER_THREAD, 1), Ok(StreamId::PerThread(1)));
    }

    #[test]
    fn an_event_is_the_work_captured_when_it_was_recorded_last() {
        let mut queues = queues();
        queues.wait_for(B, 0);
        assert_eq!(put(&mut queues, B), vec![]);
        put(&mut queues, A);
        queues.record(0, A);
        put(&mut queues, A);
        queues.wait_for(B, 0);
        assert_eq!(put(&mut queues, B), vec![0, 1]);
    }

    #[test]
    fn a_handle_that_was_destroyed_or_never_made_is_a_fault() {
        let mut queues = queues();
        queues.streams[0].destroyed = true;
        assert_eq!(queues.stream(0, 1), Ok(StreamId::Default(1)));
        assert!(matches!(
            queues.stream(1, 0),
            Err(FaultKind::DeadHandle { .. })
        ));
        assert!(matches!(
            queues.stream(9, 0),
            Err(FaultKind::NullPointer { .. })
        ));
        assert!(matches!(
            queues.event(0),
            Err(FaultKind::NullPointer { .. })
        ));
    }
}
