//! The named profiles.

use super::Profile;
use super::axes::{Axes, BlockScheduling};
use super::barrier::{BarrierRule, Divergence, ExitedThreads};
use super::memory::{MemoryModel, SameValueWrites};
use super::scheduling::{NextBlock, Progress, Residency};
use super::step::{Firing, Granularity, Merge};
use super::warps::Warps;

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
