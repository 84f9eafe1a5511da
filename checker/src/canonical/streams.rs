//! Streams in a canonical run: every operation runs when it is enqueued, which is one order of
//! those that streams leave open. That decides all of them as long as nothing unordered meets
//! (`docs/host.md`): so what each operation touched is remembered until the host has waited for
//! it, and held against what the host and later operations touch.
//!
//! There is one host thread, so what is ordered is known when an operation is enqueued: it comes
//! after everything the host has waited for and after what its stream makes it wait for.
//! Complete for the run: whatever meets unordered is found.

use super::trace::Moment;
use crate::compiled::raw;
use crate::finding::DefectKind;
use crate::system::footprint::AccessClass;
use gridlock_semantics::algebra::operator::{CopyKind, OpId};
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::host::streams::{Queues, StreamId, Ticket};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Elements in a row of one array, used in one way.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Whose elements.
    pub array: ArrayRef,
    /// The first of them.
    pub first: u64,
    /// One past the last.
    pub end: u64,
    /// How they are used.
    pub mode: AccessMode,
    /// How atomic updates get along with others; no matter for the other modes.
    pub class: AccessClass,
    /// Who and where, for the first element.
    pub actor: Actor,
    /// The operator that uses the first element.
    pub op: OpId,
}

impl Span {
    fn access(&self, index: u64) -> Access {
        Access {
            actor: self.actor,
            array: self.array,
            index: index as i64,
            mode: self.mode,
            op: self.op,
        }
    }
}

/// What an operation touched: by array and mode, ascending and apart.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    spans: BTreeMap<(ArrayRef, AccessMode), Vec<Span>>,
}

const MODES: [AccessMode; 4] = [
    AccessMode::Read,
    AccessMode::Write,
    AccessMode::Atomic,
    AccessMode::AtomicRead,
];

impl Footprint {
    /// Adds elements behind those of the same array and mode.
    pub fn push(&mut self, span: Span) {
        if span.first >= span.end {
            return;
        }
        let spans = self.spans.entry((span.array, span.mode)).or_default();
        match spans.last_mut() {
            Some(last)
                if last.end == span.first && last.op == span.op && last.class == span.class =>
            {
                last.end = span.end;
            }
            _ => spans.push(span),
        }
    }

    /// What these use: ascending and apart where they are of one array and mode.
    pub fn of(spans: impl IntoIterator<Item = Span>) -> Footprint {
        let mut footprint = Footprint::default();
        for span in spans {
            footprint.push(span);
        }
        footprint
    }

    fn arrays(&self) -> impl Iterator<Item = ArrayRef> + '_ {
        self.spans.keys().map(|(array, _)| *array)
    }

    /// The first use that overlaps one, for each mode, one of them writing, with an element both have.
    fn meets_one(&self, other: &Span) -> impl Iterator<Item = (&Span, u64)> + '_ {
        let (array, reads, first, end) =
            (other.array, other.mode.reads_only(), other.first, other.end);
        let modes = MODES.into_iter();
        let modes = modes.filter(move |mode| !(reads && mode.reads_only()));
        modes.filter_map(move |mode| {
            let mine = self.spans.get(&(array, mode))?;
            let next = mine.get(mine.partition_point(|span| span.end <= first))?;
            let both = next.first.max(first);
            (both < next.end.min(end)).then_some((next, both))
        })
    }

    /// The first pair of overlapping uses for each two modes, one of them writing, with an element
    /// both have.
    fn meets<'a>(&'a self, other: &'a Footprint) -> Vec<(&'a Span, &'a Span, u64)> {
        let mut found = Vec::new();
        for ((array, mode), mine) in &self.spans {
            for their_mode in MODES {
                if mode.reads_only() && their_mode.reads_only() {
                    continue;
                }
                if let Some(theirs) = other.spans.get(&(*array, their_mode)) {
                    found.extend(overlap(mine, theirs));
                }
            }
        }
        found
    }
}

