//! Memory of a run: flat arrays of raw cells (see [`crate::compiled::raw`]) that remember which
//! cells were never written.
//!
//! Cells are relaxed atomics so that blocks may run side by side on one global memory; a program
//! whose blocks race is run again in sequence, so its results never depend on the host's timing.

use crate::compiled::raw;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Contents, Setup};
use rayon::prelude::*;
use std::alloc::Layout;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Cells an array without extent may grow to.
pub const MAX_UNBOUNDED: u64 = 1 << 26;

/// Cells of an array without extent that are filled when it grows. Of those beyond hardly any is accessed, so that they are
/// left as pages that were never touched: each holds its value combined with its first contents by exclusive or.
const FILLED: u64 = 1 << 20;

/// Cells that are filled on several processors.
const MANY: usize = 1 << 16;

/// One array.
#[derive(Debug)]
pub struct Array {
    pub name: Arc<str>,
    pub space: Space,
    pub elem: ScalarType,
    /// In elements; `None`: as far as it is used.
    pub extent: Option<u64>,
    /// Where it was allocated, when it should be freed.
    pub allocated: Option<OpId>,
    /// The device it was allocated on.
    pub device: Option<u32>,
    /// Page-locked host memory.
    pub pinned: bool,
    /// Host memory that `delete` gives back.
    pub of_new: bool,
    /// Memory that the host reaches as well as the devices.
    pub managed: bool,
    /// A launch on another device is in progress.
    away: bool,
    freed: bool,
    /// Cells that may be accessed: all there are, none once freed.
    reach: u64,
    /// From here on cells hold something else than their values, see [`FILLED`].
    far_from: usize,
    cells: Vec<AtomicU64>,
    /// One bit a cell; absent when every cell is defined.
    defined: Option<Vec<AtomicU64>>,
    /// What cells hold that an array without extent grows by.
    contents: Contents,
    /// One past the last cell written (arrays without extent only).
    written: AtomicU64,
}

/// Ends the process as memory that the system refuses does: who supervises it is told why.
fn refused<T>(len: u64) -> T {
    // So many bytes are never there; asking for them tells the allocator.
    let _ = Vec::<u8>::new().try_reserve_exact(isize::MAX as usize);
    let cells = Layout::array::<AtomicU64>(len as usize);
    std::alloc::handle_alloc_error(cells.unwrap_or(Layout::new::<AtomicU64>()))
}

/// Zeroes, on pages that were never touched.
fn untouched(len: u64) -> Vec<AtomicU64> {
    let cells = bytemuck::allocation::try_zeroed_vec(len as usize);
    cells.unwrap_or_else(|()| refused(len))
}

impl Array {
    /// An array with `extent` elements, or none yet when `extent` is `None`.
    pub fn new(
        name: Arc<str>,
        space: Space,
        elem: ScalarType,
        extent: Option<u64>,
        contents: Contents,
    ) -> Array {
        let mut array = Array {
            name,
            space,
            elem,
            extent,
            allocated: None,
            device: None,
            pinned: false,
            of_new: false,
            managed: false,
            away: false,
            freed: false,
            reach: 0,
            far_from: extent.map_or(FILLED as usize, |_| usize::MAX),
            cells: Vec::new(),
            defined: matches!(contents, Contents::Undef).then(Vec::new),
            contents,
            written: AtomicU64::new(0),
        };
        array.grow(extent.unwrap_or(0));
        array
    }

    /// Whether it has no extent.
    pub fn is_open(&self) -> bool {
        self.extent.is_none()
    }

    /// Number of cells there are.
    pub fn len(&self) -> u64 {
        self.cells.len() as u64
    }

    /// Number of cells that may be accessed at once.
    #[inline(always)]
    pub fn reach(&self) -> u64 {
        self.reach
    }

    pub fn freed(&self) -> bool {
        self.freed
    }

    pub fn away(&self) -> bool {
        self.away
    }

    /// Whether the array is on another device than the one that computes.
    pub fn set_away(&mut self, away: bool) {
        if self.away != away {
            self.away = away;
            self.reach = if away || self.freed { 0 } else { self.len() };
        }
    }

