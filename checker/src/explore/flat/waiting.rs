//! Launches whose threads wait for each other in loops, and which are determinate all the same.
//!
//! A stretch in which threads hand over through flags and counters is run in one order, and it is
//! noted which steps come before which *in every order*: those of one thread, those before a
//! barrier and those behind it, and those that let go a thread which waits in a loop. The stretch
//! is kept only if each two accesses that interfere are ordered so; then every run from here is
//! this one, but for the order of steps that do not interfere and for rounds of waiting that change
//! nothing, and one way on is enough. (Take the first step in some other run that is not the
//! corresponding step in ours. It has read another value, so an access before it interferes with
//! it, and the two are ordered differently in the two runs.)
//!
//! **Who waits.** A thread that only reads a cell, by an atomic (`atomicAdd(p, 0)`), and is in the
//! same local state after reading `v`, waits for another value. Let `w₁ … wₖ` be the writes to that
//! cell that are not ordered before the read, and `v₀ … vₖ` the values it holds in between. If they
//! are ordered among themselves, or all are atomic additions of one number, the thread can read no
//! value but those. If it is in the same local state after the first `m` of them, and after each of
//! the others in one that is the same for all, then whatever happens, what it does next is that,
//! and it comes after `w₁ … wₘ` (if those are additions: provided the others come after all of them).
//! A write that comes later and is not ordered after the read must lead the thread there too, and
//! come after all that let it go.
//!
//! **Races among reads.** Accesses that leave a place as it is may conflict all the same: a plain
//! read with an atomic that changes nothing (`atomicAdd(p, 0)`), or two such atomics whose scopes do
//! not reach each other. No order of them shows in what the run does, so they are compared apart.
//!
//! Over-approximates interference: atomics whose result is used interfere with all other atomics.

use super::walk::{Advance, Ground, LONGEST_TURN};
use crate::automaton::{Agent, Automaton, Kind, LocalId, Memo, PlaceId};
use crate::system::footprint::AccessClass;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::memory::conflict::{AccessKind, are_atomic_for_each_other, conflict};
use std::ops::Range;

/// Steps of a stretch.
const MOST_STEPS: usize = 50_000;
/// Accesses looked at for one stretch.
const MOST_LOOKS: usize = 4_000_000;
/// Threads of a launch whose order is kept.
const MOST_THREADS: u32 = 256;

/// What is known of the order of a stretch's steps.
#[derive(Default)]
pub struct Order {
    n_threads: usize,
    /// By thread, then by thread: how many steps of the second come before the next of the first.
    clocks: Vec<u32>,
    /// Rows of `clocks` as they were after writes.
    rows: Vec<u32>,
    places: Vec<History>,
    touched: Vec<PlaceId>,
    looks: usize,
    /// Some thread may have waited in a loop.
    pub spun: bool,
}

/// One place's accesses, in the order of the run.
#[derive(Default)]
struct History {
    writes: Vec<Write>,
    /// Those that a later write need not be ordered after.
    reads: Vec<Read>,
    unchanging: Unchanging,
    sums: Sums,
}

/// The accesses to a place that left it as it was: by kind, the last one of each thread, by thread.
#[derive(Default)]
struct Unchanging(Vec<(AccessKind, Vec<By>)>);

impl Unchanging {
    /// The accesses of other threads that conflict with one.
    fn against<'a>(&'a self, by: &'a By) -> impl Iterator<Item = &'a By> {
        let meets = |kind, one_block| conflict(kind, by.kind, one_block, || false);
        let may_meet = move |(kind, _): &&(AccessKind, Vec<By>)| meets(*kind, false);
        let all = self.0.iter().filter(may_meet).flat_map(|(_, all)| all);
        all.filter(move |other| {
            other.thread != by.thread && meets(other.kind, other.block == by.block)
        })
    }

    /// Whether `by` is the first of its thread and kind.
    fn add(&mut self, by: By) -> bool {
        let same = self.0.iter().position(|(kind, _)| *kind == by.kind);
        let same = same.unwrap_or_else(|| {
            self.0.push((by.kind, Vec::new()));
            self.0.len() - 1
        });
        let all = &mut self.0[same].1;
        match all.binary_search_by_key(&by.thread, |other| other.thread) {
            Ok(at) => {
                all[at] = by;
                false
            }
            Err(at) => {
                all.insert(at, by);
                true
            }
        }
    }
}

