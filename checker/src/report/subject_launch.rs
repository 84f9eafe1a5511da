//! The launch of what is judged, as far as it is fixed.

use gridlock_semantics::setup::Dim3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The launch of a subject; all absent when it was judged for every launch. Of every launch with so much dynamic shared
/// memory, that is there and grid and block are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubjectLaunch {
    /// Blocks.
    pub grid: Option<Dim3>,
    /// Threads of a block.
    pub block: Option<Dim3>,
    /// Dynamic shared memory in bytes.
    pub shared: Option<u32>,
    /// Scalar arguments by parameter, printed.
    pub args: BTreeMap<String, String>,
}
