//! What a run needs of the contents of large arrays: the cells that it touches.

use crate::system::follow::Run;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::setup::{Contents, Setup};
use gridlock_semantics::transition::Access;

/// Arrays of so many cells are kept whole.
const MOST_CELLS: usize = 1_024;

/// The setup of a kernel with no more of the cells that were given one by one than `run` touches: all others are zero then,
/// and the same run takes place. A witness of one block of a launch over millions of elements is not to list them all.
pub fn of_what_is_touched(program: &Program, setup: &Setup, run: &Run<'_>) -> Setup {
    let mut setup = setup.clone();
    if setup.launch.is_none() {
        return setup;
    }
    let declared = program.arrays.iter();
    let declared = declared.filter(|decl| matches!(decl.space, Space::Global | Space::Constant));
    let first = declared.count() as u32;
    let accesses = || run.followed.iter().flat_map(|step| &step.label.accesses);
    for (number, array) in (first..).zip(&mut setup.arrays) {
        let Contents::Values(values) = &array.contents else {
            continue;
        };
        if values.len() <= MOST_CELLS || array.extent.is_none() {
            continue;
        }
        let touched = accesses().filter(|access| access.array == ArrayRef::Global(number));
        let cell = |access: &Access| {
            let value = values.get(usize::try_from(access.index).ok()?)?;
            Some((access.index as u64, *value))
        };
        let cells = touched.filter_map(cell).collect();
        array.contents = Contents::Cells(cells);
    }
    setup
}
