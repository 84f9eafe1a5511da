//! Choosing some mutants of several programs, spread over programs and mutations.

use super::{Mutant, Mutation};

/// `n` mutants of one mutation of the programs whose mutants these are (fewer, if there are fewer):
/// one of each program in turn, which one is chance with this seed. Gives the program's number with
/// each.
pub fn sample<'a>(
    programs: &[&'a [Mutant]],
    mutation: Mutation,
    n: usize,
    seed: u64,
) -> Vec<(usize, &'a Mutant)> {
    let mut chance = Chance(seed);
    let mut heaps: Vec<(usize, Vec<&'a Mutant>)> = Vec::new();
    for (number, mutants) in programs.iter().enumerate() {
        let of_it = mutants.iter().filter(|m| m.mutation == mutation);
        let mut heap: Vec<&'a Mutant> = of_it.collect();
        chance.shuffle(&mut heap);
        heaps.push((number, heap));
    }
    // Where there are more programs than mutants wanted, chance says which.
    chance.shuffle(&mut heaps);
    let mut found = Vec::new();
    while found.len() < n && heaps.iter().any(|(_, heap)| !heap.is_empty()) {
        for (number, heap) in &mut heaps {
            if found.len() < n
                && let Some(mutant) = heap.pop()
            {
                found.push((*number, mutant));
            }
        }
    }
    found.sort_by_key(|(number, _)| *number);
    found
}

/// Reproducible chance (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
struct Chance(u64);

impl Chance {
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// A number below `n`, which is at least 1.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}
