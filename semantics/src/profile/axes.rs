//! A value on every axis; and values on some axes, as a file gives them, the others from a profile it builds on.

use super::barrier::{BarrierRule, Divergence, ExitedThreads};
use super::memory::{MemoryModel, SameValueWrites};
use super::scheduling::{NextBlock, Progress, Residency};
use super::step::{Firing, Granularity, Merge};
use super::warps::Warps;
use serde::{Deserialize, Serialize};

/// Declares what has a value on each of several axes, and the same with some of the values given.
macro_rules! axes {
    (
        $(#[$about:meta])*
        pub struct $all:ident, given as $given:ident {
            $( $(#[$doc:meta])* $axis:ident: $type:ty, given as $given_type:ty, $name:literal; )*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub struct $all {
            $( $(#[$doc])* pub $axis: $type, )*
        }

        /// Values on some of the axes; the others are taken from elsewhere.
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct $given {
            $( $(#[$doc])* pub $axis: $given_type, )*
        }

        impl $given {
            /// With what is not given taken from `base`.
            ///
            /// # Errors
            /// The axis that neither gives.
            pub fn over(self, base: Option<&$all>) -> Result<$all, &'static str> {
                Ok($all {
                    $( $axis: self.$axis.or_of(base.map(|base| &base.$axis)).map_err(|_| $name)?, )*
                })
            }
        }
    };
}

/// A value that may be given or not, or values on several axes of which some are given.
trait Given<T> {
    /// The value, with what is not given taken from `base`.
    fn or_of(self, base: Option<&T>) -> Result<T, &'static str>;
}

impl<T: Copy> Given<T> for Option<T> {
    fn or_of(self, base: Option<&T>) -> Result<T, &'static str> {
        self.or(base.copied()).ok_or("")
    }
}

impl Given<BlockScheduling> for GivenScheduling {
    fn or_of(self, base: Option<&BlockScheduling>) -> Result<BlockScheduling, &'static str> {
        self.over(base)
    }
}

axes! {
    /// How blocks are scheduled, for one kind of question.
    pub struct BlockScheduling, given as GivenScheduling {
        /// Which blocks may be active together.
        residency: Residency, given as Option<Residency>, "residency";
        /// Which of the blocks that may start is next.
        next: NextBlock, given as Option<NextBlock>, "next";
        /// Which threads that can move are guaranteed to move (docs/progress.md).
        progress: Progress, given as Option<Progress>, "progress";
    }
}

axes! {
    /// A value on every axis.
    pub struct Axes, given as GivenAxes {
        /// How much one step does.
        granularity: Granularity, given as Option<Granularity>, "granularity";
        /// Who moves in one step.
        firing: Firing, given as Option<Firing>, "firing";
        /// Which stores count when several threads step together.
        merge: Merge, given as Option<Merge>, "merge";
        /// How threads leave the block's barrier.
        barrier: BarrierRule, given as Option<BarrierRule>, "barrier";
        /// What a thread that has ended means for threads that wait at a barrier.
        exited_threads: ExitedThreads, given as Option<ExitedThreads>, "exited-threads";
        /// Which threads may leave a barrier together.
        divergence: Divergence, given as Option<Divergence>, "divergence";
        /// What is known of warps.
        warps: Warps, given as Option<Warps>, "warps";
        /// Scheduling for safety questions (races, outcomes, …).
        safety: BlockScheduling, given as GivenScheduling, "safety";
        /// Scheduling for termination questions (livelock).
        termination: BlockScheduling, given as GivenScheduling, "termination";
        /// What the interleaving of accesses claims about a real machine (docs/memory-model.md).
        memory: MemoryModel, given as Option<MemoryModel>, "memory";
        /// Whether stores of one value to one location race.
        same_value_writes: SameValueWrites, given as Option<SameValueWrites>, "same-value-writes";
    }
}
