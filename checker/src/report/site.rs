//! Places in the source and who was there.

use gridlock_semantics::transition::AccessMode;
use serde::{Deserialize, Serialize};

/// A place in the source and, on the device, the thread that was there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// As the user named it.
    pub file: String,
    /// From 1; 0 when unknown.
    pub line: u32,
    /// From 1; 0 when unknown.
    pub column: u32,
    /// Thread and block coordinates `[x, y, z]`; absent for the host.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub thread: Option<[u32; 3]>,
    /// Coordinates of the block; see [`Site::thread`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub block: Option<[u32; 3]>,
    /// Only for accesses.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mode: Option<AccessMode>,
    /// Who it is, where it is neither a device thread nor the host's only thread: `stream 1`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub who: Option<String>,
    /// What the thread does there: `waits at a barrier`, `has returned`, …; empty for accesses of
    /// one program.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub state: String,
}
