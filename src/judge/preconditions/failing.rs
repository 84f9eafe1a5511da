//! Of launches as one makes them at which a kernel fails the one that says most: of whole warps, where runs come to their
//! end all the same, and with the fewest kinds of defects. What else shows elsewhere is owed to the choice of the launch.

use super::space::Point;
use crate::subject::EntryPoint;
use gridlock_checker::finding::{DefectKind, Finding};
use std::collections::BTreeSet;

const WARP: i64 = 32;

/// A launch at which a kernel fails.
pub(crate) struct Failing {
    pub at: EntryPoint,
    /// Number of the contents that its arrays have there.
    pub sample: u32,
}

/// The best one seen.
#[derive(Clone)]
pub(super) struct Best {
    pub point: Point,
    pub sample: u32,
    rank: Rank,
}

/// The least is the best. Last comes how long a run takes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_partial_warp: bool,
    ends_early: bool,
    n_kinds: usize,
    effort: i64,
}

/// Keeps the better one: `threads` are those of a block, `effort` is about how long a run takes.
pub(super) fn keep_best(
    best: &mut Option<Best>,
    (point, sample): (&Point, u32),
    findings: &[Finding],
    (threads, effort): (i64, i64),
) {
    let kinds: BTreeSet<DefectKind> = findings.iter().map(|finding| finding.kind).collect();
    let rank = Rank {
        is_partial_warp: threads % WARP != 0,
        ends_early: kinds.iter().any(|kind| kind.ends_run()),
        n_kinds: kinds.len(),
        effort,
    };
    if best.as_ref().is_none_or(|known| rank < known.rank) {
        *best = Some(Best {
            point: point.clone(),
            sample,
            rank,
        });
    }
}
