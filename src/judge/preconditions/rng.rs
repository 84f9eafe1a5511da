//! Reproducible choices: the same points on every machine.

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z % n as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> Option<&'a T> {
        match choices.len() {
            0 => None,
            n => choices.get(self.below(n)),
        }
    }

    /// Keeps `n` of them, in their order.
    pub fn keep<T>(&mut self, mut items: Vec<T>, n: usize) -> Vec<T> {
        let mut kept = Vec::new();
        let n_items = items.len();
        for (i, item) in items.drain(..).enumerate() {
            // Each subset of n is as likely as any other (Knuth, TAOCP 2, 3.4.2, algorithm S).
            if self.below(n_items - i) < n - kept.len().min(n) {
                kept.push(item);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_for_in_order() {
        let mut rng = Rng::new(7);
        for n in 0..=10 {
            let kept = rng.keep((0..10).collect::<Vec<i32>>(), n);
            assert_eq!(kept.len(), n);
            assert!(kept.is_sorted());
        }
    }
}
