//! Where the cells of a launch's memory lie in a state: flat words, arrays one after another.
//!
//! Arrays that no thread of the launch can write are no part of the state.

use crate::canonical::memory::Array;
use gridlock_semantics::fault::{AccessMode, FaultKind};
use gridlock_semantics::program::Space;
use gridlock_semantics::types::ScalarType;
use gridlock_semantics::value::ArrayRef;
use std::sync::Arc;

/// A cell that a thread may access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    pub region: Region,
    /// Index among the cells of its region.
    pub number: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// Never written; the same in every state.
    Fixed,
    /// One for all blocks.
    Global,
    /// One for each block.
    Shared,
}

/// An array of the launch.
#[derive(Clone, Debug)]
pub struct Shape {
    pub name: Arc<str>,
    pub space: Space,
    pub elem: ScalarType,
    /// In elements.
    pub extent: u64,
    /// Its first cell.
    pub first: Cell,
}

/// The cells of one region as they are at first.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub bits: Vec<u64>,
    /// Whether each cell holds something.
    pub defined: Vec<bool>,
}

impl Contents {
    /// Appends the cells of an array; the number of its first.
    fn append(&mut self, array: &Array) -> u32 {
        let first = self.bits.len() as u32;
        for index in 0..array.len() as usize {
            let bits = array.read(index);
            self.bits.push(bits.unwrap_or(0));
            self.defined.push(bits.is_some());
        }
        first
    }
}

/// All arrays of a launch.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// By number of the global array.
    pub global: Vec<Shape>,
    /// By declaration; `None` for arrays of other spaces or not used.
    pub shared: Vec<Option<Shape>>,
    pub at_first: [Contents; 3],
}

impl Cells {
    /// Adds the next global array; `fixed`: no thread writes it.
    pub fn push_global(&mut self, array: &Array, fixed: bool) {
        let region = if fixed { Region::Fixed } else { Region::Global };
        let shape = self.shape(array, region);
        self.global.push(shape);
    }

    /// Adds the next declared array: a shared one, or one of another space.
    pub fn push_declared(&mut self, array: Option<&Array>) {
        let shape = array.map(|array| self.shape(array, Region::Shared));
        self.shared.push(shape);
    }

    fn shape(&mut self, array: &Array, region: Region) -> Shape {
        let number = self.at_first[region as usize].append(array);
        Shape {
            name: array.name.clone(),
            space: array.space,
            elem: array.elem,
            extent: array.len(),
            first: Cell { region, number },
        }
    }

    fn array(&self, array: ArrayRef) -> Option<&Shape> {
        match array {
            ArrayRef::Global(number) => self.global.get(number as usize),
            ArrayRef::Shared(id) => self.shared.get(id.0 as usize)?.as_ref(),
            _ => None,
        }
    }

    /// What is known of the array a cell was found in.
    pub fn shape_of(&self, array: ArrayRef) -> Option<&Shape> {
        self.array(array)
    }

    /// The cell at an index, if it may be accessed so.
    pub fn cell(
        &self,
        array: ArrayRef,
        index: i64,
        elem: ScalarType,
        mode: AccessMode,
    ) -> Result<Cell, FaultKind> {
        let Some(shape) = self.array(array) else {
            return Err(FaultKind::NullPointer { mode });
        };
        if shape.space == Space::Constant && mode != AccessMode::Read {
            return Err(FaultKind::ConstantWrite {
                array: shape.name.clone(),
                index,
            });
        }
        if elem != shape.elem {
            return Err(FaultKind::Misaligned {
                array: shape.name.clone(),
            });
        }
        if index < 0 || index as u64 >= shape.extent {
            return Err(FaultKind::OutOfBounds {
                array: shape.name.clone(),
                space: shape.space,
                index,
                extent: shape.extent,
                mode,
            });
        }
        Ok(Cell {
            region: shape.first.region,
            number: shape.first.number + index as u32,
        })
    }
}
