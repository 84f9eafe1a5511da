//! A state of a launch, in flat words: the numbers of its threads' local states, two a word; the
//! cells that can be written, those of the whole grid first, then each block's; and, where some
//! cells hold nothing at first, one bit a cell that says which hold something.

use super::cells::{Cell, Cells, Region};
use super::local::LocalId;

/// A state; [`Plan`] knows where things lie in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub words: Box<[u64]>,
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

/// Where things lie in a state of one launch.
#[derive(Clone, Debug)]
pub struct Plan {
    pub n_blocks: u32,
    /// Threads in a block.
    pub n_threads: u32,
    n_global: usize,
    /// Cells of one block.
    n_shared: usize,
    first_cell: usize,
    /// `None` when every cell holds something from the start.
    first_bit_word: Option<usize>,
    n_words: usize,
}

impl Plan {
    pub fn new(n_blocks: u32, n_threads: u32, cells: &Cells) -> Plan {
        let n_global = cells.at_first[Region::Global as usize].bits.len();
        let n_shared = cells.at_first[Region::Shared as usize].bits.len();
        let first_cell = (n_blocks as usize * n_threads as usize).div_ceil(2);
        let n_cells = n_global + n_blocks as usize * n_shared;
        let undefined = [Region::Global, Region::Shared]
            .iter()
            .any(|region| cells.at_first[*region as usize].defined.contains(&false));
        let first_bit_word = undefined.then_some(first_cell + n_cells);
        let n_words = first_cell + n_cells + undefined as usize * n_cells.div_ceil(64);
        Plan {
            n_blocks,
            n_threads,
            n_global,
            n_shared,
            first_cell,
            first_bit_word,
            n_words,
        }
    }

    /// The memory a launch starts with; local states are all 0.
    pub fn initial(&self, cells: &Cells) -> State {
        let mut state = State {
            words: vec![0; self.n_words].into_boxed_slice(),
            end: End::No,
        };
        let mut number = 0;
        let regions = std::iter::once(Region::Global)
            .chain(std::iter::repeat_n(Region::Shared, self.n_blocks as usize));
        for region in regions {
            let contents = &cells.at_first[region as usize];
            for (&bits, &defined) in contents.bits.iter().zip(&contents.defined) {
                if defined {
                    self.set(&mut state, number, bits);
                }
                number += 1;
            }
        }
        state
    }

    fn slot(&self, block: u32, thread: u32) -> (usize, u32) {
        let number = block as usize * self.n_threads as usize + thread as usize;
        (number / 2, number as u32 % 2 * 32)
    }

    pub fn local(&self, state: &State, block: u32, thread: u32) -> LocalId {
        let (word, shift) = self.slot(block, thread);
        (state.words[word] >> shift) as u32
    }

    pub fn set_local(&self, state: &mut State, block: u32, thread: u32, local: LocalId) {
        let (word, shift) = self.slot(block, thread);
        let others = state.words[word] & !((u32::MAX as u64) << shift);
        state.words[word] = others | (local as u64) << shift;
    }

    /// The number of a cell that is part of the state, as block `block` reaches it.
    fn number(&self, cell: Cell, block: u32) -> usize {
        match cell.region {
            Region::Shared => self.n_global + block as usize * self.n_shared + cell.number as usize,
            Region::Global | Region::Fixed => cell.number as usize,
        }
    }

    fn get(&self, state: &State, number: usize) -> Option<u64> {
        if let Some(first) = self.first_bit_word
            && state.words[first + number / 64] >> (number % 64) & 1 == 0
        {
            return None;
        }
        Some(state.words[self.first_cell + number])
    }

    fn set(&self, state: &mut State, number: usize, bits: u64) {
        state.words[self.first_cell + number] = bits;
        if let Some(first) = self.first_bit_word {
            state.words[first + number / 64] |= 1 << (number % 64);
        }
    }

    /// What a cell holds; `None` when it was never written.
    pub fn read(&self, cells: &Cells, state: &State, cell: Cell, block: u32) -> Option<u64> {
        if cell.region == Region::Fixed {
            let contents = &cells.at_first[Region::Fixed as usize];
            let number = cell.number as usize;
            return contents.defined[number].then(|| contents.bits[number]);
        }
        self.get(state, self.number(cell, block))
    }

    /// Writes a cell that is part of the state.
    pub fn write(&self, state: &mut State, cell: Cell, block: u32, bits: u64) {
        self.set(state, self.number(cell, block), bits);
    }
}
