//! What printing a part of a program must know of the whole.

use crate::algebra::program::{Procedure, Program};

/// What to show.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrintOptions {
    /// Operator ids, as `@12`, in front of each operator.
    pub ids: bool,
}

pub(super) struct Printer<'a> {
    pub program: &'a Program,
    pub proc: &'a Procedure,
    pub options: PrintOptions,
    /// Whether cells go by the names that the source has for them.
    pub as_written: bool,
}
