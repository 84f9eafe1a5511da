//! The race detector: judges each access against the shadow of its location, then records it.
//!
//! Happens-before (`docs/memory-model.md`) is, here, program order, the block's barriers, and,
//! where `LANES`, what orders the lanes of a warp (`__syncwarp`, lockstep). Two accesses of one
//! block in different barrier intervals are ordered unless the earlier one's thread ended in its
//! interval; two of different blocks of one launch never are. A barrier that orders one memory only
//! ([`Orders`]) divides the intervals of that memory alone.

use super::names::{MOST_LOCATIONS, Names};
use super::ordering::{Now, RUNS};
use super::owners::Owner;
use super::readers::lanes_of;
use super::schedule::Mark;
use super::shadow::{AtomicCell, Cell, Epoch, NOBODY, Pools, Readers, Shadow};
use super::trace::Moment;
use crate::compiled::instruction::Pc;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::{AtomicFn, Orders, Scope};
use gridlock_semantics::memory::conflict::AccessKind;
use gridlock_semantics::transition::AccessMode;
use rustc_hash::{FxHashMap, FxHashSet};
/// Which memory an access is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Region {
    /// By number of the declaration; of the running block.
    Shared,
    /// By number of the array in the run.
    Global,
}

impl Region {
    /// Whether a barrier puts accesses to this memory in order.
    pub fn is_ordered(self, by: Orders) -> bool {
        by.includes(match self {
            Region::Shared => Space::Shared,
            Region::Global => Space::Global,
        })
    }
}

/// A location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub region: Region,
    pub array: u32,
    /// In elements.
    pub index: usize,
}

/// One side of a conflict.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub epoch: Epoch,
    pub mode: AccessMode,
}

/// Two conflicting accesses; a race, or a pair that only lockstep orders.
#[derive(Clone, Copy, Debug)]
pub struct Conflict {
    pub location: Location,
    pub first: Side,
    pub second: Side,
}

/// The reads and atomics of one thread that found no room beside others of their stamp, by location and mode (`Read`,
/// `Atomic` or `AtomicRead`). They matter only if the thread ends in this stamp. Of several accesses to a location the
/// one with the newest clock is kept: what comes after that one comes after all of them.
type Crowded = FxHashMap<(Location, AccessMode), Epoch>;

/// Conflicts, one for each pair of places.
#[derive(Debug, Default)]
pub struct Pairs {
    /// With how often each was seen.
    races: Vec<(Conflict, u64)>,
    /// By the two places and modes: index in `races`.
    seen: FxHashMap<u64, usize>,
    /// The one seen last, which is often the next.
    last: Option<(u64, usize)>,
}

impl Pairs {
    pub fn see(&mut self, conflict: Conflict) {
        self.add(conflict, 1);
    }

    /// A conflict that was seen `count` times.
    pub fn add(&mut self, conflict: Conflict, count: u64) {
        let Conflict { first, second, .. } = &conflict;
        // In one word, which is hashed faster than four.
        let side = |side: &Side| u64::from(side.epoch.pc) << 2 | side.mode as u64;
        let key = side(first) << 32 | side(second);
        let last = self.last.filter(|(last, _)| *last == key);
        let known = last.map(|(_, known)| known);
        if let Some(known) = known.or_else(|| self.seen.get(&key).copied()) {
            self.last = Some((key, known));
            self.races[known].1 += count;
            return;
        }
        self.seen.insert(key, self.races.len());
        self.races.push((conflict, count));
    }

    /// Whether any was seen.
    pub fn has_some(&self) -> bool {
        !self.races.is_empty()
    }

    /// Forgets which pairs of places were seen: another kernel's code begins.
    pub fn take(&mut self) -> Vec<(Conflict, u64)> {
        self.seen.clear();
        self.last = None;
        std::mem::take(&mut self.races)
    }
}