/// What additions whose result is not used have added to a place.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Sums {
    #[default]
    None,
    AllOf(u64),
    /// Different numbers, or commuting operations that are no additions.
    Various,
}

#[derive(Clone, Copy)]
struct Write {
    by: By,
    class: AccessClass,
    before: Option<u64>,
    after: Option<u64>,
    /// Its row among `rows`.
    row: usize,
}

struct Read {
    by: By,
    from: LocalId,
    /// `None`: it ends the run.
    to: Option<LocalId>,
    /// The writes that let the thread go.
    let_go: Range<usize>,
}

/// A step of a thread that made an access.
#[derive(Clone, Copy)]
struct By {
    thread: Agent,
    block: u32,
    /// Steps of the thread up to this one.
    clock: u32,
    kind: AccessKind,
}

impl By {
    /// Whether two accesses do not conflict, since they are atomic for each other.
    fn may_meet(&self, other: &By) -> bool {
        self.kind.mode.is_atomic()
            && other.kind.mode.is_atomic()
            && are_atomic_for_each_other(self.kind, other.kind, self.block == other.block)
    }
}

/// The stretch is not determinate, or that is not known.
struct GivenUp;

fn commutes(class: AccessClass) -> bool {
    matches!(class, AccessClass::Commuting(_))
}

impl Order {
    fn begin(&mut self, automaton: &Automaton) {
        self.n_threads = automaton.n_threads_in_all() as usize;
        self.clocks.clear();
        self.clocks.resize(self.n_threads * self.n_threads, 0);
        self.rows.clear();
        let n_cells = automaton.plan().n_cells() as usize;
        self.places.resize_with(n_cells, History::default);
        for place in self.touched.drain(..) {
            let history = &mut self.places[place as usize];
            history.writes.clear();
            history.reads.clear();
            history.unchanging.0.clear();
            history.sums = Sums::None;
        }
        self.looks = 0;
        self.spun = false;
    }

    fn tick(&mut self, thread: Agent) -> u32 {
        let own = &mut self.clocks[thread as usize * self.n_threads + thread as usize];
        *own += 1;
        *own
    }

    /// Whether an access comes before whatever `thread` does next, in every order.
    fn is_before(&self, by: &By, thread: Agent) -> bool {
        self.clocks[thread as usize * self.n_threads + by.thread as usize] >= by.clock
    }

    /// Orders `thread` after a write and all that comes before it.
    fn join(&mut self, thread: Agent, row: usize) {
        let own = thread as usize * self.n_threads;
        for of in 0..self.n_threads {
            self.clocks[own + of] = self.clocks[own + of].max(self.rows[row + of]);
        }
    }

    /// All threads of a block that waited are ordered after what the others did before.
    fn barrier(&mut self, waited: &[Agent]) {
        for of in 0..self.n_threads {
            let all = waited.iter();
            let most = all.map(|thread| self.clocks[*thread as usize * self.n_threads + of]);
            let most = most.max().unwrap_or(0);
            for thread in waited {
                self.clocks[*thread as usize * self.n_threads + of] = most;
            }
        }
    }

    /// The first of the writes to a place that do not all come before what `thread` does next.
    fn first_open(&mut self, place: PlaceId, thread: Agent) -> usize {
        let writes = &self.places[place as usize].writes;
        let (mut first, mut looks) = (writes.len(), 0);
        for (number, write) in writes.iter().enumerate().rev() {
            looks += 1;
            if !self.is_before(&write.by, thread) {
                first = number;
            } else if !commutes(write.class) {
                // What does not commute comes after all before it.
                break;
            }
        }
        self.looks += looks;
        first
    }

    fn n_writes(&self, place: PlaceId) -> usize {
        self.places[place as usize].writes.len()
    }

    /// Notes an access that leaves the place as it is, if each of its kind that conflicts with it is
    /// ordered before it.
    fn meets_no_read(&mut self, place: PlaceId, mut by: By) -> Result<(), GivenUp> {
        let thread = by.thread;
        by.clock = self.clocks[thread as usize * self.n_threads + thread as usize] + 1;
        let unchanging = &self.places[place as usize].unchanging;
        let mut n_met = 0;
        let ordered = unchanging.against(&by).all(|other| {
            n_met += 1;
            self.is_before(other, thread)
        });
        self.looks += n_met;
        if !ordered {
            return Err(GivenUp);
        }
        if self.places[place as usize].unchanging.add(by) {
            self.touched.push(place);
        }
        Ok(())
    }

