//! The states that wait to be expanded.

use crate::explore::options::Strategy;
use std::collections::VecDeque;

pub struct Frontier<T> {
    waiting: VecDeque<T>,
    strategy: Strategy,
    random: u64,
}

impl<T> Frontier<T> {
    pub fn new(strategy: Strategy) -> Frontier<T> {
        let random = match strategy {
            Strategy::Random { seed } => seed,
            Strategy::Breadth | Strategy::Depth | Strategy::Guided => 0,
        };
        Frontier {
            waiting: VecDeque::new(),
            strategy,
            random,
        }
    }

    pub fn push(&mut self, item: T) {
        self.waiting.push_back(item);
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Takes the states to expand next, fewer than `most` where their order matters.
    pub fn pop(&mut self, most: usize) -> Vec<T> {
        match self.strategy {
            Strategy::Breadth => {
                let n = most.min(self.waiting.len());
                self.waiting.drain(..n).collect()
            }
            Strategy::Depth | Strategy::Guided => self.waiting.pop_back().into_iter().collect(),
            Strategy::Random { .. } => {
                let n = self.waiting.len().max(1) as u64;
                let at = next_random(&mut self.random) % n;
                self.waiting
                    .swap_remove_back(at as usize)
                    .into_iter()
                    .collect()
            }
        }
    }
}

/// The next of a row of numbers that look random (SplitMix64); `row` says where the row is.
pub fn next_random(row: &mut u64) -> u64 {
    *row = row.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *row;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
