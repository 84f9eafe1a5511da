//! A program at a launch, and whether it is right there.

use crate::input::error::InputError;
use crate::input::request::Request;
use crate::judge::equivalence::{self, Compared, EquivOptions};
use crate::subject::EntryPoint;
use crate::subject::prepared::Prepared;
use gridlock_checker::verdict::Verdict;
use gridlock_semantics::setup::Launch;

/// Whether an original is free of defects at a launch, as far as runs and the explorer can say.
///
/// # Errors
/// Extents that do not evaluate.
pub fn is_right_at(
    prepared: &Prepared,
    point: &EntryPoint,
    launch: Launch,
    request: &Request,
) -> Result<bool, InputError> {
    let side = |name: &str| compared(prepared, point, Some(launch), name);
    let (old, new) = (side("original"), side("original"));
    let judged = equivalence::compare(&old, &new, request, &EquivOptions::default())?;
    Ok(judged.verdict >= Verdict::Passed)
}

pub(super) fn at(point: &EntryPoint, launch: Option<Launch>) -> EntryPoint {
    EntryPoint {
        launch: launch.or(point.launch),
        ..point.clone()
    }
}

pub(super) fn compared<'a>(
    prepared: &'a Prepared,
    point: &EntryPoint,
    launch: Option<Launch>,
    name: &str,
) -> Compared<'a> {
    Compared {
        file: name.to_owned(),
        prepared,
        point: at(point, launch),
    }
}
