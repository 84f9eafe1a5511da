//! Memory: arrays of typed cells on persistent maps, so that a copy of a state shares everything
//! it did not change.
//!
//! An array keeps only the cells that differ from its first contents; two arrays with equal
//! contents are therefore equal values. (Of an array without a given extent, every written cell is
//! kept, because the last one determines its observable length.)

mod cells;
pub mod conflict;

use crate::algebra::declaration::{ArrayDecl, Extent, Space};
use crate::algebra::ids::ArrayId;
use crate::algebra::operator::OpId;
use crate::algebra::types::ScalarType;
use crate::algebra::value::{ArrayRef, Value};
use crate::setup::{Contents, Launch};
use crate::transition::AccessMode;
use crate::transition::fault::FaultKind;
use cells::Cells;
use im::{OrdMap, Vector};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The properties of an array that never change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayInfo {
    /// Its name in reports.
    pub name: Arc<str>,
    /// Type of its cells.
    pub elem: ScalarType,
    /// Where it lives.
    pub space: Space,
    /// Number of elements; `None` when the array reaches as far as it is used.
    pub extent: Option<u64>,
    /// The first contents of its cells.
    pub contents: Contents,
    /// The `Alloc` that made it, so that it should be freed.
    pub allocated: Option<OpId>,
    /// Page-locked host memory.
    pub pinned: bool,
    /// Host memory that `delete` gives back, and `free` does not.
    pub of_new: bool,
    /// Memory that the host reaches as well as the devices.
    pub managed: bool,
    /// The device it was allocated on; `None`: every device reaches it.
    pub device: Option<u32>,
}

/// Most elements that are shown of an array without a given extent. Without this bound a stray
/// index, such as `threadIdx.x - 1` of thread 0, would make the array as large as the address
/// space.
pub const MOST_SHOWN: u64 = 1 << 22;

/// One array of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its unchanging properties, shared by all states.
    pub info: Arc<ArrayInfo>,
    /// Cells that differ from the first contents, by index.
    cells: Cells,
    /// It was freed. It stays in the state, so that later uses of it can be reported as such.
    pub freed: bool,
}

impl ArrayInfo {
    fn first(&self, index: i64) -> Value {
        self.contents.cell(self.elem, index as u64)
    }
}

impl Hash for Array {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The first contents may be large and never change.
        self.cells.hash(state);
        self.freed.hash(state);
    }
}

impl Array {
    /// With its first contents.
    pub fn new(info: Arc<ArrayInfo>) -> Array {
        Array {
            info,
            cells: Cells::default(),
            freed: false,
        }
    }

    /// Whether every cell has its first contents.
    pub fn is_untouched(&self) -> bool {
        self.cells.is_empty() && !self.freed
    }

    fn first(&self, index: i64) -> Value {
        self.info.first(index)
    }

    /// Contents of a cell; `Undef` when it was never written. The index is in bounds.
    pub fn get(&self, index: i64) -> Value {
        self.cells.get(index).unwrap_or_else(|| self.first(index))
    }

    /// Writes a cell. The index is in bounds.
    pub fn set(&mut self, index: i64, value: Value) {
        let is_changed = self.first(index) != value;
        self.cells.set(index, is_changed.then_some(value));
    }

    /// Writes the `n` cells from `to` on with what those of `source` from `from` on hold. All are in bounds.
    pub fn copy_from(&mut self, to: i64, source: &Array, from: i64, n: u64) {
        let info = &self.info;
        let otherwise = |index| source.first(index);
        let absent = |index, value| info.first(index) == value;
        let cells = (&source.cells, from, n as i64);
        self.cells.copy_from(to, cells, otherwise, absent);
    }

    /// The cells in which two contents of one array differ, ascending. Takes time proportional to
    /// the difference if one array was made from the other.
    pub fn differing(&self, other: &Array) -> Vec<i64> {
        self.cells.differing(&other.cells)
    }

