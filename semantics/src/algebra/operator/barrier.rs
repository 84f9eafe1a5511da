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
