//! Happens-before beside a state: for each access that a later one could conflict with, which
//! threads are ordered behind it, which have only heard of it through atomics, and which places
//! carry the news.
//!
//! No clocks: sets of threads, so that a thread that spins comes back to a state it was in. Of a
//! place the last plain write is kept, and since then the last read of each thread and the last
//! atomic of each thread and kind (a compare-and-swap that fails is a kind of its own): an earlier one is ordered before whatever its successor is.
//! A record that every running thread is ordered behind is dropped.
//!
//! Steps that do not interfere commute here as well: a step changes records and releases of the
//! places it touches, and otherwise only what its own threads know.

use crate::order::synchronisation::known::{Heard, Known, Missing, Release, Width};
use crate::order::synchronisation::weak::{Collected, Passing, WeakMemory};
use crate::system::footprint::{AccessClass, MemoryPlace};
use gridlock_semantics::algebra::operator::{OpId, Orders};
use gridlock_semantics::block::named_barrier::N_BARRIERS;
use gridlock_semantics::transition::AccessMode;
use serde::{Deserialize, Serialize};

/// An access about to be made.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    pub place: MemoryPlace,
    pub class: AccessClass,
    pub op: OpId,
    pub thread: u32,
    pub block: u32,
    /// Atomics: the scope reaches across blocks.
    pub wide: bool,
    /// Atomics: the result is used.
    pub used: bool,
    /// Atomics: it writes; false for a compare-and-swap that leaves what is there.
    pub writes: bool,
    /// A read, or a compare-and-swap that fails.
    pub reads_only: bool,
    /// Atomics: the result is used, and some plain write of the program may be to the same place
    /// ([`crate::system::ExploredProgram::may_be_reset`]).
    pub resets: bool,
    /// Through a pointer to `volatile`.
    pub volatile: bool,
}

impl Made {
    fn is_atomic(&self) -> bool {
        !matches!(self.class, AccessClass::Read | AccessClass::Write)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Record {
    place: MemoryPlace,
    class: AccessClass,
    thread: u32,
    block: u32,
    op: OpId,
    /// Atomics: the scope reaches across blocks.
    wide: bool,
    reads_only: bool,
    /// Sorted by thread.
    known: Vec<Known>,
    /// Sorted.
    released: Vec<Release>,
    /// Read-modify-writes: threads of which a later one here, whose result they use, read the end of
    /// an unbroken chain from this one on. Sorted. What they write here plainly comes after it
    /// (coherence); nothing else follows.
    behind: Vec<u32>,
}

/// A fence that a thread owes before it touches another contended place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
struct Owed {
    thread: u32,
    place: MemoryPlace,
    op: OpId,
    fenced_in_block: bool,
}

/// What is known of the order of accesses so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Order {
    records: Vec<Record>,
    /// Sorted.
    owed: Vec<Owed>,
}

impl Record {
    fn known(&self, thread: u32) -> Option<&Known> {
        let at = self.known.binary_search_by_key(&thread, |k| k.thread);
        at.ok().map(|at| &self.known[at])
    }

    fn known_mut(&mut self, thread: u32) -> Option<&mut Known> {
        let at = self.known.binary_search_by_key(&thread, |k| k.thread);
        at.ok().map(|at| &mut self.known[at])
    }

    fn entry(&mut self, thread: u32, missing: Missing) -> &mut Known {
        let at = match self.known.binary_search_by_key(&thread, |k| k.thread) {
            Ok(at) => {
                let own = &mut self.known[at];
                own.missing = own.missing.map(|known| known.min(missing));
                at
            }
            Err(at) => {
                let mut own = Known::ordered(thread);
                own.missing = Some(missing);
                self.known.insert(at, own);
                at
            }
        };
        &mut self.known[at]
    }

    /// Whether the access and `made` conflict by kind: of different threads, not both reads.
    fn meets(&self, made: &Made) -> bool {
        let both_read = self.reads_only && made.reads_only;
        self.place == made.place && self.thread != made.thread && !both_read
    }

    fn is_atomic(&self) -> bool {
        !matches!(self.class, AccessClass::Read | AccessClass::Write)
    }

    fn release(&mut self, release: Release) {
        self.released.push(release);
        self.released.sort_unstable();
        let key = |r: &Release| (r.place, r.block, r.wide, r.link);
        self.released.dedup_by_key(|r| key(r));
    }

