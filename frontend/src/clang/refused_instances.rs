//! Which instances of a file's templates clang does not accept: asked of many at once, without a tree.

use super::complaints::of_requests;
use super::missing::{Substitutes, Task};
use super::{Asked, Asking};
use std::collections::HashSet;

/// Which of the instances that the options ask for clang refuses, by their places among them; `None` if it does not say,
/// so that only a reading shows it. An error that two of them share may be said of one of them only.
pub(crate) fn refused(asked: Asked<'_>, substitutes: &Substitutes) -> Option<HashSet<usize>> {
    let asking = Asking::new(asked).ok()?;
    let arguments = substitutes.arguments();
    let output = asking.run(Task::Check, &arguments, &mut Vec::new(), false);
    of_requests(&output.ok()?)
}