/// What the detector found out.
#[derive(Debug, Default)]
pub struct Found {
    pub races: Pairs,
    /// Where; so many at most that all pairs can be named ([`super::names`]).
    racy: FxHashSet<Location>,
    /// The first pair ordered only by lockstep.
    pub lockstep_pair: Option<Conflict>,
    /// Atomics of different functions met on this location.
    pub mixed_atomics: Option<Location>,
    pub same_value_write: Option<Location>,
    /// The first atomic whose order shows in what its cell holds, and in nothing else so far.
    pub open_atomic: Option<Pc>,
    /// Such a cell that was read.
    pub open_read: Option<Location>,
}

/// The detector.
#[derive(Debug)]
pub struct Watch {
    pub now: Now,
    pub shared: Shadow,
    pub global: Shadow,
    pub found: Found,
    /// By thread.
    crowded: FxHashMap<u32, Crowded>,
    /// By instruction: a thread may end from here before it meets a barrier.
    pub end_ahead: Vec<bool>,
    /// By region: some barrier of the kernel orders accesses there.
    pub is_divided: [bool; 2],
    /// Profile: writing the value that is there already is no race.
    pub benign_same_value: bool,
    /// Watch for pairs that only lockstep orders; by instruction: the access is volatile.
    pub lockstep_remarks: Option<Vec<bool>>,
    pub sought: Sought,
    /// The pairs of operators that race, where they are to be named.
    pub names: Option<Names>,
    /// Where parts of the launch run side by side: this one, as it touches global memory.
    pub owner: Option<Owner>,
    /// By number of the global array: no thread of the launch writes it, and nothing else does
    /// meanwhile, so that reads of it need not be remembered.
    pub read_only: Vec<bool>,
    /// Whether what cells hold after the launch is nobody's concern here.
    pub is_last_launch: bool,
}

/// What a run that is made once more, because something was found, is made for.
#[derive(Debug)]
pub enum Sought {
    /// Conflicts, or their names.
    Nothing,
    /// The moments of these races.
    Moments(Vec<Mark>),
}

impl Sought {
    /// In a word, for the log.
    pub fn name(&self) -> &'static str {
        match self {
            Sought::Nothing => "conflicts",
            Sought::Moments(_) => "schedules",
        }
    }
}

/// The access being judged.
struct Present<'a> {
    now: &'a Now,
    found: &'a mut Found,
    location: Location,
    here: Epoch,
    mode: AccessMode,
    lockstep_remarks: Option<&'a [bool]>,
}

impl Present<'_> {
    #[cold]
    #[inline(never)]
    fn race(&mut self, first: Epoch, mode: AccessMode) {
        if self.found.racy.len() < MOST_LOCATIONS {
            self.found.racy.insert(self.location);
        }
        self.found.races.see(Conflict {
            location: self.location,
            first: Side { epoch: first, mode },
            second: Side {
                epoch: self.here,
                mode: self.mode,
            },
        });
    }

    /// An ordered pair of one warp and stamp: remarked when nothing but lockstep orders it.
    #[cold]
    fn remark(&mut self, first: &Epoch, mode: AccessMode) {
        let Some(volatile) = self.lockstep_remarks else {
            return;
        };
        let now = self.now;
        if self.found.lockstep_pair.is_some()
            || first.thread == NOBODY
            || first.stamp != now.stamp
            || first.thread == now.thread
            || !now.same_warp(first.thread)
        {
            return;
        }
        let last_sync = |thread: u32| now.last_sync[(thread % now.warp_size) as usize];
        let synchronised =
            last_sync(first.thread) > first.clock && last_sync(now.thread) > first.clock;
        let is_volatile = |pc: Pc| volatile.get(pc as usize).copied().unwrap_or(false);
        let both_volatile = is_volatile(first.pc) && is_volatile(self.here.pc);
        if !synchronised && !both_volatile {
            self.found.lockstep_pair = Some(Conflict {
                location: self.location,
                first: Side {
                    epoch: *first,
                    mode,
                },
                second: Side {
                    epoch: self.here,
                    mode: self.mode,
                },
            });
        }
    }

    /// Judges the present access against one recorded before.
    #[inline(always)]
    fn against<const LANES: bool>(&mut self, epoch: &Epoch, mode: AccessMode) {
        if self.now.conflicts::<LANES>(self.location.region, epoch) {
            self.race(*epoch, mode);
        } else if LANES && self.lockstep_remarks.is_some() {
            self.remark(epoch, mode);
        }
    }

    /// Judges it against a group of accesses; one race is enough.
    #[inline(always)]
    fn against_all<const LANES: bool>(
        &mut self,
        readers: &Readers,
        pools: &Pools,
        mode: AccessMode,
    ) {
        if let Some(epoch) = self
            .now
            .conflict_among::<LANES>(self.location.region, readers, pools)
        {
            self.race(epoch, mode);
        } else if LANES && self.lockstep_remarks.is_some() {
            self.remark(&readers.first, mode);
            for epoch in lanes_of(self.now, readers, pools) {
                self.remark(&epoch, mode);
            }
        }
    }
}