    /// Follows a read-modify-write of the same place: there is no plain write between, which
    /// would have ended this record, so it reads the end of a chain from this one on.
    fn chain(&mut self, made: &Made) {
        if self.place != made.place
            || !self.is_atomic()
            || self.reads_only
            || self.thread == made.thread
            || !made.resets
            || !made.writes
            || !self.reaches(made)
        {
            return;
        }
        if let Err(at) = self.behind.binary_search(&made.thread) {
            self.behind.insert(at, made.thread);
        }
    }

    /// Whether the two are in one block or both of a scope that reaches across blocks.
    fn reaches(&self, made: &Made) -> bool {
        self.block == made.block || self.wide && made.wide
    }

    /// Whether happens-before, coherence or being atomic of sufficient scope puts the access before `made`.
    fn is_ordered(&self, made: &Made) -> bool {
        self.known(made.thread).is_some_and(Known::is_ordered)
            || self.is_before_in_chain(made)
            || self.is_atomic() && made.is_atomic() && self.reaches(made)
    }

    /// Whether coherence orders a plain write after this read-modify-write.
    fn is_before_in_chain(&self, made: &Made) -> bool {
        made.class == AccessClass::Write && self.behind.binary_search(&made.thread).is_ok()
    }

    /// The news of the access passes through an atomic.
    fn pass(&mut self, made: &Made) {
        let mut learnt: Vec<(Missing, Option<Heard>)> = Vec::new();
        let own_link = (!made.wide).then_some(made.block);
        self.released.retain_mut(|release| {
            if release.place != made.place {
                return true;
            }
            let is_read = release.is_read_by(made.block, made.wide);
            if is_read && made.used {
                let before = release.missing.and_then(|missing| missing.before);
                let missing = Missing {
                    before,
                    after: Some(made.op),
                };
                let heard = release.missing.is_none().then_some(Heard {
                    block: release.block,
                    wide: release.wide && made.wide,
                });
                learnt.push((missing, heard));
            }
            if made.writes {
                release.link = own_link;
            }
            is_read || !made.writes
        });
        self.released.sort_unstable();
        self.released
            .dedup_by_key(|r| (r.place, r.block, r.wide, r.link));
        for (missing, heard) in learnt {
            let own = self.entry(made.thread, missing);
            if let Some(heard) = heard
                && !own.is_ordered()
                && let Err(at) = own.heard.binary_search(&heard)
            {
                own.heard.insert(at, heard);
            }
        }
        if made.writes
            && let Some(own) = self.known(made.thread)
        {
            let unfenced = Missing {
                before: Some(made.op),
                after: None,
            };
            let release = |wide: bool, missing: Option<Missing>| Release {
                place: made.place,
                block: made.block,
                wide,
                link: own_link,
                missing,
            };
            let wide_enough = !made.wide || own.fenced == Width::Device;
            let (proper, improper) = match own.missing {
                Some(missing) => (None, Some(release(made.wide, Some(missing)))),
                None if own.fenced == Width::None => {
                    (None, Some(release(made.wide, Some(unfenced))))
                }
                None if wide_enough => (Some(release(made.wide, None)), None),
                None => (
                    Some(release(false, None)),
                    Some(release(true, Some(unfenced))),
                ),
            };
            proper.into_iter().for_each(|r| self.release(r));
            improper.into_iter().for_each(|r| self.release(r));
        }
    }
}

/// An access of the past that nothing puts in order with another.
#[derive(Clone, Copy, Debug)]
pub struct Unordered {
    pub block: u32,
    /// By number in the launch.
    pub thread: u32,
    pub mode: AccessMode,
    pub op: OpId,
}

impl Order {
    /// The accesses to the place of `made`, made next, that are not ordered before it and conflict with it
    /// by kind.
    pub fn unordered_before(&self, made: &Made) -> impl Iterator<Item = Unordered> {
        let records = self.records.iter();
        let unordered = records.filter(|record| record.meets(made) && !record.is_ordered(made));
        unordered.map(|record| Unordered {
            block: record.block,
            thread: record.thread,
            mode: match (record.class, record.reads_only) {
                (AccessClass::Read, _) => AccessMode::Read,
                (AccessClass::Write, _) => AccessMode::Write,
                (_, true) => AccessMode::AtomicRead,
                (_, false) => AccessMode::Atomic,
            },
            op: record.op,
        })
    }

    /// Bytes beside the state, roughly.
    pub fn bytes(&self) -> u64 {
        let known: usize = self
            .records
            .iter()
            .map(|r| 120 + 48 * r.known.len() + 64 * r.released.len() + 4 * r.behind.len())
            .sum();
        (known + 40 * self.owed.len()) as u64
    }

