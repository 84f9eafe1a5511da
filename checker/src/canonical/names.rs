//! Which operators race. The detector ([`super::watch`]) remembers of a location what it takes to
//! see *that* something races there: the last write, two readers. Of several operators of one
//! thread it names one. Where it is known that something races, as the wide run was given up for that, accesses by every
//! operator are kept everywhere, and each unordered pair of operators is named at once. Where there are too many
//! locations for that, and where nothing was known, the run is made once more, for the locations at which something raced
//! and of which an operator was forgotten.
//!
//! What is kept is bounded: so many locations a run ([`MOST_LOCATIONS`]), so many operators a
//! location ([`MOST_OPERATORS`]) and in all ([`MOST_IN_ALL`]), and of an operator so many accesses that a later one is unordered
//! with one of all if and only if it is with one of these: by the thread that made the last, by
//! one other thread of the interval, by threads whose epoch stays open; where lanes of a warp are
//! ordered among themselves, by each lane of the last one's warp and by one of another. (A thread
//! that does not end in its turn, but later in the interval, may be missed among the open ones.)
//! Beyond the bounds a location's race is still found, by the detector, but not every pair named.

use super::ordering::Now;
use super::shadow::Epoch;
use super::watch::{Conflict, Location, Pairs, Region, Side};
use crate::compiled::instruction::Pc;
use gridlock_semantics::memory::conflict::{AccessKind, conflict};
use rustc_hash::FxHashMap;

/// Locations of a run at which every pair is named.
pub const MOST_LOCATIONS: usize = 1 << 16;
/// Operators of a location.
const MOST_OPERATORS: usize = 32;
/// Operators of all locations together.
const MOST_IN_ALL: usize = 1 << 18;
/// Accesses by one operator whose epochs stay open.
const MOST_OPEN: usize = 2;

/// What one operator did to a location.
#[derive(Clone, Debug)]
struct Done {
    pc: Pc,
    kind: AccessKind,
    epochs: Vec<Epoch>,
}

/// The locations at which all pairs are named, and the pairs found so far.
#[derive(Debug, Default)]
pub struct Names {
    at: FxHashMap<Location, Vec<Done>>,
    n_done: usize,
    reach: Reach,
    pub pairs: Pairs,
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
        Names {
            at: locations.into_iter().map(|l| (l, Vec::new())).collect(),
            ..Names::default()
        }
    }

    /// Nothing seen yet, of any location.
    pub fn of_all() -> Names {
        Names {
            reach: Reach::All,
            ..Names::default()
        }
    }

    /// Whether every pair of every location is among those found.
    pub fn has_all(&self) -> bool {
        self.reach == Reach::All
    }

    /// An access: judged against what every operator did before, then recorded. `benign`: writes
    /// of one value are no race; which values earlier ones wrote is not known here, so pairs of
    /// writes are left to the detector.
    pub fn meet<const LANES: bool>(
        &mut self,
        now: &Now,
        location: Location,
        here: Side,
        kind: AccessKind,
        benign: bool,
    ) {
        if self.reach == Reach::All {
            let is_full = self.at.len() >= MOST_LOCATIONS && !self.at.contains_key(&location);
            if is_full || self.n_done == MOST_IN_ALL {
                self.reach = Reach::TooMany;
                self.at = FxHashMap::default();
                return;
            }
            self.at.entry(location).or_default();
        }
        let Some(done) = self.at.get_mut(&location) else {
            return;
        };
        let region = location.region;
        let mut own = None;
        for (index, earlier) in done.iter().enumerate() {
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
            Some(own) => done[own].add::<LANES>(now, region, here.epoch),
            None if done.len() == MOST_OPERATORS || self.n_done == MOST_IN_ALL => {}
            None => {
                self.n_done += 1;
                done.push(Done {
                    pc: here.epoch.pc,
                    kind,
                    epochs: vec![here.epoch],
                });
            }
        }
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
