//! What was used so far along a run of host code and its operations, element by element, and large ranges as such: a
//! copy of a million elements is one use.

use crate::system::footprint::AccessClass;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::transition::Access;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Elements from which on a range is kept as one.
const LARGE: i64 = 64;

/// A use of an element, or of those from it on, by a host thread or an operation (`B`), at a time of its own.
#[derive(Clone, Copy, Debug)]
pub struct Use<B> {
    pub by: B,
    pub time: u32,
    pub class: AccessClass,
    pub access: Access,
}

/// By array: the uses of single elements, and of ranges, each with the index behind its last.
pub struct Uses<B> {
    elements: FxHashMap<ArrayRef, BTreeMap<i64, Vec<Use<B>>>>,
    ranges: FxHashMap<ArrayRef, Vec<(Use<B>, i64)>>,
    large: i64,
}

impl<B: Copy + Eq> Uses<B> {
    pub fn new() -> Uses<B> {
        Uses {
            elements: FxHashMap::default(),
            ranges: FxHashMap::default(),
            large: LARGE,
        }
    }

    /// One that keeps ranges of so many elements as such.
    #[cfg(test)]
    pub fn with_large(large: i64) -> Uses<B> {
        Uses {
            large,
            ..Uses::new()
        }
    }

    /// Appends the uses of the `len` elements from `first` on, each with the first of them as its element.
    pub fn of_elements(&self, array: ArrayRef, first: i64, len: i64, found: &mut Vec<Use<B>>) {
        let end = first.saturating_add(len);
        if let Some(elements) = self.elements.get(&array) {
            let own = elements.range(first..end).flat_map(|(_, uses)| uses);
            found.extend(own);
        }
        for (one, one_ends) in self.ranges.get(&array).into_iter().flatten() {
            let begins = one.access.index.max(first);
            if begins < end.min(*one_ends) {
                let mut own = *one;
                own.access.index = begins;
                found.push(own);
            }
        }
    }

    /// The uses of an array, by element.
    pub fn of_array(&self, array: ArrayRef) -> Vec<Use<B>> {
        let elements = self.elements.get(&array).into_iter().flatten();
        let mut all: Vec<Use<B>> = elements.flat_map(|(_, uses)| uses).copied().collect();
        let ranges = self.ranges.get(&array).into_iter().flatten();
        all.extend(ranges.map(|(one, _)| *one));
        all.sort_by_key(|one| one.access.index);
        all
    }

    /// The arrays with uses.
    pub fn arrays(&self) -> Vec<ArrayRef> {
        let both = self.elements.keys().chain(self.ranges.keys());
        let mut arrays: Vec<ArrayRef> = both.copied().collect();
        arrays.sort_unstable();
        arrays.dedup();
        arrays
    }

    /// Notes a use of the `len` elements from its own on. Of uses of one kind by one of them the last is kept: what is ordered
    /// after it is ordered after the others.
    pub fn add(&mut self, new: Use<B>, len: i64) {
        let (array, first) = (new.access.array, new.access.index);
        let is_alike = |old: &Use<B>| old.by == new.by && old.access.mode == new.access.mode;
        let end = first.saturating_add(len);
        if len >= self.large {
            let ranges = self.ranges.entry(array).or_default();
            ranges.retain(|(old, old_ends)| {
                !is_alike(old) || old.access.index < first || *old_ends > end
            });
            ranges.push((new, end));
            return;
        }
        let elements = self.elements.entry(array).or_default();
        for index in first..end {
            let uses = elements.entry(index).or_default();
            uses.retain(|old| !is_alike(old));
            let mut own = new;
            own.access.index = index;
            uses.push(own);
        }
    }
}
