//! Dynamic shared memory whose size nobody gave: an index beyond what a launch was guessed to have is no defect by
//! itself, so that more is tried, up to what a device can give.

use crate::subject::{self, EntryPoint};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::defect::Defect;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::Launch;

/// The launch to try instead, where one of its defects is an index beyond a guess and a device can give more.
pub(super) fn with_more(
    defects: &[Defect],
    program: &Program,
    point: &EntryPoint,
    launch: Option<Launch>,
) -> Option<Launch> {
    let is_beyond = |defect: &Defect| is_beyond_guess(defect, program, point);
    let launch = launch.filter(|_| defects.iter().any(is_beyond))?;
    subject::with_more_shared(program, point, &launch)
}

/// Whether a defect is an index beyond dynamic shared memory whose size is a guess.
pub(super) fn is_beyond_guess(defect: &Defect, program: &Program, point: &EntryPoint) -> bool {
    let is_dynamic = |name: &str| {
        let arrays = subject::dynamic_shared(program, point.proc);
        arrays.iter().any(|array| *array.name == *name)
    };
    point.shared_is_open
        && defect.kind == DefectKind::OutOfBounds
        && defect.index.is_some_and(|index| index >= 0)
        && defect.array.as_deref().is_some_and(is_dynamic)
}