    /// No cell may be accessed from now on.
    pub fn free(&mut self) {
        self.freed = true;
        self.reach = 0;
    }

    /// Extends the cells to `len`, filled with the first contents.
    pub fn grow(&mut self, len: u64) {
        let (start, elem) = (self.cells.len() as u64, self.elem);
        self.reach = len.max(start);
        let near = len.min(self.far_from as u64);
        let contents = &self.contents;
        match contents {
            // Pages that were never touched.
            Contents::Undef | Contents::Zero if start == 0 => self.cells = untouched(len),
            Contents::Undef | Contents::Zero => {
                self.cells
                    .resize_with(near.max(start) as usize, || AtomicU64::new(0));
            }
            contents => {
                let cell = |index: usize| {
                    AtomicU64::new(match contents.cell(elem, index as u64) {
                        Value::Undef => 0,
                        value => raw::from_value(value),
                    })
                };
                let new = start as usize..near as usize;
                match new.len() < MANY {
                    true => self.cells.extend(new.map(cell)),
                    false => self.cells.par_extend(new.into_par_iter().map(cell)),
                }
            }
        }
        if self.cells.len() < len as usize {
            let mut cells = untouched(len);
            for (cell, old) in cells.iter_mut().zip(&mut self.cells) {
                let old = *old.get_mut();
                if old != 0 {
                    *cell.get_mut() = old;
                }
            }
            self.cells = cells;
        }
        if let Some(defined) = &mut self.defined {
            defined.resize_with(len.div_ceil(64) as usize, || AtomicU64::new(0));
        }
        // Contents may name single cells that hold nothing.
        let undefined: Vec<u64> = match &self.contents {
            Contents::Values(values) => (start..len.min(values.len() as u64))
                .filter(|&index| values[index as usize] == Value::Undef)
                .collect(),
            Contents::Cells(cells) => cells
                .range(start..len.max(start))
                .filter(|(_, value)| **value == Value::Undef)
                .map(|(index, _)| *index)
                .collect(),
            _ => Vec::new(),
        };
        // Cells of a block may come to hold nothing ([`Array::unset`]).
        let tracked = self.defined.is_some() || self.space == Space::Shared;
        if !undefined.is_empty() || (tracked && start < len) {
            self.track_from(start, len, &undefined);
        }
    }

    /// Marks the new cells `start..len` defined but for `undefined`, unless the contents are
    /// `Undef` throughout.
    fn track_from(&mut self, start: u64, len: u64, undefined: &[u64]) {
        if matches!(self.contents, Contents::Undef) {
            return;
        }
        let words = len.div_ceil(64) as usize;
        let first = self.defined.is_none();
        let defined = self.defined.get_or_insert_with(Vec::new);
        defined.resize_with(words, || AtomicU64::new(0));
        let from = if first { 0 } else { start };
        for index in from..len {
            *defined[index as usize / 64].get_mut() |= 1 << (index % 64);
        }
        for &index in undefined {
            *defined[index as usize / 64].get_mut() &= !(1 << (index % 64));
        }
    }

    /// Makes every cell hold what it held at first. Only for arrays with an extent.
    pub fn reset(&mut self) {
        match (&mut self.defined, &self.contents) {
            (Some(defined), Contents::Undef) => defined.iter_mut().for_each(|w| *w.get_mut() = 0),
            _ => {
                self.cells.clear();
                self.defined = None;
                self.grow(self.extent.unwrap_or(0));
            }
        }
    }

    /// The cell at `index`, which must be inside; `None` when it was never written.
    #[inline(always)]
    pub fn read(&self, index: usize) -> Option<u64> {
        if let Some(defined) = &self.defined
            && defined[index / 64].load(Relaxed) >> (index % 64) & 1 == 0
        {
            return None;
        }
        let bits = self.cells[index].load(Relaxed);
        Some(match index < self.far_from {
            true => bits,
            false => bits ^ self.at_first(index),
        })
    }

    /// What a cell far away holds at first.
    #[cold]
    fn at_first(&self, index: usize) -> u64 {
        match self.contents.cell(self.elem, index as u64) {
            Value::Undef => 0,
            value => raw::from_value(value),
        }
    }

