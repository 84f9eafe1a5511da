//! Where the private arrays of an entry lie in a thread's own memory.

use crate::compiled::{Code, raw};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::program::Program;

/// Private arrays of one entry, by declaration: offset and extent in cells.
#[derive(Clone, Debug, Default)]
pub struct PrivateLayout {
    places: Vec<Option<(u64, u64)>>,
    /// What a thread starts with, and which cells hold something.
    pub cells: Vec<u64>,
    pub defined: Vec<bool>,
}

impl PrivateLayout {
    pub fn new(program: &Program, code: &Code) -> PrivateLayout {
        let mut layout = PrivateLayout {
            places: vec![None; program.arrays.len()],
            cells: vec![0; code.private_cells as usize],
            defined: vec![false; code.private_cells as usize],
        };
        let n_private = code.private.len();
        for (position, &(id, offset)) in code.private.iter().enumerate() {
            let end = match code.private.get(position + 1) {
                Some((_, next)) if position + 1 < n_private => *next,
                _ => code.private_cells,
            };
            layout.places[id.0 as usize] = Some((offset, end - offset));
            if let Some(init) = &program.array(id).init {
                for cell in offset..end {
                    let value = init.get((cell - offset) as usize);
                    layout.cells[cell as usize] = value.map_or(0, |v| raw::from_value(*v));
                    layout.defined[cell as usize] = true;
                }
            }
        }
        layout
    }

    /// Offset and extent of a private array, in cells.
    pub fn place_of(&self, id: ArrayId) -> Option<(u64, u64)> {
        self.places.get(id.0 as usize).copied().flatten()
    }
}