fn overlap<'a>(a: &'a [Span], b: &'a [Span]) -> Option<(&'a Span, &'a Span, u64)> {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let first = x.first.max(y.first);
        if first < x.end.min(y.end) {
            return Some((x, y, first));
        }
        if x.end <= y.end {
            i += 1;
        } else {
            j += 1;
        }
    }
    None
}

/// For each stream one past the last of some of its operations; they are the first it has.
type Clock = BTreeMap<StreamId, Ticket>;

fn contains(clock: &Clock, stream: StreamId, ticket: Ticket) -> bool {
    clock.get(&stream).is_some_and(|end| ticket < *end)
}

/// A copy that was made at once.
#[derive(Clone, Debug)]
pub struct Copied {
    /// From where to where; no [`CopyKind::Default`].
    pub kind: CopyKind,
    /// Whose operation it is.
    pub stream: StreamId,
    /// It was put into the stream; otherwise the host waits for what the stream has before it.
    pub is_enqueued: bool,
    /// Its source is page-locked.
    pub is_pinned: bool,
    /// What is read and what is written, whoever does it; `None`: nothing.
    pub sides: Option<[Span; 2]>,
}

/// An operation the host has not waited for.
#[derive(Debug)]
struct Flight {
    ticket: Ticket,
    stream: StreamId,
    /// The number of the launch that it is.
    launch: Option<u32>,
    footprint: Footprint,
}

/// An element that a launch uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The number of the launch.
    pub launch: u32,
    /// The array.
    pub array: ArrayRef,
    /// The element.
    pub index: i64,
    /// How it is used.
    pub mode: AccessMode,
}

/// Two uses that nothing orders.
#[derive(Clone, Debug)]
pub struct HostHit {
    /// What that is.
    pub kind: DefectKind,
    /// The use that was enqueued first.
    pub first: Access,
    /// The other.
    pub second: Access,
    /// When the second was made.
    pub moment: Moment,
    /// Of the first, where it is an access of a launch.
    pub place: Option<Place>,
    /// The stream of the first, where the host uses what one of its operations uses.
    pub stream: Option<StreamId>,
}

/// What host code must not touch unseen: arrays that operations in flight use.
#[derive(Debug, Default)]
pub struct Guard {
    /// As registers hold them.
    arrays: FxHashSet<u64>,
    /// An access that was looked at.
    pub passes: Option<(u64, i64, AccessMode)>,
}

impl Guard {
    /// Whether an access is to be looked at first.
    #[inline]
    pub fn stops(&self, array: u64, index: i64, mode: AccessMode) -> bool {
        !self.arrays.is_empty()
            && self.arrays.contains(&array)
            && self.passes != Some((array, index, mode))
    }
}

/// What streams and the host know of each other while a run goes on.
#[derive(Debug, Default)]
pub struct Streams {
    /// The relation between operations; none is ever pending here.
    pub queues: Queues,
    /// The current device.
    pub device: u32,
    /// What the host must not touch unseen.
    pub guard: Guard,
    /// What met unordered, once for each two operators.
    pub hits: Vec<HostHit>,
    /// Launches that nothing orders met in atomic updates whose order shows.
    pub talk: bool,
    /// Where the thread that uses it is asked for, and who it was. A span names that of its first element only.
    pub asked: FxHashMap<Place, Option<Actor>>,
    flights: Vec<Flight>,
    /// The stream of each operation the host has not waited for, and what it comes after.
    before: BTreeMap<Ticket, (StreamId, Clock)>,
    seen: FxHashSet<(DefectKind, OpId, OpId)>,
}

impl Streams {
    /// Takes a ticket for an operation of a stream, ordered after all the stream makes it wait
    /// for.
    pub fn enqueue(&mut self, stream: StreamId) -> Ticket {
        let after = self.queues.before(stream);
        let clock = self.clock(&after);
        let ticket = self.queues.ended(stream);
        self.before.insert(ticket, (stream, clock));
        ticket
    }

