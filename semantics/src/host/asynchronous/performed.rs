//! A step with what it means for the order of things.

use super::super::happening::Happening;
use super::super::state::State;
use crate::transition::Label;

/// A step of the host or of a stream, and what it means.
pub(crate) struct Performed {
    pub label: Label,
    pub after: State,
    pub happenings: Vec<Happening>,
}
