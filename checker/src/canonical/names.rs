//! Which operators race. The detector ([`super::watch`]) remembers of a location what it takes to
//! see *that* something races there: the last write, two readers. Of several operators of one
//! thread it names one. Where it is known that something races, as the wide run was given up for that, accesses by every
//! operator are kept everywhere, and each unordered pair of operators is named at once. Where there are too many global
//! locations for that (shared memory begins anew with each block), and where nothing was known, the run is made once more,
//! for the locations at which something raced and of which an operator was forgotten.
//!
//! What is kept is bounded: so many locations of each memory ([`MOST_LOCATIONS`]), so many operators a
//! location ([`MOST_OPERATORS`]) and in all ([`MOST_IN_ALL`]), and of an operator so many accesses that a later one is unordered
//! with one of all if and only if it is with one of these: by the thread that made the last, by
//! one other thread of the interval, by threads whose epoch stays open; where lanes of a warp are
//! ordered among themselves, by each lane of the last one's warp and by one of another. (A thread
//! that does not end in its turn, but later in the interval, may be missed among the open ones.)
//! Beyond the bounds a location's race is still found, by the detector, but not every pair named.

use super::ordering::Now;
use super::shadow::{Epoch, UNSEEN};
use super::watch::{Conflict, Location, Pairs, Region, Side};
use crate::compiled::instruction::Pc;
use gridlock_semantics::memory::conflict::{AccessKind, conflict};
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

/// Locations of a run, in each memory, at which every pair is named.
pub const MOST_LOCATIONS: usize = 1 << 16;
/// Operators of a location.
const MOST_OPERATORS: usize = 32;
/// Operators of all locations of a memory together.
const MOST_IN_ALL: usize = 1 << 18;
/// Accesses by one operator whose epochs stay open.
const MOST_OPEN: usize = 2;

/// In place of the number of a location of which nothing is kept.
const NOT_KEPT: u32 = u32::MAX - 1;

/// What one operator did to a location.
#[derive(Clone, Debug)]
struct Done {
    pc: Pc,
    kind: AccessKind,
    epochs: SmallVec<[Epoch; 2]>,
}

/// The locations at which all pairs are named, and the pairs found so far.
#[derive(Debug, Default)]
pub struct Names {
    /// Of each region's locations; no access of one region is judged against one of the other.
    kept: [Kept; 2],
    pub pairs: Pairs,
}

/// What is kept of the locations of one region.
#[derive(Debug, Default)]
struct Kept {
    /// By what the location's shadow has the number of ([`super::shadow::Cell::named`]).
    doings: Vec<Doings>,
    n_done: usize,
    reach: Reach,
    /// The locations of [`Reach::Given`], by array and index.
    given: FxHashSet<(u32, usize)>,
}

/// What was done to one location.
#[derive(Debug, Default)]
struct Doings {
    /// The barrier interval in which it was last accessed, of a global one the launch: of what was done before, only what
    /// stays open is of any account.
    since: u32,
    by: SmallVec<[Done; 2]>,
}

/// Of which locations accesses are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reach {
    /// Of those given.
    #[default]
    Given,
    /// Of all, as long as there is room.
    All,
    /// There was no room: of none any more.
    TooMany,
}

impl Names {
    /// Nothing seen yet.
    pub fn of(locations: impl IntoIterator<Item = Location>) -> Names {
        let mut names = Names::default();
        for location in locations {
            let kept = &mut names.kept[location.region as usize];
            kept.given.insert((location.array, location.index));
        }
        names
    }

    /// Nothing seen yet, of any location.
    pub fn of_all() -> Names {
        let mut names = Names::default();
        for kept in &mut names.kept {
            kept.reach = Reach::All;
        }
        names
    }

    /// Nothing seen yet, of the same locations.
    pub fn afresh(&self) -> Names {
        let kept = |kept: &Kept| Kept {
            reach: kept.reach,
            given: kept.given.clone(),
            ..Kept::default()
        };
        Names {
            kept: [kept(&self.kept[0]), kept(&self.kept[1])],
            pairs: Pairs::default(),
        }
    }

    /// Whether every pair of every location of the region is among those found.
    pub fn has_all(&self, region: Region) -> bool {
        self.kept[region as usize].reach == Reach::All
    }

