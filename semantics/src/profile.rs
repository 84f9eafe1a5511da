//! Profiles: every choice the semantics leaves open, as data. Each axis and its values are
//! explained where they are declared; `gridlock profiles` prints them.

use serde::{Deserialize, Serialize};

closed! {
    /// How much one step does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Granularity {
        /// A basic operator of the surface form in one step (the paper's).
        Operator,
        /// At most one access to non-private memory in one step.
        Access,
    }
}

closed! {
    /// Who moves in one step.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Firing {
        /// One thread; under `Warps::Lockstep` one active path of one warp.
        One,
        /// Any non-empty set of enabled threads with the same head operator.
        Set,
    }
}

closed! {
    /// Which threads `merge` sees as writers of a location.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Merge {
        /// Those that changed its value.
        ByValue,
        /// Those that wrote it.
        ByWrite,
    }
}

closed! {
    /// How threads leave the block's barrier.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum BarrierRule {
        /// Rules R6 and R7 as printed.
        Literal,
        /// When every thread still demanded is waiting, all leave in one step.
        Collective,
    }
}

closed! {
    /// What a thread that has ended means to those that wait at a barrier.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum ExitedThreads {
        /// It still counts: they wait forever.
        BlockForever,
        /// One that ran an explicit `return` no longer counts; one that reached the end of the body
        /// without meeting the barrier has diverged.
        ReturnOnly,
        /// It no longer counts (hardware since sm_70).
        Arrived,
        /// A thread that ends before a barrier others wait at is a defect.
        Defect,
    }
}

closed! {
    /// Which threads may leave a barrier together.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Divergence {
        /// All that wait, wherever each stands.
        AnyBarrier,
        /// The threads that leave together must stand at the same occurrence, with the same call
        /// stack and the same iteration of each enclosing loop that contains a barrier.
        SameBarrier,
    }
}

/// What the threads of a warp have to do with one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Warps {
    /// Nothing: there are no warps, and exchanges are a fault.
    None,
    /// Threads of a warp of this size move independently.
    Independent(u32),
    /// Threads of a warp of this size move together; a divergent warp runs one path, either
    /// first, to the reconvergence point.
    Lockstep(u32),
}

/// Which blocks may be started together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Residency {
    /// No block starts while a started, unfinished block is left out of the transition.
    StartRule,
    /// One block at a time, from its first step to its end.
    RunToCompletion,
    /// Blocks that have started and not finished: so many at most, 1 at least.
    Resident(u32),
    /// Every number of resident blocks from 1.
    EveryResident,
    /// All of them.
    AllResident,
}

closed! {
    /// Which of the blocks that have not started is next.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum NextBlock {
        /// Any of them.
        Any,
        /// The one with the smallest number.
        InOrder,
    }
}

closed! {
    /// Which threads are owed a step (docs/progress.md).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Progress {
        /// None.
        Unfair,
        /// Those of blocks that are under way; and a free place is filled while a block is left.
        OccupancyBound,
        /// All that can move.
        Fair,
    }
}

/// How blocks are scheduled, for one kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BlockScheduling {
    /// Which blocks may be under way together.
    pub residency: Residency,
    /// Which of those that may start is next.
    pub next: NextBlock,
    /// What a run owes to what can move.
    pub progress: Progress,
}

closed! {
    /// What interleaving says of a machine (docs/memory-model.md).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum MemoryModel {
        /// Interleaving.
        Sc,
        /// Interleaving, claimed only for programs that synchronise (design: happens-before).
        ScIfSynchronised,
        /// The same, and a barrier of the block stands in for the acquire fence before volatile
        /// reads: what the last-block sum of the CUDA guide rests on. If a thread with a result of
        /// an atomic has read from a release, and then meets others at a barrier of their block,
        /// each volatile read by one of them is ordered after what was released. No document
        /// promises it of a GPU.
        ScIfSynchronisedVolatile,
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

    /// What is taken for granted of the machine beyond what its documents promise, in a sentence.
    pub const fn assumption(self) -> Option<&'static str> {
        match self {
            MemoryModel::Sc | MemoryModel::ScIfSynchronised => None,
            MemoryModel::ScIfSynchronisedVolatile => Some(
                "once a thread of a block has read, by an atomic, what a fence and an atomic of another \
                 thread released, a barrier of the block orders volatile reads behind it as an acquire \
                 fence would: the CUDA guide's examples rest on it, the PTX ISA does not promise it",
            ),
        }
    }

    /// Whether a barrier of the block stands in for an acquire fence before volatile reads.
    pub const fn barrier_acquires_for_volatile(self) -> bool {
        matches!(self, MemoryModel::ScIfSynchronisedVolatile)
    }
}

closed! {
    /// What two unordered stores of one value to one location are.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum SameValueWrites {
        /// A data race, as any two stores are.
        Race,
        /// No race.
        Benign,
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

/// The axes on which profiles differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Axes {
    /// How much one step does.
    pub granularity: Granularity,
    /// Who moves in one step.
    pub firing: Firing,
    /// What several stores to one location leave.
    pub merge: Merge,
    /// How threads leave the block's barrier.
    pub barrier: BarrierRule,
    /// What a thread that has ended means to those that wait at a barrier.
    pub exited_threads: ExitedThreads,
    /// Which threads may leave a barrier together.
    pub divergence: Divergence,
    /// What the threads of a warp have to do with one another.
    pub warps: Warps,
    /// Scheduling for safety questions (races, outcomes, …).
    pub safety: BlockScheduling,
    /// Scheduling for termination questions (livelock).
    pub termination: BlockScheduling,
    /// What interleaving says of a machine.
    pub memory: MemoryModel,
    /// Whether stores of one value to one location race.
    pub same_value_writes: SameValueWrites,
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
            && self.axes.divergence == Divergence::SameBarrier
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