impl Watch {
    /// A detector at the start of a run; `warp_size` 0 when lanes are not ordered.
    pub fn new(warp_size: u32, benign_same_value: bool) -> Watch {
        Watch {
            now: Now {
                thread: 0,
                stamp: 0,
                since: [1; 2],
                block_start: 1,
                launch_start: 1,
                warp_size: warp_size.max(1),
                clock: 0,
                view: Vec::new(),
                ended: Vec::new(),
                last_sync: Vec::new(),
                visible: 0,
                segment: 0,
            },
            shared: Shadow::default(),
            global: Shadow::default(),
            found: Found::default(),
            crowded: FxHashMap::default(),
            end_ahead: Vec::new(),
            is_divided: [true; 2],
            benign_same_value,
            lockstep_remarks: None,
            sought: Sought::Nothing,
            names: None,
            owner: None,
            read_only: Vec::new(),
            is_last_launch: false,
        }
    }

    /// A new launch of blocks of `n_threads` begins.
    pub fn start_launch(&mut self) {
        self.now.launch_start = self.now.stamp + 1;
    }

    /// A new block of `n_threads` begins.
    pub fn start_block(&mut self, n_threads: u32) {
        self.start_interval(Orders::All);
        self.now.block_start = self.now.stamp;
        self.now.ended.clear();
        self.now.ended.resize(n_threads as usize, [RUNS; 2]);
    }

    /// The next barrier interval of the block begins, after a barrier that orders accesses to some
    /// of its memory.
    pub fn start_interval(&mut self, orders: Orders) {
        self.now.stamp += 1;
        for region in [Region::Shared, Region::Global] {
            if region.is_ordered(orders) {
                self.now.since[region as usize] = self.now.stamp;
            }
        }
        self.crowded.retain(|_, crowded| {
            crowded.retain(|(location, _), _| !location.region.is_ordered(orders));
            !crowded.is_empty()
        });
    }

    /// A thread ended in the present interval: its epoch stays open to the end of the launch.
    pub fn end_thread<const LANES: bool>(&mut self, thread: u32) {
        self.now.ended[thread as usize] = self.now.since;
        for ((location, mode), epoch) in self.crowded.remove(&thread).unwrap_or_default() {
            let Location {
                region,
                array,
                index,
            } = location;
            let shadow = match region {
                Region::Shared => &mut self.shared,
                Region::Global => &mut self.global,
            };
            let array = &mut shadow.arrays[array as usize];
            let readers = match mode {
                AccessMode::Atomic => &mut array.atomic(index).atomics,
                AccessMode::AtomicRead => &mut array.atomic(index).looks,
                AccessMode::Read | AccessMode::Write => &mut array.plain(index).reads,
            };
            self.now
                .open::<LANES>(region, readers, &mut shadow.pools, epoch);
        }
    }

