//! What a program does long before a defect: host code that fills arrays, element by element, and launches that are over. Of a
//! long schedule only what may belong to the defect is looked at; what leads there is gone through on the reference without
//! keeping the states on the way. Schedules of witnesses have both, and say how many
//! steps lead.

use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use crate::system::ExploredProgram;
use crate::system::follow::Run;
use gridlock_semantics::host::State;
use gridlock_semantics::transition::{Actor, TransitionSystem};

/// Schedules of so many steps are looked at as a whole.
const MANY: u64 = 50_000;
/// Steps before the end of others that are looked at, where nothing else is known.
pub const KEPT: u64 = 1_000;

/// Steps of a schedule.
pub fn n_steps(schedule: &[ScheduleStep]) -> u64 {
    schedule.iter().map(|step| u64::from(step.steps)).sum()
}

/// How many steps lead to all of these findings.
pub fn length<'a>(findings: impl Iterator<Item = &'a Finding>) -> u64 {
    findings.map(length_of).min().unwrap_or(0)
}

/// How many of its steps lead to a finding.
fn length_of(finding: &Finding) -> u64 {
    let schedule = finding.schedule.as_slice();
    let whole = n_steps(schedule);
    if whole <= MANY {
        return 0;
    }
    let of_host = of_host_alone(schedule);
    match (finding.kind, &finding.evidence) {
        (DefectKind::Livelock, _) => 0,
        // What is not given back shows in the end, and where the host fails, there.
        (DefectKind::Leak, _) => whole - KEPT,
        (_, Evidence::Fault(fault)) if fault.actor == Actor::Host => whole - KEPT,
        (DefectKind::StaleData, Evidence::Race { first, .. }) => {
            let begins = enqueued(schedule, first.actor);
            begins.unwrap_or(0).max(of_host)
        }
        _ => of_host,
    }
}

/// What of the steps of the host that a schedule begins with is not looked at.
fn of_host_alone(schedule: &[ScheduleStep]) -> u64 {
    match schedule.first() {
        Some(first) if first.actors == [Actor::Host] => u64::from(first.steps).saturating_sub(KEPT),
        _ => 0,
    }
}

/// The steps before the one in which the host enqueues what `by` does last: the operation of a stream, or the launch of a
/// thread.
fn enqueued(schedule: &[ScheduleStep], by: Actor) -> Option<u64> {
    let last = schedule.iter().rposition(|step| step.actors == [by])?;
    let before = &schedule[..last];
    let host = before
        .iter()
        .rposition(|step| step.actors == [Actor::Host])?;
    n_steps(&schedule[..=host]).checked_sub(1)
}

/// The first so many steps of a schedule, and the rest.
pub fn parted(schedule: &[ScheduleStep], n: u64) -> (Vec<ScheduleStep>, Vec<ScheduleStep>) {
    let (mut lead, mut rest, mut left) = (Vec::new(), Vec::new(), n);
    for step in schedule {
        let steps = step.steps.min(u32::try_from(left).unwrap_or(u32::MAX));
        left -= u64::from(steps);
        let part = |steps| ScheduleStep {
            steps,
            ..step.clone()
        };
        lead.extend((steps > 0).then(|| part(steps)));
        rest.extend((steps < step.steps).then(|| part(step.steps - steps)));
    }
    (lead, rest)
}

/// A system from where the first `n` steps of a schedule lead.
pub fn system(on: ExploredProgram, schedule: &[ScheduleStep], n: u64) -> ExploredProgram {
    match n {
        0 => on,
        n => along(on, parted(schedule, n).0),
    }
}

/// A system from where a run is that has followed these steps, the states it went through being kept nowhere; as it is where
/// they cannot be followed.
pub fn along(on: ExploredProgram, steps: Vec<ScheduleStep>) -> ExploredProgram {
    if steps.is_empty() {
        return on;
    }
    match gone(&on, |run| run.follow(&steps).is_ok()) {
        Some(state) => on.beginning_at(state, steps),
        None => on,
    }
}

/// A system from where a run is that went on in canonical order until nobody could move, nothing being kept of it.
pub fn to_the_end(on: ExploredProgram) -> ExploredProgram {
    let gone = gone(&on, |run| {
        run.complete(usize::MAX);
        true
    });
    match gone {
        Some(state) => on.beginning_at(state, Vec::new()),
        None => on,
    }
}

