//! What the race detector remembers of each location: the last write, the reads since, and the
//! atomics since, each with the epoch it happened in (after FastTrack: Flanagan and Freund,
//! PLDI 2009; adapted to barriers).
//!
//! An epoch is a *stamp*, one for each barrier interval of each block, counting up over the whole
//! run, and, where lanes of a warp are ordered among themselves, the lane's clock in it.

use crate::compiled::instruction::Pc;
use crate::system::footprint::AccessClass;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::transition::AccessMode;

/// No thread.
pub const NOBODY: u32 = u32::MAX;

/// Nothing was looked for yet.
pub const UNSEEN: u32 = u32::MAX;

/// Locations in one page of shadow memory; pages come into being when touched.
const PAGE: usize = 1024;

pub const READS: (AccessMode, AccessClass) = (AccessMode::Read, AccessClass::Read);
pub const WRITES: (AccessMode, AccessClass) = (AccessMode::Write, AccessClass::Write);
/// Compare-and-swaps that failed; among other atomics their order shows.
const LOOKS: (AccessMode, AccessClass) = (AccessMode::AtomicRead, AccessClass::Atomic);

/// One access.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    pub stamp: u32,
    /// Linear number in its block.
    pub thread: u32,
    /// The lane's clock (0 where lanes are not ordered among themselves).
    pub clock: u32,
    pub pc: Pc,
}

impl Epoch {
    const NEVER: Epoch = Epoch {
        stamp: 0,
        thread: NOBODY,
        clock: 0,
        pc: 0,
    };
}

/// Accesses that do not conflict among themselves: reads, or atomics. Enough of them are kept
/// that a later access conflicts with one of all if and only if it conflicts with one of these.
#[derive(Clone, Copy, Debug)]
pub struct Readers {
    /// Of the newest stamp: the first.
    pub first: Epoch,
    /// Of the same stamp: one by another thread; where lanes are ordered, of another warp.
    pub second: Epoch,
    /// Where lanes are ordered: the accesses by the warp of `first`, lane by lane, in
    /// [`Shadow::lanes`]; 0 when only `first` did.
    pub lanes: u32,
    /// One whose epoch is open for the rest of the launch: of an earlier block, or of a thread
    /// of this block that has ended.
    pub open: Epoch,
    /// Where lanes are ordered: more of these of this block, in [`Shadow::opens`]; 0 when none.
    pub more_open: u32,
}

impl Readers {
    const NONE: Readers = Readers {
        first: Epoch::NEVER,
        second: Epoch::NEVER,
        lanes: 0,
        open: Epoch::NEVER,
        more_open: 0,
    };
}

/// What is remembered of one location.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    pub write: Epoch,
    pub reads: Readers,
    /// Writes or reads by several operators, or writes by several threads, were met in one block or
    /// launch: of pairs that race here not all may have been named ([`super::names`]).
    pub forgot: bool,
    /// Where more is kept of it ([`super::names`]).
    pub named: u32,
}

/// What is remembered of a location's atomics.
#[derive(Clone, Copy, Debug)]
pub struct AtomicCell {
    pub atomics: Readers,
    /// Compare-and-swaps that failed.
    pub looks: Readers,
    pub function: AtomicFn,
    /// One of block scope, of an earlier block of the launch if there is such a one.
    pub narrow: Epoch,
    /// When their order began to show in what the cell holds; 0: never.
    pub open_since: u32,
    /// See [`Cell::forgot`].
    pub forgot: bool,
}

impl Cell {
    const EMPTY: Cell = Cell {
        write: Epoch::NEVER,
        reads: Readers::NONE,
        forgot: false,
        named: UNSEEN,
    };
}

impl AtomicCell {
    const EMPTY: AtomicCell = AtomicCell {
        atomics: Readers::NONE,
        looks: Readers::NONE,
        function: AtomicFn::Add,
        narrow: Epoch::NEVER,
        open_since: 0,
        forgot: false,
    };
}

/// Shadow memory of one array. Stamps start at 1, so that cells never touched count as ancient.
#[derive(Debug, Default)]
pub struct ArrayShadow {
    plain: Vec<Option<Box<[Cell; PAGE]>>>,
    atomic: Vec<Option<Box<[AtomicCell; PAGE]>>>,
    /// Some atomic touched this array.
    pub has_atomics: bool,
}