    #[inline(always)]
    pub fn write(&self, index: usize, bits: u64) {
        let set = |word: &AtomicU64, bit| {
            word.fetch_or(bit, Relaxed);
        };
        self.put(index, bits, set);
    }

    /// The same while no other thread runs: the host's, between launches.
    #[inline(always)]
    pub fn write_alone(&self, index: usize, bits: u64) {
        let set = |word: &AtomicU64, bit| word.store(word.load(Relaxed) | bit, Relaxed);
        self.put(index, bits, set);
    }

    /// `set`: sets a bit of a word.
    #[inline(always)]
    fn put(&self, index: usize, bits: u64, set: impl Fn(&AtomicU64, u64)) {
        let held = match index < self.far_from {
            true => bits,
            false => bits ^ self.at_first(index),
        };
        self.cells[index].store(held, Relaxed);
        if let Some(defined) = &self.defined {
            let (word, bit) = (&defined[index / 64], 1 << (index % 64));
            if word.load(Relaxed) & bit == 0 {
                set(word, bit);
            }
        }
        if self.extent.is_none() {
            self.written.fetch_max(index as u64 + 1, Relaxed);
        }
    }

    /// Makes a cell of an array of a block one without a value.
    pub fn unset(&self, index: usize) {
        if let Some(defined) = &self.defined {
            defined[index / 64].fetch_and(!(1 << (index % 64)), Relaxed);
        }
    }

    /// Applies `function` to a defined cell in one step; gives its old value.
    #[inline]
    pub fn update(&self, index: usize, function: impl Fn(u64) -> u64) -> u64 {
        if self.extent.is_none() {
            self.written.fetch_max(index as u64 + 1, Relaxed);
        }
        let mask = match index < self.far_from {
            true => 0,
            false => self.at_first(index),
        };
        let cell = &self.cells[index];
        let mut held = cell.load(Relaxed);
        loop {
            let new = function(held ^ mask) ^ mask;
            match cell.compare_exchange_weak(held, new, Relaxed, Relaxed) {
                Ok(held) => return held ^ mask,
                Err(now) => held = now,
            }
        }
    }

    /// Makes the cell one that was never written (a copy of such a cell).
    pub fn forget(&mut self, index: usize) {
        if self.defined.is_none() {
            let len = self.len();
            let mut words: Vec<AtomicU64> = Vec::new();
            words.resize_with(len.div_ceil(64) as usize, || AtomicU64::new(u64::MAX));
            self.defined = Some(words);
        }
        if let Some(defined) = &mut self.defined {
            *defined[index / 64].get_mut() &= !(1 << (index % 64));
        }
    }

    /// All cells, or those up to the last one that has changed when the array has no extent.
    pub fn values(&self) -> Vec<Value> {
        let value = |i: u64| {
            let bits = self.read(i as usize);
            bits.map_or(Value::Undef, |bits| raw::to_value(bits, self.elem))
        };
        let len = match self.extent {
            Some(_) => self.len(),
            None => {
                let written = self.written.load(Relaxed).min(self.len());
                let changed = |i: &u64| value(*i) != self.contents.cell(self.elem, *i);
                (0..written).rev().find(changed).map_or(0, |last| last + 1)
            }
        };
        (0..len).map(value).collect()
    }
}

/// A declared array of global or constant memory at the start of a run.
pub fn at_start(setup: &Setup, id: ArrayId, decl: &ArrayDecl) -> Array {
    let plain = declared(decl, 0);
    let contents = setup.first_contents(id, decl);
    let mut array = Array::new(plain.name, plain.space, plain.elem, plain.extent, contents);
    array.managed = plain.managed;
    array
}