    /// The thread reached the barrier: what it did is ordered before what comes after.
    pub fn reach_barrier(&mut self, thread: u32, orders: Orders) {
        if let Some(crowded) = self.crowded.get_mut(&thread) {
            crowded.retain(|(location, _), _| !location.region.is_ordered(orders));
        }
    }

    #[cold]
    fn meet<const LANES: bool>(
        &mut self,
        location: Location,
        pc: Pc,
        mode: AccessMode,
        scope: Scope,
    ) {
        let epoch = self.now.here(pc);
        if let Sought::Moments(marks) = &mut self.sought {
            let moment = Moment {
                segment: self.now.segment,
                steps: self.now.visible + 1,
            };
            for mark in marks {
                mark.meet(location, (epoch.stamp, epoch.thread, pc), moment);
            }
        }
        if let Some(names) = &mut self.names {
            let here = Side { epoch, mode };
            let (kind, benign) = (AccessKind::new(mode, Some(scope)), self.benign_same_value);
            let shadow = match location.region {
                Region::Shared => &mut self.shared,
                Region::Global => &mut self.global,
            };
            let cell = shadow.arrays[location.array as usize].plain(location.index);
            names.meet::<LANES>(&self.now, (location, &mut cell.named), here, kind, benign);
        }
    }

    /// An access that may write is about to be made.
    #[inline(always)]
    fn own_to_write(&self, region: Region, array: u32, index: usize) {
        if region == Region::Global
            && let Some(owner) = &self.owner
        {
            owner.write(array, index);
        }
    }

    /// Whether more is wanted of an access than whether it conflicts.
    #[inline(always)]
    fn is_met(&self) -> bool {
        self.names.is_some() || !matches!(self.sought, Sought::Nothing)
    }

    #[cold]
    fn crowd(&mut self, location: Location, mode: AccessMode, epoch: Epoch) {
        let may_end = self
            .end_ahead
            .get(epoch.pc as usize)
            .copied()
            .unwrap_or(true);
        // Where no barrier orders anything, an epoch that stays open is no different.
        if !may_end || !self.is_divided[location.region as usize] {
            return;
        }
        let crowded = self.crowded.entry(epoch.thread).or_default();
        let known = crowded.entry((location, mode)).or_insert(epoch);
        if known.clock < epoch.clock {
            *known = epoch;
        }
    }

    #[inline(always)]
    pub fn read<const LANES: bool>(&mut self, region: Region, array: u32, index: usize, pc: Pc) {
        if region == Region::Global && self.read_only.get(array as usize) == Some(&true) {
            return;
        }
        if region == Region::Global
            && let Some(owner) = &self.owner
        {
            owner.read(array, index);
        }
        let location = Location {
            region,
            array,
            index,
        };
        if self.is_met() {
            self.meet::<LANES>(location, pc, AccessMode::Read, Scope::Device);
        }
        let here = self.now.here(pc);
        let shadow = match region {
            Region::Shared => &mut self.shared,
            Region::Global => &mut self.global,
        };
        let Shadow { arrays, pools } = shadow;
        let shadow = &mut arrays[array as usize];
        let has_atomics = shadow.has_atomics;
        let cell: &mut Cell = shadow.plain(index);
        cell.forgot |= self.now.differs(region, &cell.reads.first, pc);
        if !LANES
            && cell.reads.first.stamp == here.stamp
            && cell.reads.first.thread == here.thread
            && !has_atomics
        {
            // Already judged in this interval; a later write by another was judged against it.
            return;
        }
        let mut present = Present {
            now: &self.now,
            found: &mut self.found,
            location,
            here,
            mode: AccessMode::Read,
            lockstep_remarks: self.lockstep_remarks.as_deref(),
        };
        present.against::<LANES>(&cell.write, AccessMode::Write);
        let crowded = self.now.join::<LANES>(region, &mut cell.reads, pools, here);
        if has_atomics {
            let atomic: &AtomicCell = shadow.atomic(index);
            present.against_all::<LANES>(&atomic.atomics, pools, AccessMode::Atomic);
            let since = match region {
                Region::Shared => self.now.block_start,
                Region::Global => self.now.launch_start,
            };
            if atomic.open_since >= since {
                self.found.open_read.get_or_insert(location);
            }
        }
        if crowded {
            self.crowd(location, AccessMode::Read, here);
        }
    }

