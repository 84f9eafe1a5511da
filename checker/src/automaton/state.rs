//! A state of a launch, in flat 32-bit words: the number of each thread's local state; the cells
//! that can be written, those of the whole grid first, then each block's; and, where some cells
//! hold nothing at first, one bit a cell that says which hold something.

use super::cells::{Cell, Cells, Region};
use super::local::LocalId;

/// A state by itself; [`Plan`] knows where things lie in its words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub words: Box<[u32]>,
    pub end: End,
}

/// How a run has ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    No,
    Fault,
    /// An assumption failed: the run does not count.
    Discarded,
}

/// A word of a state that changes, and what it becomes.
pub type Patch = (u32, u32);

/// Number of a cell among all cells of a state.
pub type PlaceId = u32;

/// The place of cells that no thread writes.
pub const FIXED: PlaceId = PlaceId::MAX;

/// Where things lie in a state of one launch.
#[derive(Clone, Debug)]
pub struct Plan {
    pub n_blocks: u32,
    /// Threads in a block.
    pub n_threads: u32,
    /// Cells of the whole grid.
    n_global: u32,
    /// Cells of one block.
    n_shared: u32,
    n_global_words: u32,
    n_shared_words: u32,
    /// The first word of the cells.
    first_cell: u32,
    /// `None` when every cell holds something from the start.
    first_bit_word: Option<u32>,
    /// The word that holds the number of the history, where one is kept.
    pub history: Option<u32>,
    /// The first block's word for who has arrived at named barriers, where there are such.
    pub named: Option<u32>,
    pub n_words: u32,
}

impl Plan {
    pub fn new(n_blocks: u32, n_threads: u32, cells: &Cells) -> Plan {
        let global = &cells.at_first[Region::Global as usize];
        let shared = &cells.at_first[Region::Shared as usize];
        let (n_global, n_shared) = (global.bits.len() as u32, shared.bits.len() as u32);
        let first_cell = n_blocks * n_threads;
        let first_bit = first_cell + global.n_words + n_blocks * shared.n_words;
        // Shared cells may come to hold nothing ([`Plan::write`]).
        let undefined = global.defined.contains(&false) || n_shared > 0;
        let n_bit_words = n_global.div_ceil(32) + n_blocks * n_shared.div_ceil(32);
        Plan {
            n_blocks,
            n_threads,
            n_global,
            n_shared,
            n_global_words: global.n_words,
            n_shared_words: shared.n_words,
            first_cell,
            first_bit_word: undefined.then_some(first_bit),
            history: None,
            named: None,
            n_words: first_bit + undefined as u32 * n_bit_words,
        }
    }

    /// The same with a word for each block's named barriers, behind all others.
    pub fn with_named(mut self) -> Plan {
        self.named = Some(self.n_words);
        self.n_words += self.n_blocks;
        self
    }

    /// The same with a word for the history, behind all others.
    pub fn with_history(mut self) -> Plan {
        self.history = Some(self.n_words);
        self.n_words += 1;
        self
    }

    /// The memory a launch starts with; local states are all 0.
    pub fn initial(&self, cells: &Cells) -> Box<[u32]> {
        let mut words = vec![0; self.n_words as usize].into_boxed_slice();
        let mut patches = Vec::new();
        let regions = std::iter::once((Region::Global, 0))
            .chain((0..self.n_blocks).map(|block| (Region::Shared, block)));
        for (region, block) in regions {
            let contents = &cells.at_first[region as usize];
            let mut word = 0;
            let all = contents.bits.iter().zip(&contents.defined);
            for (number, ((&bits, &defined), &form)) in all.zip(&contents.forms).enumerate() {
                let cell = Cell {
                    region,
                    number: number as u32,
                    word,
                    form,
                };
                word += form.n_words();
                if defined {
                    patches.clear();
                    self.write(&words, cell, block, Some(bits), &mut patches);
                    apply(&mut words, &patches);
                }
            }
        }
        words
    }

    pub fn n_cells(&self) -> u32 {
        self.n_global + self.n_blocks * self.n_shared
    }

    /// The word that holds the local state of a thread.
    pub fn slot(&self, block: u32, thread: u32) -> u32 {
        block * self.n_threads + thread
    }

