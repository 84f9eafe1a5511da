//! What a data race is: two accesses of one run that conflict ([`gridlock_semantics::memory::conflict`]) and
//! that neither happens-before ([`super::happens_before`]) nor coherence puts in order.
//!
//! This is the definition. The detectors of the searches and of the canonical run are quicker forms of
//! it, each tested against it (`checker/tests/checker/detectors.rs`); proofs exclude races for all
//! inputs and are tested against canonical runs (`proofs/tests/proofs/against_runs.rs`). What any of
//! them reports was looked for here before it is a defect (`crate::replay`).

use super::conflict::conflict_unless;
use super::happens_before::{Ordering, happens_before};
use crate::system::ExploredProgram;
use crate::system::follow::Followed;
use crate::system::footprint::{MemoryPlace, place_of};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor, Label};
use rustc_hash::{FxHashMap, FxHashSet};

/// The accesses of `run` before `last`, or in it, that race with an access of it; nearest first.
pub fn races_with(
    system: &ExploredProgram,
    ordering: &Ordering,
    run: &[Followed],
    last: usize,
) -> Vec<(Access, Access)> {
    let mut races = Vec::new();
    for second in &run[last].label.accesses {
        for index in (0..=last).rev() {
            for first in &run[index].label.accesses {
                if conflict(system, (&run[index], first), (&run[last], second))
                    && (index < last || comes_before(&run[last].label, first, second))
                    && !is_ordered(system, ordering, &run[index..last], first, second)
                {
                    races.push((*first, *second));
                }
            }
        }
    }
    races
}

fn comes_before(label: &Label, first: &Access, second: &Access) -> bool {
    let at = |access| label.accesses.iter().position(|a| a == access);
    at(first) < at(second)
}

/// Whether `second`, made when the whole of `run` has been followed, is ordered after an access of
/// its first transition.
fn is_ordered(
    system: &ExploredProgram,
    ordering: &Ordering,
    run: &[Followed],
    first: &Access,
    second: &Access,
) -> bool {
    happens_before(system, ordering, run, first, second)
        || is_behind_in_chain(system, run, first, second)
}

/// Whether coherence puts the plain write `second` after the read-modify-write `first` of the first
/// transition of `run`: its thread has made a read-modify-write there since, whose result it uses
/// and which read `first` or the end of an unbroken chain of read-modify-writes from it on. So
/// `first` is before that one in modification order, and that one is before the write.
fn is_behind_in_chain(
    system: &ExploredProgram,
    run: &[Followed],
    first: &Access,
    second: &Access,
) -> bool {
    if (first.mode, second.mode) != (AccessMode::Atomic, AccessMode::Write) {
        return false;
    }
    let place = place_of(first);
    // Which of several accesses of one transition came first, the label does not say.
    let since = run.iter().skip(1).flat_map(|step| &step.label.accesses);
    let mut since = since.filter(|access| place_of(access) == place);
    since
        .by_ref()
        .take_while(|access| access.mode != AccessMode::Write)
        .any(|access| {
            access.mode == AccessMode::Atomic
                && access.actor == second.actor
                && system.is_result_used(access.op)
                && system.scopes_suffice(first, access)
        })
}

/// Whether two accesses of one run conflict.
fn conflict(
    system: &ExploredProgram,
    (at_first, first): (&Followed, &Access),
    (at_second, second): (&Followed, &Access),
) -> bool {
    // What the host does is ordered at its own level: see [`crate::order::host_order`].
    let on_host = |access: &Access| matches!(access.actor, Actor::Host | Actor::HostThread(_));
    let same = || at_first.cells(system, first).1 == at_second.cells(system, second).1;
    let is_benign = || system.same_value_is_benign() && same();
    !on_host(first) && !on_host(second) && conflict_unless(system, first, second, is_benign)
}

/// Races of a run, one for each pair of operators: each access against the last write of its place
/// and what came since; where writes of one value do not race, against all before. (If an earlier access races with it, then either that pair is found or the
/// earlier access races with the write between.)
pub fn all_races(
    system: &ExploredProgram,
    ordering: &Ordering,
    run: &[Followed],
) -> Vec<(usize, Access, Access)> {
    let mut seen = FxHashSet::default();
    let mut touched: FxHashMap<MemoryPlace, Vec<(usize, Access)>> = FxHashMap::default();
    let mut races = Vec::new();
    for (last, step) in run.iter().enumerate() {
        for second in &step.label.accesses {
            let earlier = touched.entry(place_of(second)).or_default();
            for (index, first) in earlier.iter().rev() {
                let ops = (first.op.min(second.op), first.op.max(second.op));
                if seen.contains(&ops) || !conflict(system, (&run[*index], first), (step, second)) {
                    continue;
                }
                let between = &run[*index..last];
                if !is_ordered(system, ordering, between, first, second) {
                    seen.insert(ops);
                    races.push((last, *first, *second));
                }
            }
            // What races with a later access races with this one or comes before it, and then this one races with that:
            // but not where writes of one value do not race.
            if second.mode == AccessMode::Write && !system.same_value_is_benign() {
                earlier.clear();
            }
            earlier.push((last, *second));
        }
    }
    races
}