    /// An access: judged against what every operator did before, then recorded. `benign`: writes
    /// of one value are no race; which values earlier ones wrote is not known here, so pairs of
    /// writes are left to the detector.
    pub fn meet<const LANES: bool>(
        &mut self,
        now: &Now,
        (location, named): (Location, &mut u32),
        here: Side,
        kind: AccessKind,
        benign: bool,
    ) {
        let region = location.region;
        let kept = &mut self.kept[region as usize];
        let (is_full, of_all) = (kept.n_done == MOST_IN_ALL, kept.reach == Reach::All);
        let Some(doings) = kept.doings(now, location, named) else {
            return;
        };
        let mut own = None;
        for (index, earlier) in doings.by.iter().enumerate() {
            if earlier.pc == here.epoch.pc && earlier.kind.mode == here.mode {
                own = Some(index);
            }
            if !conflict(earlier.kind, kind, region == Region::Shared, || benign) {
                continue;
            }
            // Atomics of one block alone suffice in it.
            let both_atomic = earlier.kind.mode.is_atomic() && kind.mode.is_atomic();
            let unordered = |epoch: &&Epoch| {
                now.conflicts::<LANES>(region, epoch)
                    && (!both_atomic || now.is_of_earlier_block(epoch))
            };
            if let Some(&epoch) = earlier.epochs.iter().find(unordered) {
                let first = Side {
                    epoch,
                    mode: earlier.kind.mode,
                };
                self.pairs.see(Conflict {
                    location,
                    first,
                    second: here,
                });
            }
        }
        match own {
            Some(own) => doings.by[own].add::<LANES>(now, region, here.epoch),
            None if is_full && of_all => kept.give_up(),
            None if is_full || doings.by.len() == MOST_OPERATORS => {}
            None => {
                doings.by.push(Done {
                    pc: here.epoch.pc,
                    kind,
                    epochs: smallvec![here.epoch],
                });
                kept.n_done += 1;
            }
        }
    }
}

impl Kept {
    /// What was done to a location, if it is kept and there is room; `named` is where its shadow says.
    #[inline]
    fn doings(&mut self, now: &Now, location: Location, named: &mut u32) -> Option<&mut Doings> {
        let since = match location.region {
            Region::Shared => now.since[Region::Shared as usize],
            // What earlier intervals did there concerns other blocks.
            Region::Global => now.launch_start,
        };
        if *named == UNSEEN {
            *named = self.number(location);
        }
        // None where nothing is kept of it, or of anything any more.
        let doings = self.doings.get_mut(*named as usize)?;
        if doings.since != since {
            doings.since = since;
            self.n_done -= doings.forget(now, location.region);
        }
        Some(doings)
    }

    /// The number of a location that was not seen before; one that nothing has where it is not kept.
    #[cold]
    fn number(&mut self, location: Location) -> u32 {
        let is_kept = match self.reach {
            Reach::TooMany => false,
            Reach::Given => self.given.contains(&(location.array, location.index)),
            Reach::All => true,
        };
        if self.reach == Reach::All && self.doings.len() == MOST_LOCATIONS {
            self.give_up();
        } else if is_kept {
            self.doings.push(Doings::default());
            return self.doings.len() as u32 - 1;
        }
        NOT_KEPT
    }

    fn give_up(&mut self) {
        *self = Kept {
            reach: Reach::TooMany,
            ..Kept::default()
        };
    }
}

impl Doings {
    /// Forgets what no access of the present interval will need to be judged against; by how many operators that was.
    fn forget(&mut self, now: &Now, region: Region) -> usize {
        let n_before = self.by.len();
        self.by.retain(|done| {
            done.epochs.retain(|epoch| now.stays_open(region, epoch));
            !done.epochs.is_empty()
        });
        n_before - self.by.len()
    }
}

impl Done {
    /// Records an access, and forgets what no later one will need to be judged against.
    fn add<const LANES: bool>(&mut self, now: &Now, region: Region, here: Epoch) {
        let (mut n_others, mut n_open) = (0, 0);
        self.epochs.retain(|epoch| {
            let present = now.is_present(region, epoch);
            if present && epoch.thread == here.thread {
                return false;
            }
            if present && LANES && now.same_warp(epoch.thread) {
                return true;
            }
            if now.stays_open(region, epoch) {
                n_open += 1;
                return n_open <= MOST_OPEN;
            }
            n_others += present as usize;
            present && n_others == 1
        });
        self.epochs.push(here);
    }
}