    pub fn local(&self, words: &[u32], block: u32, thread: u32) -> LocalId {
        words[self.slot(block, thread) as usize]
    }

    /// The number of a cell, as block `block` reaches it.
    pub fn place(&self, cell: Cell, block: u32) -> PlaceId {
        match cell.region {
            Region::Shared => self.n_global + block * self.n_shared + cell.number,
            Region::Global => cell.number,
            Region::Fixed => FIXED,
        }
    }

    /// The block that alone can reach a place; `None` for memory that is one for all.
    pub fn block_of(&self, place: PlaceId) -> Option<u32> {
        (place >= self.n_global && place != FIXED)
            .then(|| (place - self.n_global) / self.n_shared.max(1))
    }

    /// The word and the bit in it that say whether a cell holds something.
    fn bit(&self, first: u32, cell: Cell, block: u32) -> (u32, u32) {
        let before = match cell.region {
            Region::Shared => self.n_global.div_ceil(32) + block * self.n_shared.div_ceil(32),
            Region::Global | Region::Fixed => 0,
        };
        (first + before + cell.number / 32, cell.number % 32)
    }

    /// The block that alone can change each word; `None` for memory that is one for all. Words
    /// of two blocks that correspond have the same place in the order of their blocks' words.
    pub fn owners(&self) -> Vec<Option<u32>> {
        let mut owners = Vec::with_capacity(self.n_words as usize);
        let per_block = |owners: &mut Vec<Option<u32>>, n: u32| {
            for block in 0..self.n_blocks {
                owners.extend(std::iter::repeat_n(Some(block), n as usize));
            }
        };
        let all = |owners: &mut Vec<Option<u32>>, n: u32| {
            owners.extend(std::iter::repeat_n(None, n as usize));
        };
        per_block(&mut owners, self.n_threads);
        all(&mut owners, self.n_global_words);
        per_block(&mut owners, self.n_shared_words);
        if self.first_bit_word.is_some() {
            all(&mut owners, self.n_global.div_ceil(32));
            per_block(&mut owners, self.n_shared.div_ceil(32));
        }
        owners.resize(self.n_words as usize, None);
        if let Some(named) = self.named {
            for block in 0..self.n_blocks {
                owners[(named + block) as usize] = Some(block);
            }
        }
        owners
    }

    fn word(&self, cell: Cell, block: u32) -> u32 {
        self.first_cell
            + match cell.region {
                Region::Shared => self.n_global_words + block * self.n_shared_words + cell.word,
                Region::Global | Region::Fixed => cell.word,
            }
    }

    /// What a cell holds; `None` when it was never written.
    pub fn read(&self, cells: &Cells, words: &[u32], cell: Cell, block: u32) -> Option<u64> {
        if cell.region == Region::Fixed {
            let contents = &cells.at_first[Region::Fixed as usize];
            let number = cell.number as usize;
            return contents.defined[number].then(|| contents.bits[number]);
        }
        if let Some(first) = self.first_bit_word {
            let (word, bit) = self.bit(first, cell, block);
            if words[word as usize] >> bit & 1 == 0 {
                return None;
            }
        }
        Some(cell.form.read(words, self.word(cell, block) as usize))
    }

    /// Appends what changes when a cell that is part of the state is written; `None`: it has no value
    /// afterwards (shared cells only).
    pub fn write(
        &self,
        words: &[u32],
        cell: Cell,
        block: u32,
        written: Option<u64>,
        out: &mut Vec<Patch>,
    ) {
        let bits = written.unwrap_or(0);
        let at = self.word(cell, block);
        let mut set = |at: u32, to: u32| {
            if words[at as usize] != to {
                out.push((at, to));
            }
        };
        set(at, bits as u32);
        if cell.form.n_words() == 2 {
            set(at + 1, (bits >> 32) as u32);
        }
        if let Some(first) = self.first_bit_word {
            let (word, bit) = self.bit(first, cell, block);
            let others = words[word as usize] & !(1 << bit);
            set(word, others | (written.is_some() as u32) << bit);
        }
    }
}

/// Makes changes.
pub fn apply(words: &mut [u32], patches: &[Patch]) {
    for &(at, to) in patches {
        words[at as usize] = to;
    }
}