    /// These operations and what they come after. (What is not known any more, the host has
    /// waited for.)
    fn clock(&self, tickets: &[Ticket]) -> Clock {
        let mut clock = Clock::new();
        let mut add = |stream: StreamId, ticket: Ticket| {
            let last = clock.entry(stream).or_default();
            *last = (*last).max(ticket + 1);
        };
        for ticket in tickets {
            if let Some((stream, earlier)) = self.before.get(ticket) {
                add(*stream, *ticket);
                for (stream, end) in earlier {
                    add(*stream, end - 1);
                }
            }
        }
        clock
    }

    /// The host has waited for these.
    pub fn waited(&mut self, tickets: &[Ticket]) {
        let ended = self.clock(tickets);
        self.flights
            .retain(|flight| !contains(&ended, flight.stream, flight.ticket));
        self.before
            .retain(|ticket, (stream, _)| !contains(&ended, *stream, *ticket));
        self.guard_again();
    }

    /// Whether the host has waited for all that was enqueued.
    pub fn is_idle(&self) -> bool {
        self.flights.is_empty()
    }

    /// An operation has touched this; the host has not waited for it.
    pub fn flew(&mut self, ticket: Ticket, footprint: Footprint, launch: Option<u32>, now: Moment) {
        let Some((stream, ordered)) = self.before.get(&ticket) else {
            return;
        };
        let stream = *stream;
        let mut met = Vec::new();
        for flight in &self.flights {
            if contains(ordered, flight.stream, flight.ticket) {
                continue;
            }
            for (first, second, index) in flight.footprint.meets(&footprint) {
                if first.mode.is_atomic() && second.mode.is_atomic() {
                    let launches = flight.launch.is_some() && launch.is_some();
                    self.talk |= launches && first.class.interferes(second.class);
                } else {
                    met.push((first.access(index), second.access(index)));
                }
            }
        }
        for (first, second) in met {
            self.hit(DefectKind::UnorderedStreams, (first, second), None, now);
        }
        self.flights.push(Flight {
            ticket,
            stream,
            launch,
            footprint,
        });
        self.guard_again();
    }

    /// What a copy that was made at once means for the order of things (`gridlock_semantics::host::asynchronous`).
    ///
    /// `now`: when, asked for behind the step in which its stream takes it up, where it was put into one.
    pub fn copied(&mut self, copied: &Copied, now: impl FnOnce() -> Moment) {
        let id = copied.stream;
        let by = |actor| {
            let spans = copied.sides.iter().flatten();
            spans.map(move |span| Span { actor, ..*span })
        };
        let (host, stream) = (by(Actor::Host), by(id.actor()));
        if copied.kind == CopyKind::HostToHost {
            self.host_touches(&Footprint::of(host), now());
            return;
        }
        if copied.is_enqueued {
            let ticket = self.enqueue(id);
            self.flew(ticket, Footprint::of(stream), None, now());
            return;
        }
        let before = self.queues.before(id);
        self.waited(&before);
        let ticket = self.enqueue(id);
        match copied.kind {
            CopyKind::HostToDevice if !copied.is_pinned => {
                let now = now();
                self.host_touches(&Footprint::of(host.take(1)), now);
                self.flew(ticket, Footprint::of(stream.skip(1)), None, now);
            }
            CopyKind::DeviceToDevice => self.flew(ticket, Footprint::of(stream), None, now()),
            _ => self.host_touches(&Footprint::of(host), now()),
        }
    }

    /// The host touches this.
    pub fn host_touches(&mut self, footprint: &Footprint, now: Moment) {
        for span in footprint.spans.values().flatten() {
            self.host_uses(DefectKind::StaleData, span, now);
        }
    }