/// Where a run is that has gone somewhere, without a fault.
fn gone(on: &ExploredProgram, go: impl FnOnce(&mut Run<'_>) -> bool) -> Option<State> {
    let [initial] = <[State; 1]>::try_from(on.initial()).ok()?;
    let mut run = Run::without_history(on, initial);
    (go(&mut run) && !run.has_faulted()).then_some(run.state)
}

/// A schedule from where runs on the system begin.
pub fn behind(on: &ExploredProgram, schedule: &[ScheduleStep]) -> Vec<ScheduleStep> {
    parted(schedule, n_steps(on.led())).1
}

/// One from where runs on the system begin, as one from the start of the program.
pub fn whole(on: &ExploredProgram, rest: &[ScheduleStep]) -> Vec<ScheduleStep> {
    let mut schedule = on.led().to_vec();
    crate::finding::append_schedule(&mut schedule, rest);
    schedule
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical;
    use crate::compiled::compile;
    use crate::finding::of_steps;
    use crate::limits::Limits;
    use crate::replay::confirm::{confirm_in, system_for};
    use crate::replay::confirmed::Confirmed;
    use gridlock_generation::effort;
    use gridlock_generation::random::{Generated, Sizes, unrestricted_host};
    use gridlock_semantics::algebra::operator::OpId;
    use gridlock_semantics::algebra::value::ArrayRef;
    use gridlock_semantics::profile::Profile;
    use gridlock_semantics::transition::{Access, AccessMode};

    #[test]
    fn what_leads_to_a_stale_use_ends_before_the_operation_is_enqueued() {
        let stream = Actor::Stream(1);
        let schedule = of_steps(&[
            (Actor::Host, 60_000),
            (stream, 1),
            (Actor::Host, 5),
            (stream, 1),
            (Actor::Host, 9),
        ]);
        let access = |actor, mode| Access {
            actor,
            array: ArrayRef::Host(0),
            index: 0,
            mode,
            op: OpId(0),
        };
        let finding = |kind| Finding {
            kind,
            schedule: schedule.clone(),
            evidence: Evidence::Race {
                first: access(stream, AccessMode::Write),
                second: access(Actor::Host, AccessMode::Read),
            },
        };
        let stale = finding(DefectKind::StaleData);
        assert_eq!(length_of(&stale), 60_005);
        let (lead, rest) = parted(&schedule, 60_005);
        assert_eq!(lead[2].steps, 4);
        assert_eq!((rest[0].steps, rest[1].steps), (1, 1));
        assert_eq!(length_of(&finding(DefectKind::UnorderedStreams)), 59_000);
        let both = [stale, finding(DefectKind::DataRace)];
        assert_eq!(length(both.iter()), 59_000);
    }

    /// Whatever part of a schedule leads, what is shown behind it is shown by the whole; and what is shown by the whole is
    /// shown behind parts.
    #[test]
    fn what_leads_changes_nothing() {
        let sizes = Sizes {
            statements: 2,
            beyond_core: true,
            ..Sizes::default()
        };
        let profile = Profile::named("cuda").expect("a named profile");
        let n = effort::cases(150, 10_000);
        let (mut judged, mut shown_behind) = (0, 0);
        for seed in 0..n {
            let Generated { program, setup, .. } = unrestricted_host(seed, &sizes);
            let run = canonical::run(&compile(&program), &setup, &profile, &Limits::default());
            for finding in &run.findings {
                let Ok(system) = system_for(&program, &setup, &profile, finding.kind) else {
                    continue;
                };
                let steps = n_steps(&finding.schedule);
                if finding.kind == DefectKind::Livelock || steps == 0 || steps > 60 {
                    continue;
                }
                let whole = confirm_in(&system, finding);
                judged += 1;
                let mut behind_some = false;
                for n_led in 1..steps {
                    let on = super::system(system.clone(), &finding.schedule, n_led);
                    let Some(part) = confirm_in(&on, finding) else {
                        continue;
                    };
                    behind_some = true;
                    let of = |c: &Confirmed| (c.race.is_some(), c.fault.as_ref().map(|f| f.op));
                    assert_eq!(
                        whole.as_ref().map(of),
                        Some(of(&part)),
                        "{seed} {n_led}: {finding:?}"
                    );
                }
                shown_behind += u64::from(behind_some);
            }
        }
        assert!(judged > n / 4, "{judged} of {n}");
        assert!(shown_behind > judged / 2, "{shown_behind} of {judged}");
    }
}
