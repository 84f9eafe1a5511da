//! What a defect at one launch says of a kernel, seen beside others, and what is found out of those.

use super::failing::Failing;
use super::portable::Portable;
use crate::subject::EntryPoint;
use gridlock_semantics::algebra::expr::Expr;

/// What came of launches as one makes them, where a defect shows at some and no condition was found that excludes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherLaunches {
    /// At launches of some kind nothing goes wrong, wherever one was tried.
    Held,
    /// At some nothing goes wrong, which may be luck where it hangs on what arrays hold.
    SomeRight,
    /// Of those of some kind none was seen to go wrong, and not enough runs ended to be right.
    Open,
    /// Wherever runs ended, something went wrong; or none was tried.
    Wrong,
}

/// What came of launches as one makes them.
pub(crate) struct AtOrdinary {
    /// Conditions under which nothing went wrong at those tried, each admitting launches with blocks of many threads that
    /// change memory. The first is the weakest; the others also keep products of sizes small.
    pub conditions: Vec<Ordinary>,
    pub others: OtherLaunches,
    /// One with a defect, where at all something went wrong.
    pub failing: Option<Failing>,
}

impl AtOrdinary {
    pub(super) fn without_condition(others: OtherLaunches) -> AtOrdinary {
        AtOrdinary {
            conditions: Vec::new(),
            others,
            failing: None,
        }
    }
}

/// A condition on launches and arguments.
pub(crate) struct Ordinary {
    /// In words.
    pub text: String,
    /// In the source.
    pub code: String,
    /// Its parts, as expressions of the kernel.
    pub requires: Vec<Expr>,
    /// How many launches there were at which nothing went wrong.
    pub held_at: u64,
    /// Some of these.
    pub launches: Vec<EntryPoint>,
    /// The same, for other kernels.
    pub portable: Portable,
}
