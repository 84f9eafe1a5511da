//! Runs that show what a search has said only of the order of accesses.
//!
//! Two accesses may race though they are never possible in one state: what a thread does before it returns,
//! and what others do behind the barrier that its end completes. Searches that keep the order of accesses
//! beside each state ([`Tracked`]) name the two operators, but no run. Where one run for each outcome does
//! not show them either (the run that does leaves what another leaves as well), it is looked for here.

use crate::explore::any::explore_reducible;
use crate::explore::options::ExploreOptions;
use crate::finding::Finding;
use crate::limits::Limits;
use crate::order::races_along;
use crate::order::synchronisation::Tracked;
use crate::system::ExploredProgram;
use gridlock_semantics::algebra::operator::OpId;
use rustc_hash::FxHashSet;

/// States of the reference looked at for it.
const MOST_STATES: u64 = 50_000;
/// Of the time there is.
const SHARE: f64 = 0.25;

/// Races of pairs of operators, the lower first, that some run shows. Pairs without one may be ordered after
/// all, or the search was cut.
pub(super) fn shown(
    system: &ExploredProgram,
    pairs: &FxHashSet<(OpId, OpId)>,
    limits: &Limits,
) -> Vec<Finding> {
    let limits = Limits {
        states: limits.states.min(MOST_STATES),
        seconds: limits.seconds * SHARE,
        ..*limits
    };
    let tracked = Tracked::new(system).asking(pairs.clone());
    let found = explore_reducible(system, &tracked, &limits, &ExploreOptions::default());
    let is_asked = |finding: &Finding| {
        finding
            .evidence
            .racing()
            .is_some_and(|ops| pairs.contains(&ops))
    };
    // One run for each pair: what its search is told may be ordered by what only happens-before knows.
    let candidates = found.findings.iter().filter(|finding| is_asked(finding));
    let along = candidates.map(|candidate| races_along(system, &candidate.schedule));
    let findings = along.flat_map(|along| along.findings);
    findings.filter(is_asked).collect()
}
