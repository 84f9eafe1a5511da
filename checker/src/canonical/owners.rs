//! Which part of a launch touched a global location first, and how, where parts of it run side by side
//! ([`super::side_by_side`]): enough to know that no part ever saw what another did.

use bytemuck::allocation::zeroed_slice_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Some part read the location, and none wrote it.
const SEVERAL: u32 = u32::MAX >> 1;
/// The part that touched it may have written it.
const WRITTEN: u32 = 1 << 31;

/// A word a location: 0, the number of the one part that touched it, from 1 on, with [`WRITTEN`] where it wrote it, or
/// [`SEVERAL`].
#[derive(Debug)]
pub struct Owners {
    /// By number of the array; empty where no thread writes it.
    words: Vec<Box<[AtomicU32]>>,
    is_shared: AtomicBool,
}

/// One part, as it touches locations.
#[derive(Debug)]
pub struct Owner {
    owners: Arc<Owners>,
    me: u32,
}

impl Owners {
    /// Of arrays with so many elements each.
    pub fn new(extents: impl IntoIterator<Item = u64>) -> Owners {
        let words = extents
            .into_iter()
            .map(|len| zeroed_slice_box(len as usize));
        Owners {
            words: words.collect(),
            is_shared: AtomicBool::new(false),
        }
    }

    /// Part number `part`, of fewer than 2^30.
    pub fn part(self: &Arc<Owners>, part: u32) -> Owner {
        Owner {
            owners: self.clone(),
            me: part + 1,
        }
    }

    /// Whether two parts touched one location, and not both only read it.
    pub fn is_shared(&self) -> bool {
        self.is_shared.load(Relaxed)
    }
}

impl Owner {
    /// See [`Owners::is_shared`].
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.owners.is_shared()
    }

    /// Records a read.
    #[inline]
    pub fn read(&self, array: u32, index: usize) {
        self.touch(array, index, self.me);
    }

    /// Records an access that writes or may write.
    #[inline]
    pub fn write(&self, array: u32, index: usize) {
        self.touch(array, index, self.me | WRITTEN);
    }

    #[inline]
    fn touch(&self, array: u32, index: usize, how: u32) {
        let words = self.owners.words.get(array as usize);
        let Some(word) = words.and_then(|words| words.get(index)) else {
            // Nothing is known of it.
            self.owners.is_shared.store(true, Relaxed);
            return;
        };
        let mut known = word.load(Relaxed);
        loop {
            let next = match known {
                0 => how,
                _ if known & !WRITTEN == self.me => known | how,
                _ if (known | how) & WRITTEN == 0 => SEVERAL,
                _ => {
                    self.owners.is_shared.store(true, Relaxed);
                    return;
                }
            };
            if next == known {
                return;
            }
            // All accesses to one word are in one order, whatever the order of others.
            match word.compare_exchange_weak(known, next, Relaxed, Relaxed) {
                Ok(_) => return,
                Err(now) => known = now,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(touches: &[(u32, bool)]) -> bool {
        let owners = Arc::new(Owners::new([4]));
        for (part, writes) in touches {
            let owner = owners.part(*part);
            match writes {
                true => owner.write(0, 2),
                false => owner.read(0, 2),
            }
        }
        owners.is_shared()
    }

    /// Every sequence of four accesses by three parts.
    #[test]
    fn a_location_is_shared_where_two_parts_conflict() {
        let kinds = [0, 1, 2]
            .into_iter()
            .flat_map(|part| [(part, false), (part, true)]);
        let kinds: Vec<(u32, bool)> = kinds.collect();
        for n in 0..6usize.pow(4) {
            let touches: Vec<(u32, bool)> = (0..4).map(|k| kinds[n / 6usize.pow(k) % 6]).collect();
            let conflict = |a: &(u32, bool), b: &(u32, bool)| a.0 != b.0 && (a.1 || b.1);
            let expected = touches
                .iter()
                .any(|a| touches.iter().any(|b| conflict(a, b)));
            assert_eq!(after(&touches), expected, "{touches:?}");
        }
    }

    #[test]
    fn what_lies_outside_counts_as_shared() {
        let owners = Arc::new(Owners::new([4]));
        owners.part(0).read(0, 3);
        assert!(!owners.is_shared());
        owners.part(0).read(0, 4);
        assert!(owners.is_shared());
    }
}
