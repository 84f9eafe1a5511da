//! The set of visited states, in shards that are filled side by side.
//!
//! A state costs 16 bytes of a table at most three quarters full, and 12 bytes that say how it was
//! reached: 28 to 55 bytes in all. In exact mode its words, in order, are kept besides.

use super::print::Print;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub const N_SHARDS: usize = 64;

/// Number of a visited state: its shard, and its number there in the order of discovery.
pub type Number = u32;

/// The number of no state.
pub const NOBODY: Number = Number::MAX;

/// States a shard can hold.
const MOST_IN_SHARD: usize = (Number::MAX / N_SHARDS as u32) as usize;

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Slot {
    low: u64,
    high: u32,
    /// `NOBODY`: free.
    number: Number,
}

const FREE: Slot = Slot {
    low: 0,
    high: 0,
    number: NOBODY,
};

/// How a state was first reached.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Reached {
    pub parent: Number,
    /// What was taken from there: see [`super::expand::Way`].
    pub way: u32,
    /// Transitions on the way here; the highest bit says that it has been expanded.
    depth: u32,
}

const EXPANDED: u32 = 1 << 31;

#[derive(Serialize, Deserialize)]
pub struct Shard {
    index: usize,
    slots: Vec<Slot>,
    reached: Vec<Reached>,
    exact: Option<FxHashMap<Box<[u32]>, Number>>,
}

/// Which shard a state belongs to.
pub fn shard_of(print: Print) -> usize {
    (print.high >> 26) as usize % N_SHARDS
}

impl Shard {
    pub fn new(index: usize, exact: bool) -> Shard {
        Shard {
            index,
            slots: vec![FREE; 64],
            reached: Vec::new(),
            exact: exact.then(FxHashMap::default),
        }
    }

    pub fn len(&self) -> usize {
        self.reached.len()
    }

    pub fn bytes(&self, n_words: usize) -> u64 {
        let exact = self.exact.as_ref().map_or(0, |all| {
            all.capacity() as u64 * 24 + all.len() as u64 * (n_words as u64 * 4 + 16)
        });
        self.slots.capacity() as u64 * size_of::<Slot>() as u64
            + self.reached.capacity() as u64 * size_of::<Reached>() as u64
            + exact
    }

    /// Transitions on the way to a state by its number here.
    pub fn depth(&self, local: usize) -> u32 {
        self.reached[local].depth & !EXPANDED
    }

    /// How a state was first reached, by its number here.
    pub fn reached_by(&self, local: usize) -> (Number, u32) {
        let reached = &self.reached[local];
        (reached.parent, reached.way)
    }

    fn place(&self, print: Print) -> Result<Number, usize> {
        let mask = self.slots.len() - 1;
        let mut at = print.low as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.number == NOBODY {
                return Err(at);
            }
            if slot.low == print.low && slot.high == print.high as u32 {
                return Ok(slot.number);
            }
            at = (at + 1) & mask;
        }
    }

    /// A word of the slot a state would be found at: asking for several before they are needed
    /// lets the memory fetch them together.
    pub fn touch(&self, print: Print) -> u64 {
        self.slots[print.low as usize & (self.slots.len() - 1)].low
    }

    /// The number of a state; `in_order` gives its words for exact mode.
    pub fn find(&self, print: Print, in_order: impl FnOnce() -> Box<[u32]>) -> Option<Number> {
        match &self.exact {
            Some(all) => all.get(&in_order()).copied(),
            None => self.place(print).ok(),
        }
    }

    /// Adds a state: its number, and whether it is new. `None`: there is no number left.
    pub fn insert(
        &mut self,
        print: Print,
        in_order: impl Fn() -> Box<[u32]>,
        reached: impl FnOnce() -> (Number, u32, u32),
    ) -> Option<(Number, bool)> {
        let local = self.reached.len();
        let number = (local * N_SHARDS + self.index) as Number;
        if let Some(all) = &mut self.exact {
            if let Some(seen) = all.get(&in_order()) {
                return Some((*seen, false));
            }
        } else if let Ok(seen) = self.place(print) {
            return Some((seen, false));
        }
        if local >= MOST_IN_SHARD {
            return None;
        }
        match &mut self.exact {
            Some(all) => {
                all.insert(in_order(), number);
            }
            None => self.put(print, number),
        }
        let (parent, way, depth) = reached();
        self.reached.push(Reached {
            parent,
            way,
            depth: depth.min(EXPANDED - 1),
        });
        Some((number, true))
    }

    fn put(&mut self, print: Print, number: Number) {
        if (self.reached.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = print.low as usize & mask;
        while self.slots[at].number != NOBODY {
            at = (at + 1) & mask;
        }
        self.slots[at] = Slot {
            low: print.low,
            high: print.high as u32,
            number,
        };
    }

    fn grow(&mut self) {
        let larger = vec![FREE; self.slots.len() * 2];
        let mask = larger.len() - 1;
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.number == NOBODY {
                continue;
            }
            let mut at = slot.low as usize & mask;
            while self.slots[at].number != NOBODY {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

/// All shards.
#[derive(Serialize, Deserialize)]
pub struct Table {
    pub shards: Vec<Shard>,
}

impl Table {
    pub fn new(exact: bool) -> Table {
        Table {
            shards: (0..N_SHARDS).map(|n| Shard::new(n, exact)).collect(),
        }
    }

    pub fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len() as u64).sum()
    }

    pub fn bytes(&self, n_words: usize) -> u64 {
        self.shards.iter().map(|shard| shard.bytes(n_words)).sum()
    }

    fn reached(&self, number: Number) -> &Reached {
        &self.shards[number as usize % N_SHARDS].reached[number as usize / N_SHARDS]
    }

    pub fn parent(&self, number: Number) -> (Number, u32) {
        let reached = self.reached(number);
        (reached.parent, reached.way)
    }

    /// Transitions on the way a state was first reached.
    pub fn depth(&self, number: Number) -> u32 {
        self.reached(number).depth & !EXPANDED
    }

    pub fn is_expanded(&self, number: Number) -> bool {
        self.reached(number).depth & EXPANDED != 0
    }

    pub fn set_expanded(&mut self, number: Number) {
        let shard = &mut self.shards[number as usize % N_SHARDS];
        shard.reached[number as usize / N_SHARDS].depth |= EXPANDED;
    }

    /// Numbers without gaps, for arrays over states: the sum of the sizes of the shards before.
    pub fn offsets(&self) -> Vec<usize> {
        let mut offsets = vec![0];
        for shard in &self.shards {
            offsets.push(offsets.last().copied().unwrap_or(0) + shard.len());
        }
        offsets
    }
}