impl ArrayShadow {
    #[inline(always)]
    pub fn plain(&mut self, index: usize) -> &mut Cell {
        let page = index / PAGE;
        if page >= self.plain.len() || self.plain[page].is_none() {
            self.add_plain(page);
        }
        match &mut self.plain[page] {
            Some(cells) => &mut cells[index % PAGE],
            None => unreachable!("just made"),
        }
    }

    #[cold]
    fn add_plain(&mut self, page: usize) {
        if page >= self.plain.len() {
            self.plain.resize_with(page + 1, || None);
        }
        self.plain[page] = Some(new_page(Cell::EMPTY));
    }

    /// Calls `visit` with each use made since a stamp, kind by kind, by index.
    pub fn since(
        &self,
        stamp: u32,
        mut visit: impl FnMut(usize, Epoch, (AccessMode, AccessClass)),
    ) {
        let newest = |readers: &Readers| {
            [readers.first, readers.open]
                .into_iter()
                .find(|epoch| epoch.thread != NOBODY && epoch.stamp >= stamp)
        };
        for (page, cells) in self.plain.iter().enumerate() {
            for (index, cell) in cells.iter().flat_map(|cells| cells.iter()).enumerate() {
                let index = page * PAGE + index;
                if cell.write.thread != NOBODY && cell.write.stamp >= stamp {
                    visit(index, cell.write, WRITES);
                }
                if let Some(epoch) = newest(&cell.reads) {
                    visit(index, epoch, READS);
                }
            }
        }
        for (page, cells) in self.atomic.iter().enumerate() {
            for (index, cell) in cells.iter().flat_map(|cells| cells.iter()).enumerate() {
                if let Some(epoch) = newest(&cell.looks) {
                    visit(page * PAGE + index, epoch, LOOKS);
                }
                if let Some(epoch) = newest(&cell.atomics) {
                    visit(
                        page * PAGE + index,
                        epoch,
                        (AccessMode::Atomic, AccessClass::Commuting(cell.function)),
                    );
                }
            }
        }
    }

    #[inline]
    pub fn atomic(&mut self, index: usize) -> &mut AtomicCell {
        let page = index / PAGE;
        self.has_atomics = true;
        if page >= self.atomic.len() {
            self.atomic.resize_with(page + 1, || None);
        }
        &mut self.atomic[page].get_or_insert_with(|| new_page(AtomicCell::EMPTY))[index % PAGE]
    }
}

fn new_page<T: Copy>(empty: T) -> Box<[T; PAGE]> {
    // Through a vector: a page is too large for the stack of a small thread.
    match vec![empty; PAGE].into_boxed_slice().try_into() {
        Ok(page) => page,
        Err(_) => unreachable!("a page has {PAGE} cells"),
    }
}

/// Accesses of one warp to one location in one stamp, by lane.
#[derive(Clone, Debug)]
pub struct Lanes {
    pub stamp: u32,
    /// Clock and place of each lane's last access; clock 0: none in this stamp.
    pub by_lane: Vec<(u32, Pc)>,
}

/// Records too rare to have room in every cell.
#[derive(Debug)]
pub struct Pools {
    /// See [`Readers::lanes`]; entry 0 is no one's.
    pub lanes: Vec<Lanes>,
    /// See [`Readers::more_open`]; entry 0 is no one's.
    pub opens: Vec<Vec<Epoch>>,
}

impl Default for Pools {
    fn default() -> Pools {
        Pools {
            lanes: vec![Lanes {
                stamp: 0,
                by_lane: Vec::new(),
            }],
            opens: vec![Vec::new()],
        }
    }
}

/// Shadow memory of all arrays of one address space.
#[derive(Debug, Default)]
pub struct Shadow {
    pub arrays: Vec<ArrayShadow>,
    pub pools: Pools,
}

impl Shadow {
    /// Room for `n_arrays` arrays.
    pub fn ensure(&mut self, n_arrays: usize) {
        if self.arrays.len() < n_arrays {
            self.arrays.resize_with(n_arrays, ArrayShadow::default);
        }
    }
}
