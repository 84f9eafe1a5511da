//! The states that wait to be expanded, with their words.

use super::print::Print;
use super::table::Number;
use crate::explore::frontier::next_random;
use crate::explore::options::Strategy;
use serde::{Deserialize, Serialize};
use std::collections::{BinaryHeap, VecDeque};

/// Most states expanded together.
const MOST_TOGETHER: usize = 16_384;
/// Most states expanded together where the order matters.
const FEW_TOGETHER: usize = 64;

/// Some states, one after another.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Block {
    pub numbers: Vec<Number>,
    pub words: Vec<u32>,
    pub prints: Vec<Print>,
}

impl Block {
    pub fn push(&mut self, number: Number, print: Print, words: &[u32]) {
        self.numbers.push(number);
        self.prints.push(print);
        self.words.extend_from_slice(words);
    }

    fn bytes(&self) -> u64 {
        (self.numbers.capacity() + self.words.capacity()) as u64 * 4
            + self.prints.capacity() as u64 * size_of::<Print>() as u64
    }
}

#[derive(Serialize, Deserialize)]
pub enum Frontier {
    /// Oldest first, level by level: states of one batch are equally far from the start.
    Levels {
        blocks: VecDeque<(u32, Block)>,
        n_states: usize,
        bytes: u64,
    },
    Picked(Picked),
}

/// States taken one by one.
#[derive(Serialize, Deserialize)]
pub struct Picked {
    n_words: usize,
    strategy: Strategy,
    random: u64,
    /// Words of waiting states, in slots of `n_words`.
    slab: Vec<u32>,
    prints: Vec<Print>,
    free: Vec<u32>,
    order: VecDeque<(Number, u32)>,
    /// For `Strategy::Guided`: score, the later first among equals, number, slot.
    best: BinaryHeap<(u32, u64, Number, u32)>,
    n_pushed: u64,
}

impl Frontier {
    pub fn new(strategy: Strategy, n_words: usize) -> Frontier {
        if strategy == Strategy::Breadth {
            return Frontier::Levels {
                blocks: VecDeque::new(),
                n_states: 0,
                bytes: 0,
            };
        }
        Frontier::Picked(Picked {
            n_words,
            strategy,
            random: match strategy {
                Strategy::Random { seed } => seed,
                _ => 0,
            },
            slab: Vec::new(),
            prints: Vec::new(),
            free: Vec::new(),
            order: VecDeque::new(),
            best: BinaryHeap::new(),
            n_pushed: 0,
        })
    }

    /// States that wait.
    pub fn len(&self) -> usize {
        match self {
            Frontier::Levels { n_states, .. } => *n_states,
            Frontier::Picked(picked) => picked.order.len() + picked.best.len(),
        }
    }

    pub fn bytes(&self) -> u64 {
        match self {
            Frontier::Levels { bytes, .. } => *bytes,
            Frontier::Picked(picked) => picked.bytes(),
        }
    }

    /// Adds states found at a level; `score` is asked for where the search is guided.
    pub fn push(&mut self, level: u32, found: Block, score: impl Fn(&[u32]) -> u32) {
        if found.numbers.is_empty() {
            return;
        }
        match self {
            Frontier::Levels {
                blocks,
                n_states,
                bytes,
            } => {
                *n_states += found.numbers.len();
                *bytes += found.bytes();
                blocks.push_back((level, found));
            }
            Frontier::Picked(picked) => {
                let states = found.words.chunks(picked.n_words);
                let named = found.numbers.iter().zip(&found.prints);
                for ((number, print), words) in named.zip(states) {
                    picked.push(*number, *print, words, &score);
                }
            }
        }
    }

    /// Takes the states to expand next, and their level.
    pub fn pop(&mut self) -> (u32, Vec<Block>) {
        match self {
            Frontier::Levels {
                blocks,
                n_states,
                bytes,
            } => {
                let level = blocks.front().map_or(0, |(level, _)| *level);
                let (mut batch, mut n) = (Vec::new(), 0);
                while n < MOST_TOGETHER
                    && blocks.front().is_some_and(|(of, _)| *of == level)
                    && let Some((_, block)) = blocks.pop_front()
                {
                    n += block.numbers.len();
                    *bytes -= block.bytes();
                    batch.push(block);
                }
                *n_states -= n;
                (level, batch)
            }
            Frontier::Picked(picked) => {
                let mut block = Block::default();
                while block.numbers.len() < FEW_TOGETHER && picked.pop(&mut block) {}
                (0, vec![block])
            }
        }
    }
}

impl Picked {
    fn bytes(&self) -> u64 {
        let slab = (self.slab.capacity() + self.free.capacity()) as u64 * 4
            + self.prints.capacity() as u64 * size_of::<Print>() as u64;
        slab + self.order.capacity() as u64 * 8 + self.best.capacity() as u64 * 24
    }

    fn push(
        &mut self,
        number: Number,
        print: Print,
        words: &[u32],
        score: &impl Fn(&[u32]) -> u32,
    ) {
        let slot = match self.free.pop() {
            Some(slot) => {
                let at = slot as usize * self.n_words;
                self.slab[at..at + self.n_words].copy_from_slice(words);
                self.prints[slot as usize] = print;
                slot
            }
            None => {
                let slot = self.slab.len() / self.n_words;
                self.slab.extend_from_slice(words);
                self.prints.push(print);
                slot as u32
            }
        };
        self.n_pushed += 1;
        match self.strategy {
            Strategy::Guided => {
                (self.best).push((score(words), self.n_pushed, number, slot));
            }
            _ => self.order.push_back((number, slot)),
        }
    }

    fn pop(&mut self, block: &mut Block) -> bool {
        let next = match self.strategy {
            Strategy::Breadth => self.order.pop_front(),
            Strategy::Depth => self.order.pop_back(),
            Strategy::Random { .. } => {
                let n = self.order.len().max(1) as u64;
                let at = next_random(&mut self.random) % n;
                self.order.swap_remove_back(at as usize)
            }
            Strategy::Guided => {
                let next = self.best.pop();
                next.map(|(_, _, number, slot)| (number, slot))
            }
        };
        let Some((number, slot)) = next else {
            return false;
        };
        let at = slot as usize * self.n_words;
        let words = &self.slab[at..at + self.n_words];
        block.push(number, self.prints[slot as usize], words);
        self.free.push(slot);
        true
    }
}
