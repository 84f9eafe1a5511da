//! 128-bit fingerprints of states.
//!
//! Two different states among `n` visited ones get the same fingerprint with a probability of at
//! most about n²/2¹²⁹ (birthday bound, taking the hash as random): 4·10⁻²⁶ for five million
//! states. A confusion would hide the states behind one of the two. `ExploreOptions::exact`
//! rules it out.

use std::hash::{Hash, Hasher};

/// Two 64-bit lanes, each folding the 128-bit product of its state with an odd constant (the
/// multiply-and-fold step of wyhash), with different constants and seeds.
struct Fingerprinter {
    low: u64,
    high: u64,
}

const LOW: u64 = 0xa076_1d64_78bd_642f;
const HIGH: u64 = 0xe703_7ed1_a0b4_28db;

fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

impl Fingerprinter {
    fn add(&mut self, word: u64) {
        self.low = fold(self.low ^ word, LOW).wrapping_add(word.rotate_left(32));
        self.high = fold(self.high ^ word.rotate_left(29), HIGH).wrapping_add(word);
    }
}

impl Hasher for Fingerprinter {
    fn finish(&self) -> u64 {
        self.low
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add(u64::from_le_bytes(word) ^ ((rest.len() as u64) << 56));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.add(value as u64);
    }

    fn write_u16(&mut self, value: u16) {
        self.add(value as u64);
    }

    fn write_u32(&mut self, value: u32) {
        self.add(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }
}

/// The fingerprint of a state.
pub fn fingerprint(state: &impl Hash) -> u128 {
    let mut hasher = Fingerprinter {
        low: 0x2d35_8dcc_aa6c_78a5,
        high: 0x8bb8_4b93_962e_acc9,
    };
    state.hash(&mut hasher);
    let low = fold(hasher.low ^ HIGH, LOW);
    let high = fold(hasher.high ^ LOW, HIGH);
    (high as u128) << 64 | low as u128
}

#[cfg(test)]
mod tests {
    use super::fingerprint;
    use std::collections::HashSet;

    /// Small dense states, the kind that weak hashes confuse: no collision in either half.
    #[test]
    fn similar_states_differ() {
        let mut all = HashSet::new();
        let mut halves = HashSet::new();
        for a in 0..60u32 {
            for b in 0..60u64 {
                for c in 0..30u8 {
                    let print = fingerprint(&(a, b, c, vec![a as u8, c]));
                    assert!(all.insert(print));
                    assert!(halves.insert((0, print as u64)));
                    assert!(halves.insert((1, (print >> 64) as u64)));
                }
            }
        }
    }

    #[test]
    fn equal_states_agree() {
        let state = (vec![1, 2, 3], Some("x"));
        assert_eq!(fingerprint(&state), fingerprint(&state.clone()));
    }
}
