//! Host code with streams, events, copies that it does not wait for, and managed memory.
//!
//! Every operation runs when it is enqueued, as in the canonical run ([`gridlock_checker::canonical::streams`]): one order
//! of those that streams leave open, and by the lemma of atomic operations (`docs/host.md`) all of them end alike where
//! nothing unordered meets. What an operation uses is held against all that is not ordered with it. A use counts
//! although it hangs on inputs whether it is made, and one of a cell whose number hangs on inputs counts as one of the
//! whole array; what orders others has to be made for all inputs.

use super::accesses::{Access, Mode};
use super::run::{At, Run};
use super::value::Place;
use crate::machine::state::{Followed, unfollowed};
use crate::terms::term::TermId;
use gridlock_checker::canonical::Moment;
use gridlock_checker::canonical::streams::{Copied, Footprint, Span as Used, Streams};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::system::footprint::AccessClass;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind, OpId};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::analysis::stream_operator::is_stream_operator;
use gridlock_semantics::host::streams::{Event, Stream, StreamId};
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{AccessMode, Actor};

/// Nobody asks when it was.
const NOW: Moment = Moment {
    segment: 0,
    steps: 0,
};

/// Operators have no numbers here: a place in the source is said instead.
const NO_OP: OpId = OpId(0);

/// A copy that is made: the elements, the first of the target and of the source.
pub struct Made {
    pub kind: CopyKind,
    pub to: (Place, i64),
    pub from: (Place, i64),
    pub n: u64,
}

/// Elements in a row, used in one way.
fn used(array: ArrayRef, (first, end): (u64, u64), writes: bool) -> Used {
    let (mode, class) = match writes {
        true => (AccessMode::Write, AccessClass::Write),
        false => (AccessMode::Read, AccessClass::Read),
    };
    Used {
        array,
        first,
        end,
        mode,
        class,
        actor: Actor::Host,
        op: NO_OP,
    }
}

/// The cells that an access may be one of.
fn cells(cell: Option<i64>) -> (u64, u64) {
    match cell.map(u64::try_from) {
        None => (0, u64::MAX),
        Some(Ok(cell)) => (cell, cell.saturating_add(1)),
        // Outside of the array, which is asked elsewhere.
        Some(Err(_)) => (0, 0),
    }
}