    /// The host touches elements in a row.
    pub fn host_uses(&mut self, kind: DefectKind, second: &Span, now: Moment) {
        let mut met = Vec::new();
        for flight in &self.flights {
            for (first, index) in flight.footprint.meets_one(second) {
                let mut first = first.access(index);
                let place = flight.launch.map(|launch| Place {
                    launch,
                    array: first.array,
                    index: first.index,
                    mode: first.mode,
                });
                let by = place.and_then(|place| *self.asked.get(&place)?);
                first.actor = by.unwrap_or(first.actor);
                met.push(((first, second.access(index)), flight.stream, place));
            }
        }
        for (uses, stream, place) in met {
            self.hit(kind, uses, Some((stream, place)), now);
        }
    }

    /// The host frees an array.
    pub fn frees(&mut self, array: ArrayRef, op: OpId, now: Moment) {
        let whole = Span {
            array,
            first: 0,
            end: u64::MAX,
            mode: AccessMode::Write,
            class: AccessClass::Write,
            actor: Actor::Host,
            op,
        };
        self.host_uses(DefectKind::UseAfterFree, &whole, now);
    }

    /// An operation frees an array in its turn.
    pub fn frees_in_turn(&mut self, ticket: Ticket, array: ArrayRef, op: OpId, now: Moment) {
        let Some((stream, ordered)) = self.before.get(&ticket) else {
            return;
        };
        let whole = Footprint::of([Span {
            array,
            first: 0,
            end: u64::MAX,
            mode: AccessMode::Write,
            class: AccessClass::Write,
            actor: stream.actor(),
            op,
        }]);
        let mut met = Vec::new();
        for flight in &self.flights {
            if !contains(ordered, flight.stream, flight.ticket) {
                let found = flight.footprint.meets(&whole).into_iter();
                met.extend(found.map(|(a, b, index)| (a.access(index), b.access(index))));
            }
        }
        for (first, second) in met {
            self.hit(DefectKind::UseAfterFree, (first, second), None, now);
        }
    }

    /// The entry ends and the caller has `given` back.
    pub fn hands_over(&mut self, given: &[ArrayRef], now: Moment) {
        let spans = self
            .flights
            .iter()
            .flat_map(|f| f.footprint.spans.values().flatten());
        let written = spans.filter(|s| !s.mode.reads_only() && given.contains(&s.array));
        let met: Vec<(Access, Access)> = written
            .map(|span| {
                let first = span.access(span.first);
                let second = Access {
                    actor: Actor::Host,
                    mode: AccessMode::Read,
                    ..first
                };
                (first, second)
            })
            .collect();
        for (first, second) in met {
            self.hit(DefectKind::StaleData, (first, second), None, now);
        }
    }

    fn hit(
        &mut self,
        kind: DefectKind,
        (first, second): (Access, Access),
        of: Option<(StreamId, Option<Place>)>,
        moment: Moment,
    ) {
        if self.seen.insert((kind, first.op, second.op)) {
            self.hits.push(HostHit {
                kind,
                first,
                second,
                moment,
                place: of.and_then(|(_, place)| place),
                stream: of.map(|(stream, _)| stream),
            });
        }
    }