    /// Follows an access.
    pub fn access(&mut self, made: &Made, seen: &mut Collected) {
        if made.volatile && made.class == AccessClass::Read {
            self.read_behind_barrier(made);
        }
        for record in self.records.iter().filter(|r| r.meets(made)) {
            judge(record, made, seen);
        }
        if made.is_atomic() {
            self.owe(made, seen);
            for record in &mut self.records {
                record.pass(made);
                record.chain(made);
            }
        }
        let replaced = |record: &Record| {
            record.place == made.place
                && (made.class == AccessClass::Write
                    || record.class == made.class
                        && record.thread == made.thread
                        // What only reads does not stand for what wrote.
                        && (record.reads_only || !made.reads_only))
        };
        self.records.retain(|record| !replaced(record));
        if made.class == AccessClass::Write {
            for record in &mut self.records {
                record.released.retain(|r| r.place != made.place);
            }
        }
        let record = Record {
            place: made.place,
            class: made.class,
            thread: made.thread,
            block: made.block,
            op: made.op,
            wide: made.wide,
            reads_only: made.reads_only,
            known: vec![Known::ordered(made.thread)],
            released: Vec::new(),
            behind: Vec::new(),
        };
        let key = |r: &Record| (r.place, r.thread, rank(r.class));
        let at = self.records.partition_point(|r| key(r) < key(&record));
        self.records.insert(at, record);
    }

    /// A volatile read behind a barrier that stands in for the acquire fence is ordered after the
    /// writes that were released. It sees them or what overwrote them, so that by coherence all that
    /// its thread does to this place from now on is ordered after them as well.
    fn read_behind_barrier(&mut self, made: &Made) {
        let here = |r: &&mut Record| r.place == made.place && !r.reads_only;
        for record in self.records.iter_mut().filter(here) {
            if let Some(own) = record.known_mut(made.thread)
                && own.met
            {
                own.order();
            }
        }
    }

    /// A barrier of a block stands in for the acquire fence of those who come to it, as far as
    /// volatile reads are concerned.
    pub fn meet_for_volatile(&mut self, met: &[u32], block: u32) {
        for record in &mut self.records {
            let heard = met.iter().filter_map(|thread| record.known(*thread));
            if !heard
                .into_iter()
                .any(|own| !own.is_ordered() && (own.met || own.has_heard(block)))
            {
                continue;
            }
            for thread in met {
                if let Some(own) = record.known_mut(*thread)
                    && !own.is_ordered()
                {
                    own.met = true;
                }
            }
        }
    }

    fn owe(&mut self, made: &Made, seen: &mut Collected) {
        let own = |owed: &&Owed| owed.thread == made.thread;
        for owed in self.owed.iter().filter(own) {
            if owed.place != made.place {
                seen.passing.insert(Passing {
                    first: (owed.place, owed.op),
                    second: (made.place, made.op),
                    fenced_in_block: owed.fenced_in_block,
                });
            }
        }
        self.owed
            .retain(|owed| owed.thread != made.thread || owed.place != made.place);
        self.owed.push(Owed {
            thread: made.thread,
            place: made.place,
            op: made.op,
            fenced_in_block: false,
        });
        self.owed.sort_unstable();
    }

    /// Follows a fence.
    pub fn fence(&mut self, thread: u32, block: u32, width: Width) {
        for record in &mut self.records {
            let Some(own) = record.known_mut(thread) else {
                continue;
            };
            let reached = |h: &Heard| h.block == block || h.wide && width == Width::Device;
            if own.heard.iter().any(reached) {
                own.order();
            }
            match &mut own.missing {
                None => own.fenced = own.fenced.max(width),
                Some(missing) if missing.before.is_some() => missing.after = None,
                Some(_) => {}
            }
        }
        match width {
            Width::Device => self.owed.retain(|owed| owed.thread != thread),
            Width::Block => {
                for owed in self.owed.iter_mut().filter(|owed| owed.thread == thread) {
                    owed.fenced_in_block = true;
                }
            }
            Width::None => {}
        }
    }

    /// What `from` knows, `to` knows (both ascending); they meet at a barrier. Debts of fences are
    /// handed on; `settles` says how far the barrier settles them.
    pub fn join(&mut self, from: &[u32], to: &[u32], settles: Width) {
        self.join_of(from, to, settles, Orders::All);
    }

    /// Those who meet at a barrier of their block, which orders accesses to some memories. Only one
    /// that orders all settles debts.
    pub fn meet(&mut self, met: &[u32], settles: Width, orders: Orders) {
        let settles = match orders {
            Orders::All => settles,
            _ => Width::None,
        };
        self.join_of(met, met, settles, orders);
    }

