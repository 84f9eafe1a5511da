//! Profiles: every choice the semantics leaves open, as data. Each axis is declared with its values, their names and
//! what they mean (`profile/axis.rs`), and with the decisions that follow from a value: whoever runs, searches or
//! proves asks there. `gridlock profiles` prints them.

mod axis;

use axis::axis;
use serde::{Deserialize, Serialize};

axis! {
    /// How much one step does.
    pub enum Granularity {
        /// (The paper's.)
        Operator = "operator", "a basic operator, with all its accesses, is one step";
        Access = "access", "a step touches memory that others could reach at most once";
    }
}

axis! {
    /// Who moves in one step.
    pub enum Firing {
        One = "one", "one thread moves in a step (under lockstep: one path of one warp)";
        Set = "set", "any set of threads with the same next operator moves in a step";
    }
}

axis! {
    /// Which threads `merge` sees as writers of a location.
    pub enum Merge {
        ByValue = "by-value", "of threads that move together, those that changed a value wrote it";
        ByWrite = "by-write", "of threads that move together, every store counts";
    }
}

axis! {
    /// How threads leave a barrier.
    pub enum BarrierRule {
        Literal = "literal", "rules R6 and R7: arrive and count, leave one by one when the count is full";
        Collective = "collective", "when every thread still demanded is waiting, all leave in one step";
    }
}

axis! {
    /// What a thread that has ended means to those that wait at a barrier.
    pub enum ExitedThreads {
        BlockForever = "block-forever",
            "a thread that has ended still counts at barriers: the others wait forever";
        ReturnOnly = "return-only",
            "a thread that ran `return` no longer counts at barriers; one that reached the end of the body without \
             meeting the barrier has diverged";
        /// (Hardware since sm_70.)
        Arrived = "arrived", "a thread that has ended, in whichever way, no longer counts at barriers";
        Defect = "defect", "a thread that ends before a barrier others wait at is a defect";
    }
}

/// What a thread that has ended does to a barrier that others wait at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtBarrier {
    /// The others go on without it.
    Excused,
    /// The others wait for it, without end.
    Awaited,
    /// It has diverged from them, which is a defect.
    Diverged,
}

impl ExitedThreads {
    /// What a thread that has ended is to a barrier: one that ran an explicit `return`, or one that reached the end
    /// of the body.
    pub const fn at_barrier(self, returned: bool) -> AtBarrier {
        match (self, returned) {
            (ExitedThreads::BlockForever, _) => AtBarrier::Awaited,
            (ExitedThreads::Defect, _) | (ExitedThreads::ReturnOnly, false) => AtBarrier::Diverged,
            (ExitedThreads::Arrived, _) | (ExitedThreads::ReturnOnly, true) => AtBarrier::Excused,
        }
    }

    /// Whether threads that have ended in this way are no longer waited for.
    pub fn excuses(self, returned: bool) -> bool {
        self.at_barrier(returned) == AtBarrier::Excused
    }

    /// Whether it matters in which way a thread has ended.
    pub fn tells_ends_apart(self) -> bool {
        self.at_barrier(true) != self.at_barrier(false)
    }
}

axis! {
    /// Whether threads may meet at different barriers.
    pub enum Divergence {
        AnyBarrier = "any-barrier", "threads may meet at different barriers";
        /// (The same occurrence, with the same call stack and the same iteration of each enclosing loop that
        /// contains a barrier.)
        SameBarrier = "same-barrier",
            "threads that leave together stand at the same barrier, called from the same place, in the same iteration";
    }
}

impl Divergence {
    /// Whether threads that leave together must stand at the same barrier.
    pub const fn demands_the_same(self) -> bool {
        matches!(self, Divergence::SameBarrier)
    }
}

/// Lanes of a warp at most: `warpSize` of every device, and of a profile that knows nothing of warps.
const MOST_LANES: u32 = 32;

axis! {
    /// What is known of warps.
    pub enum Warps with numbers {
        None = "none", "there are no warps to rely on";
        Independent(n) = "independent", "the {n} threads of a warp move independently";
        Lockstep(n) = "lockstep",
            "the {n} threads of a warp move together; a divergent warp runs one path, either first, to where they \
             meet again";
    }
}

impl Warps {
    /// Threads of a warp, where something is known of warps.
    pub fn known_size(self) -> Option<u32> {
        match self {
            Warps::None => None,
            Warps::Independent(size) | Warps::Lockstep(size) => Some(size.clamp(1, MOST_LANES)),
        }
    }

    /// Whether anything is known of warps.
    pub const fn are_known(self) -> bool {
        !matches!(self, Warps::None)
    }

    /// What `warpSize` is, also where nothing is known of warps.
    pub fn size(self) -> u32 {
        self.known_size().unwrap_or(MOST_LANES)
    }

    /// Whether the threads of a warp move together.
    pub const fn is_lockstep(self) -> bool {
        matches!(self, Warps::Lockstep(_))
    }