    fn guard_again(&mut self) {
        let arrays = self.flights.iter().flat_map(|f| f.footprint.arrays());
        self.guard.arrays = arrays.map(raw::from_array).collect();
        self.guard.passes = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::shadow::{READS, WRITES};
    use gridlock_semantics::algebra::operator::AtomicFn;

    const NOW: Moment = Moment {
        segment: 0,
        steps: 0,
    };

    const ADDS: (AccessMode, AccessClass) =
        (AccessMode::Atomic, AccessClass::Commuting(AtomicFn::Add));
    const FAILS: (AccessMode, AccessClass) = (AccessMode::AtomicRead, AccessClass::Atomic);

    fn span(first: u64, end: u64, (mode, class): (AccessMode, AccessClass)) -> Span {
        Span {
            array: ArrayRef::Global(0),
            first,
            end,
            mode,
            class,
            actor: Actor::Stream(1),
            op: OpId(first as u32),
        }
    }

    #[test]
    fn only_overlapping_uses_meet_and_only_if_one_writes() {
        let reads = Footprint::of([span(0, 4, READS), span(8, 9, READS)]);
        let writes = |first, end| Footprint::of([span(first, end, WRITES)]);
        assert!(reads.meets(&reads).is_empty());
        assert!(reads.meets(&writes(4, 8)).is_empty());
        assert_eq!(reads.meets(&writes(5, 20))[0].2, 8);
        assert_eq!(reads.meets(&writes(2, 20))[0].2, 2);
        // One row of elements meets what the same as a footprint does.
        for (first, end) in (0..10).flat_map(|first| (first..12).map(move |end| (first, end))) {
            for how in [READS, WRITES, ADDS, FAILS] {
                let one = span(first, end, how);
                let whole = Footprint::of([one]);
                let expected: Vec<u64> = reads.meets(&whole).iter().map(|met| met.2).collect();
                let found: Vec<u64> = reads.meets_one(&one).map(|met| met.1).collect();
                assert_eq!(found, expected, "{first}..{end}");
            }
        }
    }

    #[test]
    fn operations_in_flight_meet_unless_ordered() {
        let a = StreamId::Default(0);
        let b = StreamId::Default(1);
        let write = || Footprint::of([span(0, 4, WRITES)]);
        let mut streams = Streams::default();
        for (stream, expected) in [(a, 0), (a, 0), (b, 2)] {
            let ticket = streams.enqueue(stream);
            streams.flew(ticket, write(), Some(1), NOW);
            assert_eq!(streams.hits.len().min(2), expected.min(1));
        }
        let mut streams = Streams::default();
        let ticket = streams.enqueue(a);
        streams.flew(ticket, write(), Some(1), NOW);
        streams.waited(&[ticket]);
        let ticket = streams.enqueue(b);
        streams.flew(ticket, write(), Some(1), NOW);
        assert!(streams.hits.is_empty());
    }

    #[test]
    fn atomics_of_one_commutative_function_get_along() {
        for (other, talk) in [(AtomicFn::Add, false), (AtomicFn::Max, true)] {
            let mut streams = Streams::default();
            for (device, function) in [(0, AtomicFn::Add), (1, other)] {
                let ticket = streams.enqueue(StreamId::Default(device));
                let class = (AccessMode::Atomic, AccessClass::Commuting(function));
                streams.flew(ticket, Footprint::of([span(0, 1, class)]), Some(1), NOW);
            }
            assert!(streams.hits.is_empty());
            assert_eq!(streams.talk, talk);
        }
    }

    /// A compare-and-swap that fails reads: with reads it makes no conflict, with atomics none that is
    /// no talk, with a write one. Its elements stand apart from those that were plainly read after them.
    #[test]
    fn what_fails_to_swap_only_reads() {
        let meets = |first: (AccessMode, AccessClass), second: (AccessMode, AccessClass)| {
            let mut streams = Streams::default();
            for (device, how) in [(0, first), (1, second)] {
                let ticket = streams.enqueue(StreamId::Default(device));
                streams.flew(ticket, Footprint::of([span(0, 1, how)]), Some(1), NOW);
            }
            (!streams.hits.is_empty(), streams.talk)
        };
        assert_eq!(meets(FAILS, FAILS), (false, false));
        assert_eq!(meets(FAILS, READS), (false, false));
        assert_eq!(meets(ADDS, FAILS), (false, true));
        assert_eq!(meets(FAILS, WRITES), (true, false));
        assert_eq!(meets(ADDS, READS), (true, false));
        let looked = Footprint::of([span(7, 9, READS), span(2, 3, FAILS)]);
        assert_eq!(looked.meets(&Footprint::of([span(2, 3, WRITES)])).len(), 1);
    }
}