impl Run<'_> {
    /// The array that a place is, as far as the order of operations goes.
    pub(super) fn array_of(&self, place: Place) -> ArrayRef {
        let is_on_host = self.is_on_host(place);
        let side = |number: u32| match is_on_host {
            true => ArrayRef::Host(number),
            false => ArrayRef::Global(number),
        };
        match place {
            Place::Null => ArrayRef::Null,
            Place::Argument(number) => side(3 * number as u32),
            Place::Allocated(number) => side(3 * number + 1),
            Place::Global(id) => side(3 * id.0 + 2),
            Place::Shared(id) | Place::Private(id) => ArrayRef::Private(id),
        }
    }

    /// Runs an operator by the rules of streams, in a program that has any; whether it was one.
    pub(super) fn stream_operator(&mut self, basic: &Basic, at: At) -> Followed<bool> {
        if self.host.streams.is_none() || !is_stream_operator(basic) {
            return Ok(false);
        }
        if self.terms.as_bool(at.guard) != Some(true) {
            return unfollowed(
                "work for a stream that is asked for if inputs say so",
                at.span,
            );
        }
        let streams = |run: &mut Self, perform: &mut dyn FnMut(&mut Streams)| {
            if let Some(streams) = &mut run.host.streams {
                perform(streams);
            }
        };
        match basic {
            Basic::StreamCreate { var, non_blocking } => {
                let mut handle = 0;
                streams(self, &mut |streams| {
                    streams.queues.streams.push_back(Stream {
                        device: 0,
                        non_blocking: *non_blocking,
                        frontier: Vec::new(),
                        op: NO_OP,
                        destroyed: false,
                    });
                    handle = streams.queues.streams.len() as u64;
                });
                self.assign_handle(*var, handle, at)?;
            }
            Basic::EventCreate { var } => {
                let mut handle = 0;
                streams(self, &mut |streams| {
                    streams.queues.events.push_back(Event {
                        recorded: Vec::new(),
                        op: NO_OP,
                        destroyed: false,
                    });
                    handle = streams.queues.events.len() as u64;
                });
                self.assign_handle(*var, handle, at)?;
            }
            Basic::StreamDestroy { stream } => match self.stream(Some(stream), at)? {
                StreamId::Created(handle) => streams(self, &mut |streams| {
                    streams.queues.streams[handle as usize - 1].destroyed = true;
                }),
                _ => return unfollowed("a default stream that is destroyed", at.span),
            },
            Basic::EventDestroy { event } => {
                let event = self.event(event, at)?;
                streams(self, &mut |streams| {
                    streams.queues.events[event].destroyed = true;
                });
            }
            Basic::StreamSync { stream } => {
                let stream = self.stream(Some(stream), at)?;
                streams(self, &mut |streams| {
                    let tickets = streams.queues.frontier(stream);
                    streams.waited(&tickets);
                });
            }
            Basic::EventSync { event } => {
                let event = self.event(event, at)?;
                streams(self, &mut |streams| {
                    let tickets = streams.queues.events[event].recorded.clone();
                    streams.waited(&tickets);
                });
            }
            Basic::DeviceSync => streams(self, &mut |streams| {
                let tickets = streams.queues.before_all(0);
                streams.waited(&tickets);
            }),
            Basic::EventRecord { event, stream } => {
                let event = self.event(event, at)?;
                let stream = self.stream(Some(stream), at)?;
                streams(self, &mut |streams| streams.queues.record(event, stream));
            }
            Basic::StreamWait { stream, event } => {
                let stream = self.stream(Some(stream), at)?;
                let event = self.event(event, at)?;
                streams(self, &mut |streams| streams.queues.wait_for(stream, event));
            }
            Basic::Free {
                space,
                pointer,
                stream,
            } => self.free_in_turn(*space, pointer, stream.as_ref(), at)?,
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream,
            } => {
                let id = self.stream(stream.as_ref(), at)?;
                let made = self.copy(*kind, [dst, src], bytes, at)?;
                let copied = self.order_of_copy(*kind, made, id, stream.is_some());
                streams(self, &mut |streams| streams.copied(&copied, || NOW));
            }
            Basic::CallGpu { stream, .. } => {
                let id = self.stream(stream.as_ref(), at)?;
                self.launched(basic, at)?;
                let footprint = std::mem::take(&mut self.host.footprint);
                streams(self, &mut |streams| {
                    let ticket = streams.enqueue(id);
                    streams.flew(ticket, footprint.clone(), Some(0), NOW);
                });
            }
            // Devices are the one that is current, everywhere; the host does not wait for itself.
            Basic::SetDevice { .. } => return Ok(false),
            _ => return unfollowed("an operator of the host", at.span),
        }
        self.nothing_meets(at.span)?;
        Ok(true)
    }

    fn assign_handle(
        &mut self,
        var: gridlock_semantics::algebra::ids::VarId,
        handle: u64,
        at: At,
    ) -> Followed<()> {
        let term = self.terms.bits(64, handle);
        let value = self.certain(super::value::Known::Scalar(term));
        self.assign(var, &Some(value), at)
    }

    /// The stream that an operand names, if there is one; else the default stream.
    fn stream(&mut self, handle: Option<&Expr>, at: At) -> Followed<StreamId> {
        let Some(handle) = handle else {
            return Ok(StreamId::Default(0));
        };
        let handle = self.handle(handle, at)?;
        self.found(at, |streams| streams.queues.stream(handle, 0))
    }

    fn event(&mut self, handle: &Expr, at: At) -> Followed<usize> {
        let handle = self.handle(handle, at)?;
        self.found(at, |streams| streams.queues.event(handle))
    }

    fn handle(&mut self, handle: &Expr, at: At) -> Followed<u64> {
        self.whole(handle, at, "a stream or an event that hangs on inputs")
    }

    fn found<T>(&self, at: At, find: impl FnOnce(&Streams) -> Result<T, FaultKind>) -> Followed<T> {
        match self.host.streams.as_ref().map(find) {
            Some(Ok(found)) => Ok(found),
            _ => unfollowed("a stream or an event that is not there", at.span),
        }
    }

    fn order_of_copy(
        &self,
        kind: CopyKind,
        made: Option<Made>,
        stream: StreamId,
        is_enqueued: bool,
    ) -> Copied {
        let is_pinned = made.as_ref().is_some_and(|made| match made.from.0 {
            Place::Allocated(number) => self.allocated(number).kind == AllocSpace::Pinned,
            _ => false,
        });
        let side = |(place, first): (Place, i64), n: u64, writes| {
            let first = first as u64;
            used(self.array_of(place), (first, first + n), writes)
        };
        Copied {
            // Of nothing it does not matter from where to where.
            kind: made.as_ref().map_or(kind, |made| made.kind),
            stream,
            is_enqueued,
            is_pinned,
            sides: made.map(|made| [side(made.from, made.n, false), side(made.to, made.n, true)]),
        }
    }

    fn free_in_turn(
        &mut self,
        space: AllocSpace,
        pointer: &Expr,
        stream: Option<&Expr>,
        at: At,
    ) -> Followed<()> {
        let Some(freed) = self.free(space, pointer, at)? else {
            return Ok(());
        };
        let array = self.array_of(freed);
        let id = match stream {
            Some(stream) => Some(self.stream(Some(stream), at)?),
            None => None,
        };
        if let Some(streams) = &mut self.host.streams {
            match id {
                Some(id) => {
                    let ticket = streams.enqueue(id);
                    streams.frees_in_turn(ticket, array, NO_OP, NOW);
                }
                None => streams.frees(array, NO_OP, NOW),
            }
        }
        Ok(())
    }

    /// What the launch that has run used of memory that outlives it.
    pub(super) fn footprint(&self) -> Footprint {
        let mut spans: Vec<Used> = Vec::new();
        let mut add = |place: Place, cell: Option<i64>, access: &Access| {
            if !matches!(place, Place::Shared(_) | Place::Private(_)) {
                let writes = access.mode != Mode::Read;
                spans.push(used(self.array_of(place), cells(cell), writes));
            }
        };
        self.accesses.each(&mut add);
        spans.sort_by_key(|span| {
            (
                span.array,
                span.mode,
                span.first,
                std::cmp::Reverse(span.end),
            )
        });
        // Ascending and apart.
        let mut apart: Vec<Used> = Vec::new();
        for span in spans {
            match apart.last_mut() {
                Some(last)
                    if (last.array, last.mode) == (span.array, span.mode)
                        && span.first <= last.end =>
                {
                    last.end = last.end.max(span.end);
                }
                _ => apart.push(span),
            }
        }
        Footprint::of(apart)
    }

    /// The host uses a cell.
    pub(super) fn host_uses(
        &mut self,
        place: Place,
        cell: TermId,
        mode: Mode,
        span: Span,
    ) -> Followed<()> {
        let array = self.array_of(place);
        let cell = self.terms.as_bits(cell).map(|cell| cell as i64);
        let Some(streams) = &mut self.host.streams else {
            return Ok(());
        };
        let use_of = used(array, cells(cell), mode != Mode::Read);
        streams.host_uses(DefectKind::StaleData, &use_of, NOW);
        self.nothing_meets(span)
    }

    /// The entry has ended: its caller has back the arrays it gave, and nothing is left over.
    pub(super) fn streams_have_ended(&mut self, span: Span) -> Followed<()> {
        let given = 0..self.setup.arrays.len();
        let given: Vec<ArrayRef> = given
            .map(|number| self.array_of(Place::Argument(number)))
            .collect();
        let Some(streams) = &mut self.host.streams else {
            return Ok(());
        };
        streams.hands_over(&given, NOW);
        let queues = &streams.queues;
        if queues.streams.iter().any(|stream| !stream.destroyed) {
            return unfollowed("a stream that is not destroyed", span);
        }
        if queues.events.iter().any(|event| !event.destroyed) {
            return unfollowed("an event that is not destroyed", span);
        }
        self.nothing_meets(span)
    }

    fn nothing_meets(&self, span: Span) -> Followed<()> {
        let Some(streams) = &self.host.streams else {
            return Ok(());
        };
        match streams.hits.first() {
            None => Ok(()),
            Some(hit) => unfollowed(
                match hit.kind {
                    DefectKind::UnorderedStreams => {
                        "memory that two operations may use, which nothing orders"
                    }
                    DefectKind::UseAfterFree => "memory given back that an operation may use",
                    _ => "memory that an operation may use for which the host has not waited",
                },
                span,
            ),
        }
    }
}
