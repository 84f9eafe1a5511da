//! The names of the rules.

use serde::{Deserialize, Serialize};

closed! {
    /// The rules that label transitions. One name per rule everywhere: code, docs, traces, coverage.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Rule {
        /// Basic operator.
        R1,
        /// Branch.
        R2,
        /// Loop.
        R3,
        /// Call.
        R4,
        /// Return from a procedure.
        R5,
        /// Arrival at a barrier.
        R6,
        /// Departure from a barrier.
        R7,
        /// `call_gpu` starts a launch.
        R8,
        /// A finished launch returns to the host.
        R9,
        /// A kernel's explicit `return`.
        R10,
        /// Several threads fire one operator; results are merged.
        Merge,
        /// All threads still demanded leave a barrier in one step.
        CollectiveBarrier,
        /// `__syncwarp(mask)` orders its threads.
        WarpBarrier,
        /// Lanes of a warp exchange values, or learn which of them act together (`__activemask()`). Orders no memory.
        WarpExchange,
        /// A thread arrives at a named barrier, or ends while others wait there for it.
        NamedBarrier,
        /// All threads of a cooperative launch leave the barrier of the grid in one step.
        GridBarrier,
        /// The host enqueues, waits, or frees what operations may use; or an operation of a
        /// stream runs ([`crate::host::asynchronous`]).
        StreamOperation,
        /// `PAR`: its branches begin ([`crate::host::par`]).
        Fork,
        /// `PAR`: both branches have ended.
        Join,
    }
}

impl Rule {
    /// Whether it concerns others, whatever it touches: it orders threads, or starts or ends one.
    pub const fn synchronises(self) -> bool {
        matches!(
            self,
            Rule::R6
                | Rule::R7
                | Rule::R8
                | Rule::R9
                | Rule::R10
                | Rule::CollectiveBarrier
                | Rule::WarpBarrier
                | Rule::WarpExchange
                | Rule::NamedBarrier
                | Rule::GridBarrier
                | Rule::StreamOperation
                | Rule::Fork
                | Rule::Join
        )
    }
}