    /// Notes that a thread reads a place in the local state `from`; `to`: where it is then, if the
    /// run goes on.
    fn read(
        &mut self,
        automaton: &Automaton,
        memo: &mut Memo,
        place: PlaceId,
        mut by: By,
        (from, to): (LocalId, Option<LocalId>),
    ) -> Result<(), GivenUp> {
        let thread = by.thread;
        self.meets_no_read(place, by)?;
        let first = self.first_open(place, thread);
        let history = &self.places[place as usize];
        let open = &history.writes[first..];
        let mut let_go = 0..0;
        if let Some(oldest) = open.first() {
            let to = to.ok_or(GivenUp)?;
            let sums = open.iter().any(|write| commutes(write.class));
            if !open.iter().all(|write| write.by.may_meet(&by))
                || sums && history.sums == Sums::Various
            {
                return Err(GivenUp);
            }
            // Values for which it stays where it is, then those for which it goes on.
            let mut stays = 0;
            let values = std::iter::once(oldest.before).chain(open.iter().map(|w| w.after));
            for (number, value) in values.enumerate() {
                let value = value.ok_or(GivenUp)?;
                let after = automaton.after_reading(memo, from, value);
                if after == Some(from) && stays == number {
                    stays += 1;
                } else if after != Some(to) {
                    return Err(GivenUp);
                }
            }
            self.spun |= stays > 0;
            if to != from && stays > 0 {
                let (first_ones, later) = open.split_at(stays);
                let comes_after = |write: &Write| {
                    let row = &self.rows[write.row..write.row + self.n_threads];
                    let mut all = first_ones.iter();
                    all.all(|first| row[first.by.thread as usize] >= first.by.clock)
                };
                // Additions in another order might let the thread go without one of the first.
                if !sums || later.iter().all(comes_after) {
                    let rows: Vec<usize> = first_ones.iter().map(|write| write.row).collect();
                    let_go = first..first + stays;
                    for row in rows {
                        self.join(thread, row);
                    }
                }
            }
            self.looks += self.places[place as usize].writes.len() - first;
        }
        if to == Some(from) {
            return Ok(());
        }
        by.clock = self.tick(thread);
        self.touched.push(place);
        self.places[place as usize].reads.push(Read {
            by,
            from,
            to,
            let_go,
        });
        Ok(())
    }

    /// Notes that a thread writes a place.
    fn write(
        &mut self,
        automaton: &Automaton,
        memo: &mut Memo,
        place: PlaceId,
        mut by: By,
        class: AccessClass,
        (before, after): (Option<u64>, Option<u64>),
    ) -> Result<(), GivenUp> {
        let thread = by.thread;
        let first = self.first_open(place, thread);
        let history = &mut self.places[place as usize];
        if let AccessClass::Commuting(function) = class {
            let added = match (function, before, after) {
                (AtomicFn::Add | AtomicFn::Sub, Some(before), Some(after)) => {
                    Sums::AllOf(after.wrapping_sub(before))
                }
                _ => Sums::Various,
            };
            history.sums = match history.sums {
                Sums::None => added,
                sums if sums == added => sums,
                _ => Sums::Various,
            };
        }
        let history = &self.places[place as usize];
        let together = |write: &Write| {
            self.is_before(&write.by, thread)
                || commutes(class) && write.class == class && write.by.may_meet(&by)
        };
        if !history.writes[first..].iter().all(together) {
            return Err(GivenUp);
        }
        for read in &history.reads {
            if read.by.thread == thread || self.is_before(&read.by, thread) {
                continue;
            }
            let leads = |value| automaton.after_reading(memo, read.from, value);
            let let_go = &history.writes[read.let_go.clone()];
            if !read.by.may_meet(&by)
                || read.to.is_none()
                || after.and_then(leads) != read.to
                || commutes(class) && history.sums == Sums::Various
                || !let_go.iter().all(|write| self.is_before(&write.by, thread))
            {
                return Err(GivenUp);
            }
        }
        self.looks += history.writes.len() - first + history.reads.len();
        by.clock = self.tick(thread);
        let row = self.rows.len();
        let own = thread as usize * self.n_threads;
        (self.rows).extend_from_slice(&self.clocks[own..own + self.n_threads]);
        let write = Write {
            by,
            class,
            before,
            after,
            row,
        };
        self.touched.push(place);
        let mut reads = std::mem::take(&mut self.places[place as usize].reads);
        if !commutes(class) {
            reads.retain(|read| !self.is_before(&read.by, thread));
        }
        let history = &mut self.places[place as usize];
        history.reads = reads;
        history.writes.push(write);
        Ok(())
    }
}

