//! Limits every search obeys. Reaching one gives `unknown`, reason `limit`; what was found before
//! is kept.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// States the explorer may keep.
    pub states: u64,
    /// Bytes a search may hold.
    pub bytes: u64,
    /// Seconds for one subject, all engines together.
    pub seconds: f64,
    /// Transitions of one run: the longest schedule, and the canonical run's steps a thread.
    pub depth: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            states: 5_000_000,
            bytes: 8 << 30,
            seconds: 60.0,
            depth: 10_000_000,
        }
    }
}