    /// The order of an atomic among others shows in what the cell holds.
    pub fn leave_open(&mut self, region: Region, array: u32, index: usize, pc: Pc) {
        self.found.open_atomic.get_or_insert(pc);
        let shadow = match region {
            Region::Shared => &mut self.shared,
            Region::Global => &mut self.global,
        };
        let cell = shadow.arrays[array as usize].atomic(index);
        cell.open_since = self.now.stamp;
    }

    /// `same_value`: the cell holds the value already.
    #[inline(always)]
    pub fn write<const LANES: bool>(
        &mut self,
        region: Region,
        array: u32,
        index: usize,
        pc: Pc,
        same_value: bool,
    ) {
        self.own_to_write(region, array, index);
        let location = Location {
            region,
            array,
            index,
        };
        if self.is_met() {
            self.meet::<LANES>(location, pc, AccessMode::Write, Scope::Device);
        }
        let here = self.now.here(pc);
        let shadow = match region {
            Region::Shared => &mut self.shared,
            Region::Global => &mut self.global,
        };
        let Shadow { arrays, pools } = shadow;
        let shadow = &mut arrays[array as usize];
        let has_atomics = shadow.has_atomics;
        let cell: &mut Cell = shadow.plain(index);
        let mut present = Present {
            now: &self.now,
            found: &mut self.found,
            location,
            here,
            mode: AccessMode::Write,
            lockstep_remarks: self.lockstep_remarks.as_deref(),
        };
        if self.benign_same_value && same_value && self.now.conflicts::<LANES>(region, &cell.write)
        {
            present.found.same_value_write = Some(location);
        } else {
            present.against::<LANES>(&cell.write, AccessMode::Write);
        }
        present.against_all::<LANES>(&cell.reads, pools, AccessMode::Read);
        let another = cell.write.thread != here.thread || cell.write.stamp < self.now.block_start;
        cell.forgot |= self.now.differs(region, &cell.write, pc)
            || another && cell.write.stamp >= self.now.horizon(region);
        cell.write = here;
        if has_atomics {
            let atomic: &AtomicCell = shadow.atomic(index);
            present.against_all::<LANES>(&atomic.atomics, pools, AccessMode::Atomic);
            present.against_all::<LANES>(&atomic.looks, pools, AccessMode::AtomicRead);
        }
    }

    /// A compare-and-swap that fails. (No run with one decides anything but the races it meets, so that what
    /// scopes add may be left out.)
    pub fn look<const LANES: bool>(
        &mut self,
        region: Region,
        array: u32,
        index: usize,
        pc: Pc,
        scope: Scope,
    ) {
        self.own_to_write(region, array, index);
        let location = Location {
            region,
            array,
            index,
        };
        if self.is_met() {
            self.meet::<LANES>(location, pc, AccessMode::AtomicRead, scope);
        }
        let here = self.now.here(pc);
        let shadow = match region {
            Region::Shared => &mut self.shared,
            Region::Global => &mut self.global,
        };
        let Shadow { arrays, pools } = shadow;
        let shadow = &mut arrays[array as usize];
        let mut present = Present {
            now: &self.now,
            found: &mut self.found,
            location,
            here,
            mode: AccessMode::AtomicRead,
            lockstep_remarks: None,
        };
        present.against::<LANES>(&shadow.plain(index).write, AccessMode::Write);
        let cell = shadow.atomic(index);
        cell.forgot |= self.now.differs(region, &cell.looks.first, pc);
        let crowded = self.now.join::<LANES>(region, &mut cell.looks, pools, here);
        if crowded {
            self.crowd(location, AccessMode::AtomicRead, here);
        }
    }