impl Ground {
    /// Runs the launch until no thread moves, if every run from here is this one but for rounds of
    /// waiting. How many transitions; 0 when it is not, or when that is not known.
    pub fn waiting(&mut self, automaton: &Automaton, memo: &mut Memo, words: &[u32]) -> u32 {
        self.begin(words);
        let n_threads = automaton.n_threads_in_all();
        if n_threads > MOST_THREADS || !automaton.has_atomics() {
            return 0;
        }
        let mut order = std::mem::take(&mut self.order);
        order.begin(automaton);
        let ran = self.run_in_order(automaton, memo, &mut order);
        self.order = order;
        match ran {
            Ok(()) => self.agents.len() as u32,
            Err(GivenUp) => 0,
        }
    }

    fn run_in_order(
        &mut self,
        automaton: &Automaton,
        memo: &mut Memo,
        order: &mut Order,
    ) -> Result<(), GivenUp> {
        let n_threads = automaton.n_threads_in_all();
        let (mut turn, mut moved) = (1, true);
        let mut waited = Vec::new();
        while moved {
            moved = false;
            for thread in 0..n_threads {
                for _ in 0..turn {
                    if !self.step_in_order(automaton, memo, thread, order)? {
                        break;
                    }
                    moved = true;
                }
                if self.agents.len() > MOST_STEPS || order.looks > MOST_LOOKS {
                    self.overran = true;
                    return Err(GivenUp);
                }
            }
            for block in 0..automaton.n_blocks() {
                let threads = block * automaton.n_threads()..(block + 1) * automaton.n_threads();
                waited.clear();
                waited.extend(threads.filter(|t| automaton.waits_at_barrier(&self.words, *t)));
                if waited.is_empty() {
                    continue;
                }
                if let Advance::Went = self.advance(automaton, memo, n_threads + block) {
                    order.barrier(&waited);
                    moved = true;
                }
            }
            turn = (turn * 2).min(LONGEST_TURN);
        }
        Ok(())
    }

    /// A step of one thread; whether it moved.
    fn step_in_order(
        &mut self,
        automaton: &Automaton,
        memo: &mut Memo,
        thread: Agent,
        order: &mut Order,
    ) -> Result<bool, GivenUp> {
        let from = self.words[thread as usize];
        let cell = automaton.next_cell(&self.words, thread);
        let value = |words: &[u32]| cell.and_then(|cell| automaton.value_of(words, cell));
        let before = value(&self.words);
        let n_threads = automaton.n_threads_in_all();
        let n_touches = self.touches.len();
        let went = match self.advance(automaton, memo, thread) {
            Advance::Went => true,
            Advance::Stays => false,
            Advance::GivenUp => return Err(GivenUp),
        };
        // The lanes of a warp that exchange values move together.
        let only_itself = |(at, _): &(u32, u32)| *at >= n_threads || *at == thread;
        // The lanes of a warp that exchange values move together.
        if went && !self.step.patches.iter().all(only_itself) {
            return Err(GivenUp);
        }
        let Some(&(_, touch)) = self.touches.get(n_touches) else {
            return Ok(went);
        };
        let by = By {
            thread,
            block: automaton.block_of(thread),
            clock: 0,
            kind: touch.kind(),
        };
        let ends = self.step.kind != Kind::Moves;
        if ends || matches!(touch.class, AccessClass::Read | AccessClass::Look) {
            let to = (!ends).then(|| self.words[thread as usize]);
            order.read(automaton, memo, touch.place, by, (from, to))?;
        } else if went {
            let values = (before, value(&self.words));
            order.write(automaton, memo, touch.place, by, touch.class, values)?;
        } else if order.first_open(touch.place, thread) < order.n_writes(touch.place) {
            // An exchange that fails for now.
            return Err(GivenUp);
        }
        Ok(went)
    }
}