    /// Whether an access at `index` with elements of type `elem` is allowed.
    pub fn check(&self, index: i64, elem: ScalarType, mode: AccessMode) -> Result<(), FaultKind> {
        let ArrayInfo { name, space, .. } = &*self.info;
        let (array, space) = (name.clone(), *space);
        if self.freed {
            return Err(FaultKind::UseAfterFree { array, space });
        }
        if elem != self.info.elem {
            return Err(FaultKind::Misaligned { array });
        }
        let extent = self.info.extent.unwrap_or(u64::MAX);
        if index < 0 || index as u64 >= extent {
            return Err(FaultKind::OutOfBounds {
                array,
                space,
                index,
                extent,
                mode,
            });
        }
        Ok(())
    }

    /// Reads a cell after [`Array::check`]; one never written is a fault.
    pub fn read(&self, index: i64) -> Result<Value, FaultKind> {
        match self.get(index) {
            Value::Undef => Err(FaultKind::UninitialisedRead {
                array: self.info.name.clone(),
                space: self.info.space,
                index,
            }),
            value => Ok(value),
        }
    }

    /// Number of elements; for an array without extent, one more than the last index whose
    /// cell has changed.
    pub fn len(&self) -> u64 {
        match self.info.extent {
            Some(extent) => extent,
            None => self.cells.last().map_or(0, |last| last as u64 + 1),
        }
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All cells in order; of an array without extent [`MOST_SHOWN`] at most.
    pub fn contents(&self) -> Vec<Value> {
        let len = match self.info.extent {
            Some(extent) => extent,
            None => self.len().min(MOST_SHOWN),
        };
        (0..len as i64).map(|index| self.get(index)).collect()
    }

    /// Whether it has no extent and was written beyond what [`Array::contents`] shows.
    pub fn is_beyond_showing(&self) -> bool {
        self.info.extent.is_none() && self.len() > MOST_SHOWN
    }
}

/// The memory that outlives a launch: the host's and the device's global and constant arrays, by
/// their run-time numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Global and constant arrays, by [`ArrayRef::Global`].
    pub global: Vector<Array>,
    /// The host's arrays, by [`ArrayRef::Host`].
    pub host: Vector<Array>,
}

impl Memory {
    /// An array that was written beyond the elements that are shown: its observed contents are incomplete.
    pub fn beyond_showing(&self) -> Option<&Array> {
        let mut arrays = self.global.iter().chain(&self.host);
        arrays.find(|array| array.is_beyond_showing())
    }

    /// `None` for arrays that live elsewhere (shared, private) and for the null pointer.
    pub fn array(&self, array: ArrayRef) -> Option<&Array> {
        match array {
            ArrayRef::Global(n) => self.global.get(n as usize),
            ArrayRef::Host(n) => self.host.get(n as usize),
            ArrayRef::Null | ArrayRef::Shared(_) | ArrayRef::Private(_) => None,
        }
    }

    /// As [`Memory::array`], to be changed.
    pub fn array_mut(&mut self, array: ArrayRef) -> Option<&mut Array> {
        match array {
            ArrayRef::Global(n) => self.global.get_mut(n as usize),
            ArrayRef::Host(n) => self.host.get_mut(n as usize),
            ArrayRef::Null | ArrayRef::Shared(_) | ArrayRef::Private(_) => None,
        }
    }
}

/// Arrays with one instance a block (shared) or a thread (private). An array that is absent has
/// its first contents.
pub type Instances = OrdMap<ArrayId, Array>;

/// The properties of a declared array. `launch` gives dynamic shared memory its extent.
pub fn declared_info(decl: &ArrayDecl, launch: Option<&Launch>) -> Arc<ArrayInfo> {
    let extent = match decl.extent {
        Extent::Fixed(extent) => extent,
        Extent::LaunchShared => {
            launch.map_or(0, |launch| launch.shared_bytes as u64) / decl.elem.size()
        }
    };
    Arc::new(ArrayInfo {
        name: decl.name.clone(),
        elem: decl.elem,
        space: decl.space,
        extent: Some(extent),
        contents: match &decl.init {
            None => Contents::Undef,
            Some(values) => Contents::Values(values.clone()),
        },
        allocated: None,
        pinned: false,
        of_new: false,
        managed: decl.is_managed,
        device: None,
    })
}