/// A declared array as its declaration says: at the start of a run or, in shared memory, of a block.
pub fn declared(decl: &ArrayDecl, dynamic_shared_bytes: u32) -> Array {
    let extent = match decl.extent {
        Extent::Fixed(extent) => extent,
        Extent::LaunchShared => dynamic_shared_bytes as u64 / decl.elem.size(),
    };
    let contents = match &decl.init {
        None => Contents::Undef,
        Some(values) => Contents::Values(values.clone()),
    };
    let (name, space, elem) = (decl.name.clone(), decl.space, decl.elem);
    let mut array = Array::new(name, space, elem, Some(extent), contents);
    array.managed = decl.is_managed;
    array
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::setup::random_cell;

    fn array(extent: Option<u64>, contents: Contents) -> Array {
        Array::new("a".into(), Space::Global, ScalarType::I32, extent, contents)
    }

    #[test]
    fn cells_start_as_the_contents_say() {
        let cases = [
            (Contents::Undef, vec![Value::Undef; 3]),
            (Contents::Zero, vec![Value::i32(0); 3]),
            (
                Contents::Values(vec![Value::i32(-5), Value::Undef]),
                vec![Value::i32(-5), Value::Undef, Value::i32(0)],
            ),
            (
                Contents::Random { seed: 7 },
                (0..3).map(|i| random_cell(7, i, ScalarType::I32)).collect(),
            ),
        ];
        for (contents, expected) in cases {
            let mut array = array(Some(3), contents);
            assert_eq!(array.values(), expected);
            array.write(1, 9);
            assert_eq!(array.read(1), Some(9));
            array.reset();
            assert_eq!(array.values(), expected);
        }
    }

    #[test]
    fn an_array_without_extent_grows_and_shows_what_was_written() {
        let mut array = array(None, Contents::Random { seed: 3 });
        assert_eq!(array.len(), 0);
        array.grow(100);
        assert_eq!(
            array.read(70),
            Some(raw::from_value(random_cell(3, 70, ScalarType::I32)))
        );
        assert_eq!(array.values(), vec![]);
        array.write(1, raw::from_value(Value::i32(-1)));
        assert_eq!(
            array.values(),
            vec![random_cell(3, 0, ScalarType::I32), Value::i32(-1)]
        );
    }

    /// Also where they are not filled, and however it grows.
    #[test]
    fn cells_far_away_hold_what_the_contents_say() {
        let values = vec![Value::i32(4); 3];
        let contents = [
            Contents::Random { seed: 3 },
            Contents::Below { seed: 5, bound: 9 },
            Contents::Fill(Value::i32(7)),
            Contents::Values(values),
            Contents::Zero,
        ];
        let far = FILLED as usize;
        let all = [0, 1, far - 1, far, far + 1, far + 64, 3 * far, 5 * far + 3];
        for contents in contents {
            let first =
                |index: usize| raw::from_value(contents.cell(ScalarType::I32, index as u64));
            for steps in [vec![6 * far], vec![2, far + 2, 6 * far], vec![far, 6 * far]] {
                let mut array = array(None, contents.clone());
                for (step, &len) in steps.iter().enumerate() {
                    array.grow(len as u64);
                    for &index in all.iter().filter(|index| **index < len) {
                        let before = match step {
                            0 => first(index),
                            // Of the step before, where the cell was there.
                            _ if index < steps[step - 1] => 100 + step as u64 - 1,
                            _ => first(index),
                        };
                        assert_eq!(array.read(index), Some(before), "{index} of {len}");
                        assert_eq!(array.update(index, |bits| bits + 1), before);
                        assert_eq!(array.read(index), Some(before + 1));
                        array.write(index, 100 + step as u64);
                        assert_eq!(array.read(index), Some(100 + step as u64));
                    }
                }
                assert_eq!(array.read(far + 9), Some(first(far + 9)));
                assert_eq!(array.len(), 6 * far as u64);
            }
        }
        let mut unset = array(None, Contents::Undef);
        unset.grow(2 * FILLED);
        assert_eq!(unset.read(far + 5), None);
        unset.write(far + 5, 0);
        assert_eq!(unset.read(far + 5), Some(0));
        unset.grow(3 * FILLED);
        assert_eq!((unset.read(far + 5), unset.read(far + 6)), (Some(0), None));
    }

    #[test]
    fn a_forgotten_cell_reads_as_never_written() {
        let mut array = array(Some(70), Contents::Zero);
        array.forget(69);
        assert_eq!(array.read(69), None);
        assert_eq!(array.read(68), Some(0));
        array.write(69, 1);
        assert_eq!(array.read(69), Some(1));
    }
}
