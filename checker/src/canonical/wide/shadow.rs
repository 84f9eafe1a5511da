//! What a wide run remembers of each location: enough to know that some conflict is there, not
//! which. Whatever looks like one is left to the detector that sees everything
//! ([`crate::canonical::watch`]).
//!
//! An access is a word: the block (global memory only), the barrier interval, the thread. Of each
//! location the last write, the reads and the atomics of the newest interval are kept, one word
//! each: [`MANY`] stands for several threads, [`ANY_BLOCK`] for several blocks. That suffices as
//! long as intervals of a block are ordered, which [`super::block`] sees to: where a thread ends
//! in an interval in which it touched memory, and others go on past a barrier, the run is given
//! up.
//!
//! Blocks of a launch are never ordered, so that across them any two accesses conflict that are
//! not both reads or both atomics: whichever comes second finds the other's word, in whatever
//! order the blocks run. Side by side each first writes its own word and then reads the others'
//! (sequentially consistent), so that of two accesses at least one sees the other.

use bytemuck::allocation::zeroed_slice_box;
use gridlock_semantics::algebra::operator::{AtomicFn, Scope};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst};

/// Bits of a thread's number in a word.
const THREAD_BITS: u32 = 12;
/// In place of a thread's number: several threads of one interval.
const MANY: u32 = (1 << THREAD_BITS) - 1;
/// In place of a block's: several blocks.
const ANY_BLOCK: u64 = u32::MAX as u64;
/// Most threads of a block.
pub const MOST_THREADS: u32 = MANY;
/// Most intervals of a run of blocks one after another.
pub const MOST_STAMPS: u32 = 1 << (32 - THREAD_BITS);

/// Interval and thread in one word. Stamps start at 1: 0 is no access.
#[inline(always)]
pub fn epoch(stamp: u32, thread: u32) -> u32 {
    stamp << THREAD_BITS | thread
}

#[inline(always)]
fn same_interval(a: u32, b: u32) -> bool {
    (a ^ b) >> THREAD_BITS == 0
}

/// Whether a recorded access is one by another thread in the same interval.
#[inline(always)]
fn meets(recorded: u32, here: u32) -> bool {
    recorded != here && same_interval(recorded, here)
}

/// The word of a group that `here` joins.
#[inline(always)]
fn joined(group: u32, here: u32) -> u32 {
    if meets(group, here) {
        here | MANY
    } else {
        here
    }
}

/// How an atomic access is made, as far as others must agree.
pub fn how(function: AtomicFn, scope: Scope) -> u32 {
    // They commute.
    let function = match function {
        AtomicFn::Sub => AtomicFn::Add,
        function => function,
    };
    (function as u32 + 1) | if scope == Scope::Block { NARROW } else { 0 }
}

const NARROW: u32 = 1 << 31;

/// A location of shared memory.
#[derive(Clone, Copy, Debug, Default)]
struct BlockCell {
    write: u32,
    read: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct BlockAtomic {
    who: u32,
    how: u32,
}

/// Shadow of one shared array.
#[derive(Debug, Default)]
pub struct BlockShadow {
    plain: Vec<BlockCell>,
    /// Empty until an atomic touches the array.
    atomic: Vec<BlockAtomic>,
}

impl BlockShadow {
    pub fn new(extent: u64) -> BlockShadow {
        BlockShadow {
            plain: vec![BlockCell::default(); extent as usize],
            atomic: Vec::new(),
        }
    }

    /// Forgets everything: stamps start anew.
    pub fn clear(&mut self) {
        self.plain.fill(BlockCell::default());
        self.atomic.clear();
    }

    /// Records a read of a location; whether nothing conflicts with it.
    #[inline(always)]
    pub fn read(&mut self, index: usize, here: u32) -> bool {
        let cell = &mut self.plain[index];
        let ok = !meets(cell.write, here);
        cell.read = joined(cell.read, here);
        ok && (self.atomic.is_empty() || !meets(self.atomic[index].who, here))
    }

    #[inline(always)]
    pub fn write(&mut self, index: usize, here: u32) -> bool {
        let cell = &mut self.plain[index];
        let ok = !meets(cell.write, here) && !meets(cell.read, here);
        cell.write = here;
        ok && (self.atomic.is_empty() || !meets(self.atomic[index].who, here))
    }

