//! The output of a run of clang.

use crate::clang::tree::Compact;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// Whether a tree is useless of which clang says this.
pub(super) type IsUseless<'u> = &'u dyn Fn(&[u8]) -> bool;

/// The output of a run of clang.
pub(crate) struct Output {
    pub status: ExitStatus,
    /// The syntax tree, as far as it came.
    pub(super) tree: Compact,
    /// Its errors.
    pub said: Vec<u8>,
    pub said_all: bool,
}

impl Output {
    /// Whether it crashed. It may also catch its signals and report the crash itself.
    pub fn crashed(&self) -> bool {
        self.status.signal().is_some() || self.says("PLEASE submit a bug report")
    }

    /// Whether it ended for want of memory.
    pub fn of_memory(&self) -> bool {
        self.crashed() && (self.says("out of memory") || self.says("bad_alloc"))
    }

    fn says(&self, words: &str) -> bool {
        let words = words.as_bytes();
        self.said.windows(words.len()).any(|part| part == words)
    }
}

/// The file that instantiates templates for the file asked for, in a folder of its own.
pub(crate) const INSTANCES: &str = "gridlock_instances.cu";

/// The line of the first instance in it; each has one, in their order.
pub(super) const FIRST_REQUEST: usize = 2;
