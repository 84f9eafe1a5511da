//! How to search.

use serde::{Deserialize, Serialize};

/// Which state of the frontier is expanded next. All of them visit the same states when the
/// search is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Oldest first: the first witness of a defect is one of the shortest.
    Breadth,
    /// Newest first.
    Depth,
    /// A pseudo-random one, reproducible by its seed.
    Random {
        /// The same seed gives the same order.
        seed: u64,
    },
    /// One in which the threads of blocks are furthest from meeting at a barrier (the newest
    /// first, where that is not known): finds divergence and deadlock sooner.
    Guided,
}

/// How schedules are gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// States are kept, and each is expanded once.
    #[default]
    Stateful,
    /// Runs are followed, one for all that differ in the order of independent steps only; no state
    /// is kept (see [`super::stateless`]). Strategy, reduction, exactness and graph mean nothing to
    /// it.
    Stateless,
}

/// How one configuration is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExploreOptions {
    /// Whether states are kept or runs are followed.
    #[serde(default)]
    pub engine: Engine,
    /// Which state is expanded next.
    pub strategy: Strategy,
    /// Leave out schedules that cannot show anything new, where that is sound (`Firing::One`).
    pub reduction: bool,
    /// Keep whole states instead of fingerprints: no two states are ever confused.
    pub exact: bool,
    /// Keep the graph of visited states (for `gridlock explore --dot`).
    pub graph: bool,
    /// Stop at the first defect.
    pub stop_at_first: bool,
}

impl Default for ExploreOptions {
    fn default() -> ExploreOptions {
        ExploreOptions {
            engine: Engine::Stateful,
            strategy: Strategy::Breadth,
            reduction: true,
            exact: false,
            graph: false,
            stop_at_first: false,
        }
    }
}