    pub fn atomic(&mut self, index: usize, here: u32, how: u32) -> bool {
        if self.atomic.is_empty() {
            self.atomic = vec![BlockAtomic::default(); self.plain.len()];
        }
        let cell = &self.plain[index];
        let atomic = &mut self.atomic[index];
        let agrees = atomic.how | NARROW == how | NARROW || !same_interval(atomic.who, here);
        let ok = agrees && !meets(cell.write, here) && !meets(cell.read, here);
        atomic.who = joined(atomic.who, here);
        atomic.how = how;
        ok
    }
}

/// Shadow of one global array: a table each, by index, so that memory is touched only for the kinds of
/// access there are. Fresh tables are the system's empty pages, which cost nothing until then.
#[derive(Debug)]
pub struct GridShadow {
    write: Box<[AtomicU64]>,
    /// Empty where no thread reads.
    read: Box<[AtomicU64]>,
    /// Who made atomic accesses, and how; empty in a launch without atomics.
    atomic: Box<[AtomicU64]>,
    how: Box<[AtomicU32]>,
}

/// Who accesses global memory: block, interval and thread.
#[derive(Clone, Copy, Debug)]
pub struct Accessor {
    word: u64,
}

impl Accessor {
    #[inline(always)]
    pub fn new(block: u32, epoch: u32) -> Accessor {
        Accessor {
            word: (block as u64 + 1) << 32 | epoch as u64,
        }
    }

    /// Whether a recorded access may be unordered with one made here.
    #[inline(always)]
    fn meets(self, recorded: u64) -> bool {
        recorded != self.word
            && recorded != 0
            && (recorded >> 32 != self.word >> 32
                || same_interval(recorded as u32, self.word as u32))
    }

    /// The word of a group of accesses that are no conflict among themselves, once joined.
    #[inline(always)]
    fn joined(self, group: u64) -> u64 {
        if group == 0 || group >> 32 == self.word >> 32 {
            self.word & !(u32::MAX as u64) | joined(group as u32, self.word as u32) as u64
        } else {
            ANY_BLOCK << 32
        }
    }

    /// Joins a group; the word it then has.
    #[inline(always)]
    fn join<const SIDE_BY_SIDE: bool>(self, group: &AtomicU64) -> u64 {
        let mut known = group.load(SeqCst);
        loop {
            if known == self.word || known >> 32 == ANY_BLOCK {
                return known;
            }
            let next = self.joined(known);
            if next == known {
                return known;
            }
            if !SIDE_BY_SIDE {
                group.store(next, Relaxed);
                return next;
            }
            match group.compare_exchange_weak(known, next, SeqCst, SeqCst) {
                Ok(_) => return next,
                Err(now) => known = now,
            }
        }
    }
}

impl GridShadow {
    /// Of an array of `len` elements.
    pub fn new(len: u64, has_reads: bool, has_atomics: bool) -> GridShadow {
        let len = len as usize;
        let [n_read, n_atomic] = [has_reads, has_atomics].map(|has| if has { len } else { 0 });
        GridShadow {
            write: zeroed_slice_box(len),
            read: zeroed_slice_box(n_read),
            atomic: zeroed_slice_box(n_atomic),
            how: zeroed_slice_box(n_atomic),
        }
    }

    #[inline(always)]
    fn no_read(&self, index: usize, here: Accessor) -> bool {
        self.read.is_empty() || !here.meets(self.read[index].load(SeqCst))
    }

    #[inline(always)]
    fn no_atomic<const ATOMICS: bool>(&self, index: usize, here: Accessor) -> bool {
        !ATOMICS || !here.meets(self.atomic[index].load(SeqCst))
    }

    #[inline(always)]
    pub fn read<const SIDE_BY_SIDE: bool, const ATOMICS: bool>(
        &self,
        index: usize,
        here: Accessor,
    ) -> bool {
        here.join::<SIDE_BY_SIDE>(&self.read[index]);
        !here.meets(self.write[index].load(SeqCst)) && self.no_atomic::<ATOMICS>(index, here)
    }

    #[inline(always)]
    pub fn write<const SIDE_BY_SIDE: bool, const ATOMICS: bool>(
        &self,
        index: usize,
        here: Accessor,
    ) -> bool {
        let write = &self.write[index];
        let before = if SIDE_BY_SIDE {
            write.swap(here.word, SeqCst)
        } else {
            let before = write.load(SeqCst);
            write.store(here.word, Relaxed);
            before
        };
        !here.meets(before) && self.no_read(index, here) && self.no_atomic::<ATOMICS>(index, here)
    }

    pub fn atomic<const SIDE_BY_SIDE: bool>(&self, index: usize, here: Accessor, how: u32) -> bool {
        // Of one function in the whole launch, or it is not for this run to judge.
        let agreed = &self.how[index];
        let known = match agreed.compare_exchange(0, how, SeqCst, SeqCst) {
            Ok(_) => how,
            Err(known) => known,
        };
        if known | NARROW != how | NARROW {
            return false;
        }
        if known != how {
            agreed.fetch_or(how & NARROW, SeqCst);
        }
        let who = here.join::<SIDE_BY_SIDE>(&self.atomic[index]);
        // An atomic of one block alone orders nothing with those of others.
        if who >> 32 == ANY_BLOCK && agreed.load(SeqCst) & NARROW != 0 {
            return false;
        }
        !here.meets(self.write[index].load(SeqCst)) && self.no_read(index, here)
    }
}
