//! What a profile claims of memory.

use super::axis::axis;

axis! {
    /// What is claimed of memory.
    pub enum MemoryModel {
        Sc = "sc", "accesses interleave";
        ScIfSynchronised = "sc-if-synchronised",
            "accesses interleave, and that is claimed only for programs that synchronise";
        /// The assumption behind the last-block sum of the CUDA guide: if a thread has read, by an atomic, from a
        /// release, and then meets others at a barrier of their block, each volatile read by one of them is ordered
        /// after what was released. No document promises this for a GPU.
        ScIfSynchronisedVolatile = "sc-if-synchronised-volatile",
            "as sc-if-synchronised, but behind an atomic a barrier of the block stands in for the fence before \
             volatile reads";
    }
}

impl MemoryModel {
    /// Whether interleaving is claimed only for programs that synchronise.
    pub const fn asks_for_synchronisation(self) -> bool {
        match self {
            MemoryModel::Sc => false,
            MemoryModel::ScIfSynchronised | MemoryModel::ScIfSynchronisedVolatile => true,
        }
    }

    /// Whether a barrier of the block stands in for an acquire fence before volatile reads.
    pub const fn barrier_acquires_for_volatile(self) -> bool {
        matches!(self, MemoryModel::ScIfSynchronisedVolatile)
    }
}

axis! {
    /// Whether two unordered stores of the same value are a race.
    pub enum SameValueWrites {
        Race = "race", "two unordered stores of one value are a race";
        Benign = "benign", "two unordered stores of one value are no race";
    }
}

impl SameValueWrites {
    /// Whether stores of one value are no race.
    pub const fn are_benign(self) -> bool {
        matches!(self, SameValueWrites::Benign)
    }
}
