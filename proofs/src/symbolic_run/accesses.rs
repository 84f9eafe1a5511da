//! Accesses to memory that several threads reach, and what has to hold so that no two of them race.

use super::value::Place;
use crate::terms::term::{TermId, Terms};
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::span::Span;
use rustc_hash::FxHashMap;

/// Lanes of a warp.
pub const WARP: u32 = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Read,
    Write,
    /// Not used: the result.
    Atomic(AtomicFn),
}

/// When an access is made: barriers count up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When {
    pub block: u32,
    /// Of the block.
    pub thread: u32,
    /// Barriers of the block so far that order the memory that is accessed.
    pub interval: u32,
    /// Barriers of the thread's warp so far.
    pub of_warp: u32,
}

/// Which memory an interval is one of: some barriers order the accesses to one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memories {
    Shared,
    Global,
}

impl Memories {
    fn of(place: Place) -> Memories {
        match place {
            Place::Shared(_) => Memories::Shared,
            _ => Memories::Global,
        }
    }
}

/// A thread that returns, and in which interval: it does not arrive at the barrier that ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Left {
    pub block: u32,
    pub thread: u32,
    pub memory: Memories,
    pub interval: u32,
}

/// What keeps two accesses in order.
enum Order {
    Always,
    /// Unless this holds.
    Unless(TermId),
    Never,
}

#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub mode: Mode,
    pub when: When,
    pub guard: TermId,
    pub span: Span,
}

impl Access {
    fn conflicts(&self, other: &Access) -> bool {
        match (self.mode, other.mode) {
            (Mode::Read, Mode::Read) => false,
            // Whatever their order, they leave the same.
            (Mode::Atomic(f), Mode::Atomic(g)) => f != g,
            _ => true,
        }
    }
}

/// Two accesses that race where the condition does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Apart {
    pub cond: TermId,
    pub first: Span,
    pub second: Span,
}

/// Beyond so many pairs nothing is claimed.
const MOST_PAIRS: usize = 3_000_000;

/// Accesses by place and cell.
#[derive(Default)]
pub struct Accesses {
    at: FxHashMap<(Place, i64), Vec<Access>>,
    /// To a cell whose number is a term.
    somewhere: Vec<(Place, TermId, Access)>,
    /// When threads return.
    left: FxHashMap<Left, TermId>,
}

impl Accesses {
    pub fn add(&mut self, place: Place, cell: i64, access: Access) {
        self.at.entry((place, cell)).or_default().push(access);
    }

    pub fn add_somewhere(&mut self, place: Place, cell: TermId, access: Access) {
        self.somewhere.push((place, cell, access));
    }

    /// Every access: its place, and its cell where that is a number.
    pub fn each(&self, see: &mut impl FnMut(Place, Option<i64>, &Access)) {
        for ((place, cell), accesses) in &self.at {
            accesses
                .iter()
                .for_each(|access| see(*place, Some(*cell), access));
        }
        for (place, _, access) in &self.somewhere {
            see(*place, None, access);
        }
    }

    pub fn leave(&mut self, terms: &mut Terms, left: Left, guard: TermId) {
        let before = self.left.get(&left).copied();
        let guard = before.map_or(guard, |before| terms.or(before, guard));
        self.left.insert(left, guard);
    }

    /// Whether program order or a barrier puts the two in order.
    fn order(&self, memory: Memories, a: &When, b: &When) -> Order {
        if a.block != b.block {
            return Order::Never;
        }
        let same_warp = a.thread / WARP == b.thread / WARP;
        if a.thread == b.thread || same_warp && a.of_warp != b.of_warp {
            return Order::Always;
        }
        let earlier = match a.interval.cmp(&b.interval) {
            std::cmp::Ordering::Equal => return Order::Never,
            std::cmp::Ordering::Less => a,
            std::cmp::Ordering::Greater => b,
        };
        let left = self.left.get(&Left {
            block: earlier.block,
            thread: earlier.thread,
            memory,
            interval: earlier.interval,
        });
        left.map_or(Order::Always, |left| Order::Unless(*left))
    }

    /// When the two race, as far as their guards and their order decide.
    fn both(&self, terms: &mut Terms, place: Place, a: &Access, b: &Access) -> Option<TermId> {
        if !a.conflicts(b) {
            return None;
        }
        let both = terms.and(a.guard, b.guard);
        match self.order(Memories::of(place), &a.when, &b.when) {
            Order::Always => None,
            Order::Unless(left) => Some(terms.and(both, left)),
            Order::Never => Some(both),
        }
    }

    /// What keeps every two accesses apart to the places that are `wanted`, which are forgotten then; `None`: they
    /// are too many to look at.
    pub fn apart(
        &mut self,
        terms: &mut Terms,
        wanted: &dyn Fn(Place) -> bool,
    ) -> Option<Vec<Apart>> {
        let mut found = Vec::new();
        let mut n_pairs = 0;
        let mut cells: Vec<(Place, i64)> =
            self.at.keys().copied().filter(|k| wanted(k.0)).collect();
        cells.sort_unstable();
        for key in &cells {
            let accesses = &self.at[key];
            let changing = accesses.iter().filter(|a| a.mode != Mode::Read);
            for one in changing {
                for other in accesses {
                    n_pairs += 1;
                    if let Some(both) = self.both(terms, key.0, one, other) {
                        push(terms, &mut found, both, one, other);
                    }
                }
                if n_pairs > MOST_PAIRS {
                    return None;
                }
            }
        }
        let (here, rest): (Vec<_>, Vec<_>) = std::mem::take(&mut self.somewhere)
            .into_iter()
            .partition(|s| wanted(s.0));
        self.somewhere = rest;
        for (n, (place, cell, one)) in here.iter().enumerate() {
            for key in cells.iter().filter(|key| key.0 == *place) {
                let number = terms.bits(64, key.1 as u64);
                let same = terms.eq(*cell, number);
                for other in &self.at[key] {
                    n_pairs += 1;
                    if let Some(both) = self.both(terms, *place, one, other) {
                        let both = terms.and(both, same);
                        push(terms, &mut found, both, one, other);
                    }
                }
                if n_pairs > MOST_PAIRS {
                    return None;
                }
            }
            for (other_place, other_cell, other) in &here[..n] {
                n_pairs += 1;
                if other_place == place
                    && let Some(both) = self.both(terms, *place, one, other)
                {
                    let same = terms.eq(*cell, *other_cell);
                    let both = terms.and(both, same);
                    push(terms, &mut found, both, one, other);
                }
            }
            if n_pairs > MOST_PAIRS {
                return None;
            }
        }
        self.at.retain(|key, _| !wanted(key.0));
        Some(found)
    }
}

fn push(terms: &mut Terms, found: &mut Vec<Apart>, both: TermId, one: &Access, other: &Access) {
    let cond = terms.not(both);
    if terms.as_bool(cond) != Some(true) {
        found.push(Apart {
            cond,
            first: one.span,
            second: other.span,
        });
    }
}
