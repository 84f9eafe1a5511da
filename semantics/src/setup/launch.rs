//! The shape of a launch.

use serde::{Deserialize, Serialize};

/// Extents of a grid or a block, in blocks or threads, `[x, y, z]`.
pub type Dim3 = [u32; 3];

/// Shape of a kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Launch {
    /// Blocks along each axis.
    pub grid: Dim3,
    /// Threads of a block along each axis.
    pub block: Dim3,
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
}

impl Launch {
    /// Blocks in the grid; saturates where no device goes.
    pub fn n_blocks(&self) -> u64 {
        self.grid
            .iter()
            .fold(1, |n, &d| d as u64 * n.min(u32::MAX as u64 + 1))
    }

    /// Threads in one block; saturates where no device goes.
    pub fn n_threads(&self) -> u64 {
        self.block
            .iter()
            .fold(1, |n, &d| d as u64 * n.min(u32::MAX as u64 + 1))
    }

    /// Coordinates of the block or thread with linear number `linear` (x runs fastest).
    pub fn coordinates(extents: Dim3, linear: u32) -> Dim3 {
        let [x, y, _] = extents;
        // Most launches have one axis, and divisions take long.
        if linear < x {
            return [linear, 0, 0];
        }
        [linear % x, linear / x % y, linear / x / y]
    }
}
