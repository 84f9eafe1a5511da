//! What happens-before shows along one run.

use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep, append_schedule};
use crate::order::happens_before::Ordering;
use crate::order::{host_order, race};
use crate::system::follow::{Followed, Run};
use crate::system::{Explorable, ExploredProgram};
use gridlock_semantics::transition::TransitionSystem;

/// What one run shows.
pub struct Along {
    /// The races.
    pub findings: Vec<Finding>,
    /// The schedule could be followed to its end, or to a fault.
    pub is_whole: bool,
}

/// The races happens-before shows along one run, also between accesses that are never possible in
/// one state (what a thread did before it exited, what is ordered by values only).
pub fn races_along(system: &ExploredProgram, schedule: &[ScheduleStep]) -> Along {
    let ordering = Ordering::new(system);
    // A schedule is one of its initial state; from others it mostly cannot be followed.
    let mut is_whole = false;
    let mut followed = None;
    for initial in system.initial() {
        let mut run = Run::new(system, initial);
        is_whole = run.follow(schedule).is_ok();
        followed = Some(run);
        if is_whole {
            break;
        }
    }
    let Some(mut run) = followed else {
        return Along {
            findings: Vec::new(),
            is_whole,
        };
    };
    if system.system().context().asynchronous {
        run.settle_everyone();
    }
    let ended = system.is_final(&run.state);
    Along {
        findings: races_of(system, &ordering, &run, ended),
        is_whole,
    }
}

/// The races of a run, each as a finding that ends with its second access.
pub fn races_of(
    system: &ExploredProgram,
    ordering: &Ordering,
    run: &Run<'_>,
    ended: bool,
) -> Vec<Finding> {
    let races = race::all_races(system, ordering, &run.followed).into_iter();
    let races = races.map(|(last, a, b)| (DefectKind::DataRace, last, a, b));
    let conflicts = host_order::along(system, &run.followed, ended).conflicts;
    let conflicts = conflicts.into_iter();
    let conflicts = conflicts.map(|c| (c.kind, c.last, c.first, c.second));
    races
        .chain(conflicts)
        .map(|(kind, last, first, second)| {
            let visible = |followed: &&Followed| system.counts(&followed.label);
            let n_visible = run.followed[..=last].iter().filter(visible).count();
            let mut schedule = Vec::new();
            append_schedule(&mut schedule, &run.taken[..n_visible]);
            Finding {
                kind,
                schedule,
                evidence: Evidence::Race { first, second },
            }
        })
        .collect()
}

/// Whether launches that nothing orders may talk to each other along one run: see
/// [`host_order::HostOrder::talk`].
pub fn launches_talk(system: &ExploredProgram, schedule: &[ScheduleStep]) -> bool {
    if !system.system().context().asynchronous {
        return false;
    }
    let Some(initial) = system.initial().into_iter().next() else {
        return false;
    };
    let mut run = Run::new(system, initial);
    let _ = run.follow(schedule);
    host_order::along(system, &run.followed, false).talk
}
