//! What a barrier of the block orders.

use crate::algebra::declaration::Space;
use serde::{Deserialize, Serialize};

/// Of which memories a barrier of the block puts the accesses in order, among those who meet there:
/// the flags of OpenCL's `barrier` (OpenCL C 3.0, 6.15.8). CUDA's barrier orders all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Orders {
    /// Of shared and of global memory.
    All,
    /// `CLK_LOCAL_MEM_FENCE` alone.
    Shared,
    /// `CLK_GLOBAL_MEM_FENCE` alone.
    Global,
    /// No flag: threads wait for one another, and nothing they did is in order.
    Nothing,
}

/// The name, in programs' texts, of the barrier that orders all and is met anywhere.
pub const BARRIER_ANYWHERE: &str = "barrier_anywhere";

/// Where the threads that meet at a barrier of the block may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Met {
    /// All at one place of the program, in the same rounds of the loops around it: `__syncthreads()`,
    /// `bar.sync 0` (which is `barrier.sync.aligned`).
    AtOnePlace,
    /// Each wherever it comes to such a barrier: `barrier.sync 0` without `.aligned`, `__barrier_sync(0)`
    /// (PTX ISA, parallel synchronization instructions: bar, barrier).
    Anywhere,
}

impl Orders {
    /// Whether accesses to memory of a space are among those put in order.
    pub const fn includes(self, space: Space) -> bool {
        match space {
            Space::Shared => matches!(self, Orders::All | Orders::Shared),
            Space::Global => matches!(self, Orders::All | Orders::Global),
            // Nobody else reaches it, or nobody writes it.
            Space::Private | Space::Constant | Space::Host => true,
        }
    }

    /// The barrier's name in programs' texts.
    pub const fn barrier_name(self) -> &'static str {
        match self {
            Orders::All => "barrier",
            Orders::Shared => "barrier_shared",
            Orders::Global => "barrier_global",
            Orders::Nothing => "barrier_nothing",
        }
    }
}
