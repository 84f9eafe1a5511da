//! Fingerprints of states that are renewed with the words that change.
//!
//! A fingerprint is a sum of two 64-bit mixtures, one for each word, of the word and its place; so
//! a changed word costs two mixtures. (Zobrist, *A new hashing method with application for game
//! playing*, 1970, with computed instead of stored random numbers.) Interchangeable threads share
//! a place, so their states count as a multiset; where blocks are interchangeable, each block's sum
//! is mixed once more and counts as one of a multiset. Words that hold numbers of things found on
//! the way count by what they stand for, so fingerprints do not depend on who found it first.
//!
//! 96 bits are kept. Two of `n` different states are confused with a probability of at most about
//! n²/2⁹⁷, taking mixtures as random: 10⁻¹³ for a hundred million states.

use super::symmetry::Symmetry;
use crate::automaton::{Automaton, Numbered, Patch};
use crate::explore::frontier::next_random;
use serde::{Deserialize, Serialize};

/// A fingerprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Print {
    pub low: u64,
    pub high: u64,
}

impl Print {
    fn plus(self, other: Print) -> Print {
        Print {
            low: self.low.wrapping_add(other.low),
            high: self.high.wrapping_add(other.high),
        }
    }

    fn minus(self, other: Print) -> Print {
        Print {
            low: self.low.wrapping_sub(other.low),
            high: self.high.wrapping_sub(other.high),
        }
    }
}

/// The multiply-and-fold step of wyhash.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

#[inline]
fn mix(salt: u64, low: u64, high: u64) -> Print {
    Print {
        low: fold(low ^ 0xa076_1d64_78bd_642f, salt ^ 0xe703_7ed1_a0b4_28db),
        high: fold(high ^ 0x8ebc_6af0_9c88_c6e3, salt ^ 0x5899_65cc_7537_4cc3),
    }
}

/// Takes fingerprints of the states of one launch.
#[derive(Clone)]
pub struct Printer<'a> {
    automaton: &'a Automaton,
    /// By word: what it holds the number of.
    kinds: Vec<Numbered>,
    /// By word.
    salts: Vec<u64>,
    /// By word: the block whose sum it counts in, where blocks are mixed once more.
    owners: Vec<Option<u32>>,
    /// By block; empty where blocks are not mixed once more.
    block_salts: Vec<u64>,
}

/// Of the state whose successors are being printed.
#[derive(Clone, Debug, Default)]
pub struct Base {
    pub print: Print,
    /// By block, before mixing; empty where blocks are not mixed.
    sums: Vec<Print>,
}

impl<'a> Printer<'a> {
    pub fn new(automaton: &'a Automaton, symmetry: &Symmetry) -> Printer<'a> {
        let owners = automaton.plan().owners();
        let n_threads = automaton.n_threads();
        let n_slots = automaton.n_threads_in_all();
        let mut met = vec![0u32; automaton.n_blocks() as usize];
        let place = |(at, owner): (usize, &Option<u32>)| {
            // The place of a word within its block, and the first block like its own.
            let Some(block) = *owner else {
                return (at as u64, u32::MAX);
            };
            let like = symmetry.blocks[block as usize];
            if (at as u32) < n_slots {
                return (symmetry.threads[at] as u64, like);
            }
            let nth = met[block as usize];
            met[block as usize] += 1;
            ((n_threads + nth) as u64, like)
        };
        let places = owners.iter().enumerate().map(place);
        let salt = |(place, like): (u64, u32)| scattered(place << 32 | like as u64);
        let salts = places.map(salt).collect();
        let block_salts = match symmetry.has_blocks() {
            true => (symmetry.blocks.iter())
                .map(|like| scattered(!(*like as u64)))
                .collect(),
            false => Vec::new(),
        };
        Printer {
            automaton,
            kinds: automaton.numbered_words(),
            salts,
            owners,
            block_salts,
        }
    }

    /// For states with more words behind those of the automaton: one of each block, then one of all.
    pub fn with_blocks_words(mut self, symmetry: &Symmetry) -> Printer<'a> {
        // Places that no other word has.
        const OF_BLOCK: u64 = u32::MAX as u64;
        const OF_ALL: u64 = OF_BLOCK - 1;
        for (block, like) in (0..).zip(&symmetry.blocks) {
            self.owners.push(Some(block));
            self.salts.push(scattered(OF_BLOCK << 32 | *like as u64));
        }
        self.owners.push(None);
        self.salts.push(scattered(OF_ALL << 32 | u32::MAX as u64));
        self.kinds.resize(self.owners.len(), Numbered::Not);
        self
    }

