//! Memory as a run has it: its own, or, while blocks run side by side, that of the run they are part of.

use crate::compiled::memory::Array;
use std::ops::{Deref, DerefMut};

/// The arrays of global memory or of the host's, by number. As cells are atomic, those that are lent may be written too.
#[derive(Debug, Default)]
pub struct Arrays<'a> {
    /// The run's own; none where others' are lent.
    pub own: Vec<Array>,
    lent: Option<&'a [Array]>,
}

impl<'a> Arrays<'a> {
    /// Those of another run, which neither grow nor change their number.
    pub fn lent(arrays: &'a [Array]) -> Arrays<'a> {
        Arrays {
            own: Vec::new(),
            lent: Some(arrays),
        }
    }

    /// Those that are another run's.
    pub fn as_lent(&self) -> Option<&'a [Array]> {
        self.lent
    }
}

impl Deref for Arrays<'_> {
    type Target = [Array];

    fn deref(&self) -> &[Array] {
        self.lent.unwrap_or(&self.own)
    }
}

impl DerefMut for Arrays<'_> {
    fn deref_mut(&mut self) -> &mut [Array] {
        &mut self.own
    }
}
