//! Several findings of one setup. What their schedules have in common at the start is followed once: those of one
//! canonical run are all cut out of its one trace.

use super::confirm::{NotShown, confirmed_run, defect_of, of_postponed, system_for};
use super::lead;
use crate::finding::{DefectKind, Finding, ScheduleStep};
use crate::report::defect::Defect;
use crate::system::ExploredProgram;
use crate::system::follow::{Begun, Run};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::transition::TransitionSystem;
use rayon::prelude::*;
use std::sync::LazyLock;
use std::time::Instant;

/// Steps of all schedules that are replayed side by side: each keeps the states it went through.
const MOST_SIDE_BY_SIDE: u64 = 100_000;

/// Replays each of the findings, given up at `until`: the defect it is, or why it is none. `program` is the one that
/// the findings' engine was given.
pub fn defects_in_time(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    findings: &[Finding],
    until: Instant,
) -> Vec<Result<Defect, NotShown>> {
    let system = |kind| system_for(program, setup, profile, kind).map(|system| system.until(until));
    // What is not given back shows in the end, and all else long before.
    let (leaks, others): (Vec<&Finding>, Vec<&Finding>) =
        safety(findings).partition(|finding| finding.kind == DefectKind::Leak);
    let led = |findings: &[&Finding]| {
        let steps = lead_of_all(findings);
        system(DefectKind::DataRace).map(|system| lead::along(system, steps))
    };
    let plain = LazyLock::new(|| led(&others));
    let at_the_end = LazyLock::new(|| match leaks.iter().all(|leak| leak.schedule.is_empty()) {
        true => system(DefectKind::Leak).map(lead::to_the_end),
        false => led(&leaks),
    });
    let begun = LazyLock::new(|| plain.as_ref().ok().and_then(|on| begin(on, &others)));
    let of = (program, setup, profile);
    let replayed = |finding: &Finding| {
        let own = system(finding.kind).map_err(|_| NotShown::Refuted)?;
        if let Some(defect) = of_postponed(&own, of, finding, 0) {
            return Ok(defect);
        }
        let (on, begun) = match finding.kind {
            DefectKind::Livelock => (Ok(&own), None),
            DefectKind::Leak => (at_the_end.as_ref(), None),
            _ => (plain.as_ref(), begun.as_ref()),
        };
        let on = on.map_err(|_| NotShown::Refuted)?;
        let not_shown = || match on.is_late() {
            true => NotShown::Late,
            false => NotShown::Refuted,
        };
        let shown = confirmed_run(on, finding, begun).ok_or_else(not_shown)?;
        Ok(defect_of(on, of, (finding.kind, 0), shown))
    };
    match findings
        .iter()
        .map(|finding| lead::n_steps(&finding.schedule))
        .sum::<u64>()
        <= MOST_SIDE_BY_SIDE
    {
        true => findings.par_iter().map(replayed).collect(),
        false => findings.iter().map(replayed).collect(),
    }
}

/// What leads to all of them; nothing where they have not that much in common.
fn lead_of_all(findings: &[&Finding]) -> Vec<ScheduleStep> {
    let n = lead::length(findings.iter().copied());
    let all = findings.iter();
    let mut leads = all.map(|finding| lead::parted(&finding.schedule, n).0);
    match leads.next() {
        Some(first) if n > 0 && leads.all(|other| other == first) => first,
        _ => Vec::new(),
    }
}

/// The findings that are replayed on the system for safety.
fn safety(findings: &[Finding]) -> impl Iterator<Item = &Finding> {
    let all = findings.iter();
    all.filter(|finding| finding.kind != DefectKind::Livelock)
}

/// Follows what all schedules begin with; `None` where that is nothing, or comes to its end on the way.
fn begin(system: &ExploredProgram, findings: &[&Finding]) -> Option<Begun> {
    let schedules = findings.iter();
    let mut schedules = schedules.map(|finding| lead::behind(system, &finding.schedule));
    let first = schedules.next()?;
    let second = schedules.next()?;
    let shared = schedules.fold(alike(&first, &second), |shared, other| {
        alike(&shared, &other)
    });
    let [initial] = <[_; 1]>::try_from(system.initial()).ok()?;
    let mut run = Run::new(system, initial);
    run.follow(&shared).ok()?;
    tracing::trace!(transitions = run.n_followed, "replay");
    (!shared.is_empty() && !run.has_faulted()).then(|| run.begun())
}

/// What two schedules begin with.
fn alike(a: &[ScheduleStep], b: &[ScheduleStep]) -> Vec<ScheduleStep> {
    let mut shared = Vec::new();
    for (x, y) in a.iter().zip(b) {
        if (&x.actors, x.choice) != (&y.actors, y.choice) {
            break;
        }
        let steps = x.steps.min(y.steps);
        shared.push(ScheduleStep { steps, ..x.clone() });
        if x.steps != y.steps {
            break;
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::transition::Actor;

    fn schedule(steps: &[(u32, u32)]) -> Vec<ScheduleStep> {
        let step = |&(thread, steps)| ScheduleStep {
            actors: vec![Actor::Thread { block: 0, thread }],
            steps,
            choice: 0,
        };
        steps.iter().map(step).collect()
    }

    #[test]
    fn schedules_are_alike_up_to_the_first_step_that_differs() {
        let alike = |a: &[_], b: &[_]| alike(&schedule(a), &schedule(b));
        assert_eq!(
            alike(&[(0, 3), (1, 2)], &[(0, 3), (2, 2)]),
            schedule(&[(0, 3)])
        );
        assert_eq!(
            alike(&[(0, 3), (1, 2)], &[(0, 3), (1, 4), (0, 1)]),
            schedule(&[(0, 3), (1, 2)])
        );
        assert_eq!(
            alike(&[(0, 3), (1, 2)], &[(0, 5), (1, 2)]),
            schedule(&[(0, 3)])
        );
        assert_eq!(alike(&[(0, 3)], &[(1, 3)]), schedule(&[]));
        let mut chosen = schedule(&[(0, 3)]);
        chosen[0].choice = 1;
        assert_eq!(super::alike(&chosen, &schedule(&[(0, 3)])), schedule(&[]));
    }
}
