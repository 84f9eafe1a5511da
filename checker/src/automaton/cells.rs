//! Where the cells of a launch's memory lie in a state: flat 32-bit words, arrays one after
//! another, a cell of up to 32 bits in one word and a wider one in two.
//!
//! Arrays that no thread of the launch can write are no part of the state.

use crate::compiled::memory::Array;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A cell that a thread may access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Cell {
    pub region: Region,
    /// Index among the cells of its region.
    pub number: u32,
    /// Index of its first word among the words of its region.
    pub word: u32,
    pub form: Form,
}

/// How a register's 64 bits lie in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Form {
    /// The low 32 bits; the others are zero.
    Zero,
    /// The low 32 bits; the others repeat the sign.
    Sign,
    /// Two words, the low half first.
    Wide,
}

impl Form {
    pub fn of(elem: ScalarType) -> Form {
        match elem {
            ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => Form::Wide,
            ScalarType::I8 | ScalarType::I16 | ScalarType::I32 => Form::Sign,
            ScalarType::Bool
            | ScalarType::U8
            | ScalarType::U16
            | ScalarType::U32
            | ScalarType::F32 => Form::Zero,
        }
    }

    pub fn n_words(self) -> u32 {
        1 + (self == Form::Wide) as u32
    }

    /// The register whose words begin at `words[at]`.
    pub fn read(self, words: &[u32], at: usize) -> u64 {
        match self {
            Form::Zero => words[at] as u64,
            Form::Sign => words[at] as i32 as u64,
            Form::Wide => words[at] as u64 | (words[at + 1] as u64) << 32,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
    /// In elements; of an open array those there are so far.
    pub extent: u64,
    /// Of an array without extent: how long it would have had to be for what was asked of it.
    pub wanted: Option<Arc<AtomicU64>>,
    /// Nothing of it may be accessed any more.
    pub freed: bool,
    /// Its first cell.
    pub first: Cell,
}

impl Shape {
    /// Its cell at an index within its extent.
    pub fn cell(&self, index: u32) -> Cell {
        Cell {
            number: self.first.number + index,
            word: self.first.word + index * self.first.form.n_words(),
            ..self.first
        }
    }
}

/// The cells of one region as they are at first.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    pub bits: Vec<u64>,
    /// Whether each cell holds something.
    pub defined: Vec<bool>,
    pub forms: Vec<Form>,
    pub n_words: u32,
}

impl Contents {
    /// Appends the cells of an array; the numbers of its first and of its first word.
    fn append(&mut self, array: &Array) -> (u32, u32) {
        let first = (self.bits.len() as u32, self.n_words);
        let form = Form::of(array.elem);
        for index in 0..array.len() as usize {
            let bits = array.read(index);
            self.bits.push(bits.unwrap_or(0));
            self.defined.push(bits.is_some());
            self.forms.push(form);
            self.n_words += form.n_words();
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
        let (number, word) = self.at_first[region as usize].append(array);
        Shape {
            name: array.name.clone(),
            space: array.space,
            elem: array.elem,
            extent: array.len(),
            wanted: array.is_open().then(Arc::default),
            freed: array.freed(),
            first: Cell {
                region,
                number,
                word,
                form: Form::of(array.elem),
            },
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
        if shape.freed {
            return Err(FaultKind::UseAfterFree {
                array: shape.name.clone(),
                space: shape.space,
            });
        }
        if elem != shape.elem {
            return Err(FaultKind::Misaligned {
                array: shape.name.clone(),
            });
        }
        if index < 0 || index as u64 >= shape.extent {
            if let (Some(wanted), Ok(index)) = (&shape.wanted, u64::try_from(index)) {
                wanted.fetch_max(index.saturating_add(1), Ordering::Relaxed);
            }
            let extent = shape.wanted.as_ref().map_or(shape.extent, |_| u64::MAX);
            return Err(FaultKind::OutOfBounds {
                array: shape.name.clone(),
                space: shape.space,
                index,
                extent,
                mode,
            });
        }
        Ok(shape.cell(index as u32))
    }
}