    /// Whether the threads of a warp move independently, and it has operations of its own.
    pub const fn is_independent(self) -> bool {
        matches!(self, Warps::Independent(_))
    }
}

axis! {
    /// Which blocks may be started together.
    pub enum Residency with numbers {
        StartRule = "start-rule",
            "no block starts while a started, unfinished one is left out of a step";
        RunToCompletion = "run-to-completion", "one block after another";
        Resident(n) = "resident", "at most {n} blocks run at a time";
        EveryResident = "every-resident", "any number of blocks from 1 runs at a time";
        AllResident = "all-resident", "all blocks run from the start";
    }
}

axis! {
    /// Which block starts next.
    pub enum NextBlock {
        Any = "any", "in any order";
        InOrder = "in-order", "in order of their number";
    }
}

axis! {
    /// Which threads are promised a turn.
    pub enum Progress {
        Unfair = "unfair", "no thread is promised a turn";
        OccupancyBound = "occupancy-bound", "every thread of a running block is promised a turn";
        Fair = "fair", "every thread is promised a turn";
    }
}

axis! {
    /// What is claimed of memory.
    pub enum MemoryModel {
        Sc = "sc", "accesses interleave";
        ScIfSynchronised = "sc-if-synchronised",
            "accesses interleave, and that is claimed only for programs that synchronise";
        /// What the last-block sum of the CUDA guide rests on: if a thread with a result of an atomic has read from a
        /// release, and then meets others at a barrier of their block, each volatile read by one of them is ordered
        /// after what was released. No document promises it of a GPU.
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
    /// What two unordered stores of one value are.
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

/// A named choice on every axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Profile {
    /// As `--profile` has it.
    pub name: String,
    /// One sentence for `gridlock profiles`.
    #[serde(default)]
    pub meaning: String,
    /// A value on each axis.
    #[serde(flatten)]
    pub axes: Axes,
}

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

/// What may be given of a value, or of the values of several axes.
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
        /// Which blocks may be under way together.
        residency: Residency, given as Option<Residency>, "residency";
        /// Which of those that may start is next.
        next: NextBlock, given as Option<NextBlock>, "next";
        /// What a run owes to what can move (docs/progress.md).
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
        /// What several stores to one location leave.
        merge: Merge, given as Option<Merge>, "merge";
        /// How threads leave the block's barrier.
        barrier: BarrierRule, given as Option<BarrierRule>, "barrier";
        /// What a thread that has ended means to those that wait at a barrier.
        exited_threads: ExitedThreads, given as Option<ExitedThreads>, "exited-threads";
        /// Which threads may leave a barrier together.
        divergence: Divergence, given as Option<Divergence>, "divergence";
        /// What the threads of a warp have to do with one another.
        warps: Warps, given as Option<Warps>, "warps";
        /// Scheduling for safety questions (races, outcomes, …).
        safety: BlockScheduling, given as GivenScheduling, "safety";
        /// Scheduling for termination questions (livelock).
        termination: BlockScheduling, given as GivenScheduling, "termination";
        /// What interleaving says of a machine (docs/memory-model.md).
        memory: MemoryModel, given as Option<MemoryModel>, "memory";
        /// Whether stores of one value to one location race.
        same_value_writes: SameValueWrites, given as Option<SameValueWrites>, "same-value-writes";
    }
}

const PAPER_BLOCKS: BlockScheduling = BlockScheduling {
    residency: Residency::StartRule,
    next: NextBlock::Any,
    progress: Progress::Unfair,
};

const CUDA: Axes = Axes {
    granularity: Granularity::Access,
    firing: Firing::One,
    merge: Merge::ByWrite,
    barrier: BarrierRule::Collective,
    exited_threads: ExitedThreads::ReturnOnly,
    divergence: Divergence::SameBarrier,
    warps: Warps::Independent(32),
    safety: BlockScheduling {
        residency: Residency::AllResident,
        next: NextBlock::Any,
        progress: Progress::Unfair,
    },
    termination: BlockScheduling {
        residency: Residency::EveryResident,
        next: NextBlock::Any,
        progress: Progress::OccupancyBound,
    },
    memory: MemoryModel::ScIfSynchronised,
    same_value_writes: SameValueWrites::Race,
};

const PAPER: Axes = Axes {
    granularity: Granularity::Operator,
    firing: Firing::Set,
    merge: Merge::ByWrite,
    barrier: BarrierRule::Collective,
    exited_threads: ExitedThreads::BlockForever,
    divergence: Divergence::AnyBarrier,
    warps: Warps::None,
    safety: PAPER_BLOCKS,
    termination: PAPER_BLOCKS,
    memory: MemoryModel::Sc,
    same_value_writes: SameValueWrites::Race,
};