    fn join_of(&mut self, from: &[u32], to: &[u32], settles: Width, orders: Orders) {
        let ordered = |record: &&mut Record| orders.includes(record.place.space());
        for record in self.records.iter_mut().filter(ordered) {
            let known = from.iter().filter_map(|thread| record.known(*thread));
            let best = known.map(|known| known.missing).min();
            match best {
                None => {}
                Some(None) => {
                    for &thread in to {
                        record.entry(thread, Missing::default()).order();
                    }
                }
                Some(Some(missing)) => {
                    for &thread in to {
                        record.entry(thread, missing);
                    }
                }
            }
        }
        self.hand_on(from, to, settles);
    }

    fn hand_on(&mut self, from: &[u32], to: &[u32], settles: Width) {
        let is_from = |owed: &&Owed| from.binary_search(&owed.thread).is_ok();
        let mut handed: Vec<Owed> = self.owed.iter().filter(is_from).copied().collect();
        match settles {
            Width::Device => handed.clear(),
            Width::Block => handed.iter_mut().for_each(|o| o.fenced_in_block = true),
            Width::None => {}
        }
        if settles != Width::None {
            self.owed.retain(|o| to.binary_search(&o.thread).is_err());
        }
        for &thread in to {
            self.owed
                .extend(handed.iter().map(|o| Owed { thread, ..*o }));
        }
        let key = |o: &Owed| (o.thread, o.place);
        self.owed
            .sort_unstable_by_key(|o| (o.thread, o.place, o.fenced_in_block, o.op));
        // The one that is owed more, and of those the first operator.
        self.owed.dedup_by_key(|o| key(o));
    }

    /// These threads exchange values, which orders no memory: what comes behind in one of them may
    /// still be seen before what another owes a fence for.
    pub fn exchange(&mut self, threads: &[u32]) {
        self.hand_on(threads, threads, Width::None);
    }

    /// Forgets what a messenger knows.
    pub fn silence(&mut self, messenger: u32) {
        self.owed.retain(|owed| owed.thread != messenger);
        for record in &mut self.records {
            record.known.retain(|known| known.thread != messenger);
        }
    }

    /// Drops what no running thread can conflict with any more.
    /// `running`: threads and their blocks, ascending.
    pub fn forget(&mut self, running: &[(u32, u32)]) {
        let is_running = |thread: u32| {
            thread >= FIRST_MESSENGER || running.binary_search_by_key(&thread, |r| r.0).is_ok()
        };
        self.owed.retain(|owed| is_running(owed.thread));
        self.records.retain_mut(|record| {
            record.known.retain(|known| is_running(known.thread));
            record.behind.retain(|thread| is_running(*thread));
            let own_block = record.place.block();
            running.iter().any(|&(thread, block)| {
                own_block.is_none_or(|own| own == block)
                    && !record.known(thread).is_some_and(Known::is_ordered)
            })
        });
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.owed.is_empty()
    }
}

/// Above every number of a thread.
const FIRST_MESSENGER: u32 = 1 << 31;

/// Stands for those who arrived at a named barrier of a block and went on, like a thread that knows
/// what they knew then. Those who meet there hear of it, and it is silenced.
pub fn messenger(block: u32, barrier: u32) -> u32 {
    FIRST_MESSENGER | (block * N_BARRIERS + barrier)
}

/// An order of the kinds at one place by one thread.
fn rank(class: AccessClass) -> (u8, u8) {
    match class {
        AccessClass::Write => (0, 0),
        AccessClass::Read => (1, 0),
        AccessClass::Atomic | AccessClass::Look => (2, 0),
        AccessClass::Commuting(function) => (3, function as u8),
    }
}

/// Judges an access against a recorded one of another thread.
fn judge(record: &Record, made: &Made, seen: &mut Collected) {
    let known = record.known(made.thread);
    if known.is_some_and(Known::is_ordered) {
        return;
    }
    if record.is_before_in_chain(made) {
        return;
    }
    if record.is_atomic() && made.is_atomic() && record.reaches(made) {
        if record.class.interferes(made.class) {
            *seen.contended.entry(made.place).or_default() |= record.block != made.block;
        }
        return;
    }
    let (first, second) = (record.op, made.op);
    seen.unfenced.insert(match known.and_then(|k| k.missing) {
        Some(missing) => WeakMemory::Unfenced {
            first,
            second,
            missing,
        },
        None => WeakMemory::Racing { first, second },
    });
}