    pub fn atomic<const LANES: bool>(
        &mut self,
        region: Region,
        array: u32,
        index: usize,
        pc: Pc,
        (function, scope): (AtomicFn, Scope),
    ) {
        // They commute.
        let function = if function == AtomicFn::Sub {
            AtomicFn::Add
        } else {
            function
        };
        self.own_to_write(region, array, index);
        let location = Location {
            region,
            array,
            index,
        };
        if self.is_met() {
            self.meet::<LANES>(location, pc, AccessMode::Atomic, scope);
        }
        let here = self.now.here(pc);
        let shadow = match region {
            Region::Shared => &mut self.shared,
            Region::Global => &mut self.global,
        };
        let Shadow { arrays, pools } = shadow;
        let shadow = &mut arrays[array as usize];
        let mut present = Present {
            now: &self.now,
            found: &mut self.found,
            location,
            here,
            mode: AccessMode::Atomic,
            lockstep_remarks: None,
        };
        let cell: &Cell = shadow.plain(index);
        present.against::<LANES>(&cell.write, AccessMode::Write);
        present.against_all::<LANES>(&cell.reads, pools, AccessMode::Read);
        let cell = shadow.atomic(index);
        cell.forgot |= self.now.differs(region, &cell.atomics.first, pc);
        if cell.function != function {
            // Unordered atomics commute only when they are of one function. Across blocks none
            // is ordered; inside one, a change of function within an interval is enough to ask.
            let recent = match region {
                Region::Global => cell.atomics.first.stamp >= self.now.launch_start,
                Region::Shared => self.now.is_present(region, &cell.atomics.first),
            };
            if recent
                || self
                    .now
                    .conflict_among::<LANES>(region, &cell.atomics, pools)
                    .is_some()
            {
                present.found.mixed_atomics = Some(location);
            }
            cell.function = function;
        }
        if region == Region::Global {
            let earlier = |epoch: &Epoch| self.now.is_of_earlier_block(epoch);
            if earlier(&cell.narrow) {
                present.race(cell.narrow, AccessMode::Atomic);
            } else if scope == Scope::Block {
                let group = [cell.atomics.first, cell.atomics.open];
                if let Some(epoch) = group.into_iter().find(earlier) {
                    present.race(epoch, AccessMode::Atomic);
                }
                cell.narrow = here;
            }
        }
        let crowded = self
            .now
            .join::<LANES>(region, &mut cell.atomics, pools, here);
        if crowded {
            self.crowd(location, AccessMode::Atomic, here);
        }
    }

    /// The races found; forgets which pairs of places were seen, as another kernel's code begins.
    pub fn take_races(&mut self) -> Vec<(Conflict, u64)> {
        self.found.races.take()
    }

    /// The races named since; empty where none are to be.
    pub fn take_named(&mut self) -> Vec<(Conflict, u64)> {
        let names = self.names.as_mut();
        names.map_or_else(Vec::new, |names| names.pairs.take())
    }

    /// Locations with a race of which not all pairs of operators may have been named.
    pub fn take_unnamed(&mut self) -> Vec<Location> {
        let mut locations: Vec<Location> = self.found.racy.drain().collect();
        let names = self.names.as_ref();
        locations.retain(|location| {
            if names.is_some_and(|names| names.has_all(location.region)) {
                return false;
            }
            let shadow = match location.region {
                Region::Shared => &mut self.shared,
                Region::Global => &mut self.global,
            };
            let array = &mut shadow.arrays[location.array as usize];
            array.plain(location.index).forgot
                || array.has_atomics && array.atomic(location.index).forgot
        });
        locations
    }

    /// The races whose moments are looked for.
    pub fn marks(&self) -> &[Mark] {
        match &self.sought {
            Sought::Moments(marks) => marks,
            Sought::Nothing => &[],
        }
    }
}
