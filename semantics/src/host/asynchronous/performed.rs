//! A step together with its effect on the order of operations.

use super::super::happening::Happening;
use super::super::state::State;
use crate::transition::Label;

/// A step of the host or of a stream, and its effect on the order of operations.
pub(crate) struct Performed {
    pub label: Label,
    pub after: State,
    pub happenings: Vec<Happening>,
}