    /// Whether [`Printer::after`] knows the fingerprint after these changes.
    pub fn follows(&self, patches: &[Patch]) -> bool {
        let mut owners = patches
            .iter()
            .filter_map(|(at, _)| self.owners[*at as usize]);
        let first = owners.next();
        self.block_salts.is_empty() || owners.all(|owner| Some(owner) == first)
    }

    /// The fingerprint of a state, word by word.
    pub fn print(&self, words: &[u32]) -> Print {
        let mut base = Base::default();
        self.base(words, &mut base);
        base.print
    }

    /// Fills `base` for a state whose fingerprint is known.
    pub fn base_of(&self, print: Print, words: &[u32], base: &mut Base) {
        if self.block_salts.is_empty() {
            base.print = print;
        } else {
            self.base(words, base);
        }
    }

    fn base(&self, words: &[u32], base: &mut Base) {
        base.sums.clear();
        base.sums.resize(self.block_salts.len(), Print::default());
        base.print = Print::default();
        for (at, (word, owner)) in words.iter().zip(&self.owners).enumerate() {
            let mixed = self.word(at, *word);
            match owner {
                Some(block) if !self.block_salts.is_empty() => {
                    let sum = &mut base.sums[*block as usize];
                    *sum = sum.plus(mixed);
                }
                _ => base.print = base.print.plus(mixed),
            }
        }
        for (block, sum) in base.sums.iter().enumerate() {
            base.print = base.print.plus(self.block(block, *sum));
        }
    }

    #[inline]
    fn word(&self, at: usize, word: u32) -> Print {
        match self.kinds[at] {
            Numbered::Not => mix(self.salts[at], word as u64, word as u64),
            kind => {
                let print = self.automaton.print_of(kind, word);
                mix(self.salts[at], print as u64, (print >> 64) as u64)
            }
        }
    }

    fn block(&self, block: usize, sum: Print) -> Print {
        let salt = self.block_salts[block];
        let turned = mix(salt.rotate_left(17), sum.high, sum.low);
        mix(salt, sum.low, sum.high).plus(turned)
    }

    /// The fingerprint after changes that concern at most one block besides the memory of all.
    pub fn after(&self, words: &[u32], base: &Base, patches: &[Patch]) -> Print {
        let mut print = base.print;
        let mut changed: Option<(usize, Print)> = None;
        for &(at, to) in patches {
            let at = at as usize;
            let (old, new) = (self.word(at, words[at]), self.word(at, to));
            match self.owners[at] {
                Some(block) if !self.block_salts.is_empty() => {
                    let block = block as usize;
                    let sum = changed.map_or(base.sums[block], |(_, sum)| sum);
                    changed = Some((block, sum.minus(old).plus(new)));
                }
                _ => print = print.minus(old).plus(new),
            }
        }
        if let Some((block, sum)) = changed {
            let before = self.block(block, base.sums[block]);
            print = print.minus(before).plus(self.block(block, sum));
        }
        print
    }

    /// The words of a state with interchangeable threads and blocks put in order: equal for equal
    /// states only.
    pub fn in_order(&self, words: &[u32]) -> Box<[u32]> {
        let mut parts: Vec<(u64, Vec<(u64, u32)>)> = Vec::new();
        let n_blocks = self.owners.iter().flatten().max().map_or(0, |b| b + 1);
        for block in 0..n_blocks {
            let own = (words.iter().zip(&self.salts).zip(&self.owners))
                .filter(|(_, owner)| **owner == Some(block))
                .map(|((word, salt), _)| (*salt, *word));
            let mut own: Vec<(u64, u32)> = own.collect();
            // Words of one salt are those of interchangeable threads.
            own.sort_unstable();
            let salt = self.block_salts.get(block as usize);
            parts.push((salt.copied().unwrap_or(block as u64), own));
        }
        parts.sort_unstable();
        let of_all = words.iter().zip(&self.owners);
        let of_all = of_all.filter(|(_, owner)| owner.is_none()).map(|(w, _)| *w);
        let of_blocks = parts
            .iter()
            .flat_map(|(_, own)| own.iter().map(|(_, w)| *w));
        of_all.chain(of_blocks).collect()
    }
}

/// A number made to look random.
fn scattered(mut number: u64) -> u64 {
    next_random(&mut number)
}