impl Profile {
    /// All named profiles; `cuda` is the default.
    pub fn all() -> Vec<Profile> {
        let named = |name: &str, meaning: &str, axes: Axes| Profile {
            name: name.to_owned(),
            meaning: meaning.to_owned(),
            axes,
        };
        vec![
            named(
                "cuda",
                "the contract of the CUDA guide: independent threads, barriers met by every \
                 thread that has not returned",
                CUDA,
            ),
            named(
                "cuda-guide",
                "what the examples of the CUDA guide rest on: as cuda, and a barrier of the block \
                 stands in for the acquire fence before volatile reads",
                Axes {
                    memory: MemoryModel::ScIfSynchronisedVolatile,
                    ..CUDA
                },
            ),
            named(
                "cuda-hw",
                "what hardware since sm_70 does: as cuda, but a thread that has ended, in \
                 whichever way, no longer counts at barriers",
                Axes {
                    exited_threads: ExitedThreads::Arrived,
                    ..CUDA
                },
            ),
            named(
                "lockstep-warp",
                "warps of 32 threads move in lockstep and reconverge, as hardware did before sm_70",
                Axes {
                    exited_threads: ExitedThreads::Arrived,
                    warps: Warps::Lockstep(32),
                    ..CUDA
                },
            ),
            named(
                "portable",
                "what every GPU promises: as cuda, but no thread may end before a barrier others \
                 wait at, and warps are unknown",
                Axes {
                    exited_threads: ExitedThreads::Defect,
                    warps: Warps::None,
                    ..CUDA
                },
            ),
            named(
                "opencl",
                "OpenCL 3.0 work-groups: the same choices as portable",
                Axes {
                    exited_threads: ExitedThreads::Defect,
                    warps: Warps::None,
                    ..CUDA
                },
            ),
            named(
                "paper",
                "the algebra-dynamic model of 2011 with collective barriers and merge by write",
                PAPER,
            ),
            named(
                "paper-literal",
                "the algebra-dynamic model of 2011 as printed: R6 and R7, merge by changed value",
                Axes {
                    merge: Merge::ByValue,
                    barrier: BarrierRule::Literal,
                    ..PAPER
                },
            ),
        ]
    }

    /// The profile of that name, without regard to files.
    pub fn named(name: &str) -> Option<Profile> {
        Profile::all().into_iter().find(|p| p.name == name)
    }

    /// Whether each run that the scheduling for termination admits is one that the scheduling for
    /// safety admits: then what ends in every run of the latter ends in every run of the former.
    pub fn termination_is_within_safety(&self) -> bool {
        let (safety, termination) = (&self.axes.safety, &self.axes.termination);
        let all = safety.residency == Residency::AllResident && safety.next == NextBlock::Any;
        let same = safety.residency == termination.residency && safety.next == termination.next;
        all || same
    }

    /// The profile for cooperative launches: all blocks are resident, for termination too.
    pub fn cooperative(mut self) -> Profile {
        self.axes.termination.residency = Residency::AllResident;
        self
    }

    /// Whether one canonical run can speak for all schedules (metatheory M1).
    pub fn admits_canonical_run(&self) -> bool {
        self.axes.barrier == BarrierRule::Collective
            && self.axes.divergence.demands_the_same()
            && self.axes.granularity == Granularity::Access
            && self.axes.firing == Firing::One
    }
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            name: "cuda".to_owned(),
            meaning: String::new(),
            axes: CUDA,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What files may say is what reports print, for the values of every axis.
    #[test]
    fn values_are_read_by_their_names() {
        fn read<T: serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
            value: T,
            name: &str,
        ) {
            let text = serde::de::value::StrDeserializer::<serde::de::value::Error>::new(name);
            assert_eq!(T::deserialize(text), Ok(value));
        }
        macro_rules! every {
            ($($axis:ident),*) => { $( for value in $axis::ALL { read(*value, value.name()); } )* };
        }
        every!(
            Granularity,
            Firing,
            Merge,
            BarrierRule,
            ExitedThreads,
            Divergence
        );
        every!(NextBlock, Progress, MemoryModel, SameValueWrites);
        read(Warps::None, &Warps::None.name());
        read(Residency::AllResident, &Residency::AllResident.name());
    }

    #[test]
    fn numbers_stand_in_names_and_meanings() {
        assert_eq!(Warps::Lockstep(16).name(), "lockstep(16)");
        assert_eq!(
            Residency::Resident(2).meaning(),
            "at most 2 blocks run at a time"
        );
        assert_eq!(Residency::StartRule.name(), "start-rule");
    }

    #[test]
    fn one_decision_for_those_that_have_ended() {
        use AtBarrier::*;
        let table = ExitedThreads::ALL.iter().map(|exited| {
            let [returned, at_end] = [true, false].map(|returned| exited.at_barrier(returned));
            (exited.name(), returned, at_end, exited.tells_ends_apart())
        });
        let expected = [
            ("block-forever", Awaited, Awaited, false),
            ("return-only", Excused, Diverged, true),
            ("arrived", Excused, Excused, false),
            ("defect", Diverged, Diverged, false),
        ];
        assert!(table.eq(expected));
    }
}
