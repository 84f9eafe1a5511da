//! From a finding to a defect: whether the reference shows it, in a smaller schedule where there is one, and what it is then
//! called.

use super::confirmed::{Confirmed, LivelockCycle};
use super::postponed::postponed;
use super::shown::{Shown, Wanted, gone_on, run_showing};
use super::touched::of_what_is_touched;
use super::witness_file::witness;
use super::{describe, explain, lead, minimise, words};
use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use crate::order::happens_before::Ordering;
use crate::progress::lasso;
use crate::report::defect::Defect;
use crate::system::ExploredProgram;
use crate::system::follow::{Begun, Run};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::SetupError;
use gridlock_semantics::transition::TransitionSystem;
use std::iter::once;
use std::time::Instant;

/// Replays a finding; `None` when the reference does not show it (or the setup does not fit).
/// `program` is the one the finding's engine was given, in either form.
pub fn confirm(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    finding: &Finding,
) -> Option<Confirmed> {
    let system = system_for(program, setup, profile, finding.kind).ok()?;
    confirm_in(&system, finding)
}

/// [`confirm`], given up at `until`.
pub fn confirm_in_time(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    finding: &Finding,
    until: Instant,
) -> Option<Confirmed> {
    let system = system_for(program, setup, profile, finding.kind).ok()?;
    confirm_in(&system.until(until), finding)
}

/// Whether the reference shows a finding: [`confirm`] without looking for a smaller schedule.
pub fn shows(program: &Program, setup: &Setup, profile: &Profile, finding: &Finding) -> bool {
    let Ok(system) = system_for(program, setup, profile, finding.kind) else {
        return false;
    };
    if let Evidence::Cycle { cycle, .. } = &finding.evidence {
        return lasso::follow(&system, &finding.schedule, cycle).is_some();
    }
    let (ordering, wanted) = (Ordering::new(&system), Wanted::of(finding));
    run_showing(&system, &ordering, &finding.schedule, &wanted).is_some()
}

/// Whether a schedule can be followed with this setup, and no fault occurs on the way.
pub fn passes(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    schedule: &[ScheduleStep],
) -> bool {
    ExploredProgram::new(program, setup, profile).is_ok_and(|system| {
        system.initial().into_iter().all(|initial| {
            let mut run = Run::without_history(&system, initial);
            run.follow(schedule).is_ok() && !run.has_faulted()
        })
    })
}

/// The system a defect of some kind is replayed on: livelock is a matter of the scheduling for
/// termination.
pub fn system_for(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    kind: DefectKind,
) -> Result<ExploredProgram, SetupError> {
    match kind {
        DefectKind::Livelock => ExploredProgram::for_termination(program, setup, profile),
        _ => ExploredProgram::new(program, setup, profile),
    }
}

/// [`confirm`] with a system made before; for a livelock one for termination.
pub fn confirm_in(system: &ExploredProgram, finding: &Finding) -> Option<Confirmed> {
    confirmed_run(system, finding, None).map(|(confirmed, _)| confirmed)
}

/// The same with the run that shows it; `begun` as the finding's schedule begins.
pub fn confirmed_run<'a>(
    system: &'a ExploredProgram,
    finding: &Finding,
    begun: Option<&Begun>,
) -> Option<(Confirmed, Run<'a>)> {
    if let Evidence::Cycle { cycle, can_end } = &finding.evidence {
        let lasso = lasso::follow(system, &finding.schedule, cycle)?;
        let confirmed = round_of(system, &lasso, &finding.schedule, cycle, *can_end);
        return Some((confirmed, lasso.run));
    }
    let ordering = Ordering::new(system);
    let wanted = Wanted::of(finding);
    let schedule = lead::behind(system, &finding.schedule);
    let found = match begun {
        Some(begun) => {
            let run = Run::of(system, begun.clone());
            let (_, rest) = minimise::behind(&run.taken, &schedule);
            gone_on(run, &ordering, &rest, &wanted).0?
        }
        None => run_showing(system, &ordering, &schedule, &wanted)?,
    };
    let (schedule, run, shown) = minimise::minimise(system, &ordering, &wanted, found);
    let mut confirmed = Confirmed {
        schedule,
        race: None,
        space: None,
        array: None,
        fault: None,
        leak: None,
        positions: Vec::new(),
        livelock: None,
        launch: words::launch_of(system, &run.state),
    };
    match shown {
        Shown::Race(first, second) => {
            let names = words::Words::of(system);
            confirmed.space = names.space(&run.state, second.array);
            confirmed.array = Some(names.array(&run.state, second.array));
            confirmed.race = Some((first, second));
        }
        Shown::Fault(fault) => confirmed.fault = Some(fault),
        Shown::Leak(leak) => confirmed.leak = Some(leak),
        Shown::Stuck => confirmed.positions = system.system().positions(&run.state),
    }
    Some((confirmed, run))
}

/// A livelock that was followed.
pub fn round_of(
    system: &ExploredProgram,
    lasso: &lasso::Lasso<'_>,
    prefix: &[ScheduleStep],
    cycle: &[ScheduleStep],
    can_end: Option<bool>,
) -> Confirmed {
    Confirmed {
        schedule: prefix.to_vec(),
        race: None,
        space: None,
        array: None,
        fault: None,
        leak: None,
        positions: Vec::new(),
        livelock: Some(LivelockCycle {
            cycle: cycle.to_vec(),
            n_before: lasso.n_before,
            agents: lasso.agents.clone(),
            can_end,
        }),
        launch: words::launch_of(system, &lasso.run.state),
    }
}

/// Why a finding is not a defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotShown {
    /// The reference does not show it.
    Refuted,
    /// Following its run took too long to tell.
    Late,
}

/// [`defect`], given up at `until`.
///
/// # Errors
/// The reference does not show the finding, or not in time.
pub fn defect_in_time(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    finding: &Finding,
    until: Instant,
) -> Result<Defect, NotShown> {
    let system = system_for(program, setup, profile, finding.kind)
        .map_err(|_| NotShown::Refuted)?
        .until(until);
    let of = (program, setup, profile);
    if let Some(defect) = of_postponed(&system, of, finding, 0) {
        return Ok(defect);
    }
    let system = lead::system(system, &finding.schedule, lead::length(once(finding)));
    let not_shown = || match system.is_late() {
        true => NotShown::Late,
        false => NotShown::Refuted,
    };
    let shown = confirmed_run(&system, finding, None).ok_or_else(not_shown)?;
    Ok(defect_of(&system, of, (finding.kind, 0), shown))
}

/// Replays a finding and, if it shows, makes the defect of it. `subject` is its place in the
/// report.
pub fn defect(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    finding: &Finding,
    subject: usize,
) -> Option<Defect> {
    let system = system_for(program, setup, profile, finding.kind).ok()?;
    let of = (program, setup, profile);
    of_postponed(&system, of, finding, subject).or_else(|| {
        let system = lead::system(system, &finding.schedule, lead::length(once(finding)));
        let shown = confirmed_run(&system, finding, None)?;
        Some(defect_of(&system, of, (finding.kind, subject), shown))
    })
}

/// What the reference runs: the program in either form, its inputs, and the choice of semantics.
pub type Given<'p> = (&'p Program, &'p Setup, &'p Profile);

/// The defect that a finding is, where a run shows it that has [little to look at](postponed). `system` is where runs begin
/// that nothing leads to.
pub fn of_postponed(
    system: &ExploredProgram,
    of: Given<'_>,
    finding: &Finding,
    subject: usize,
) -> Option<Defect> {
    let (made, n_led) = postponed(finding)?;
    let system = lead::system(system.clone(), &made.schedule, n_led);
    let shown = confirmed_run(&system, &made, None)?;
    Some(defect_of(&system, of, (finding.kind, subject), shown))
}

pub fn defect_of(
    system: &ExploredProgram,
    (program, setup, profile): Given<'_>,
    (kind, subject): (DefectKind, usize),
    (confirmed, run): (Confirmed, Run<'_>),
) -> Defect {
    let schedule = lead::whole(system, &confirmed.schedule);
    let needed = of_what_is_touched(program, setup, &run);
    let mut witness = witness(program, &needed, profile, kind, schedule);
    witness.led = lead::n_steps(system.led());
    if let Some(livelock) = &confirmed.livelock {
        witness.cycle = livelock.cycle.clone();
    }
    let explanation = explain::explain(system, program, &confirmed, &run);
    let mut defect = describe::describe(system, kind, (&confirmed, &run), subject, witness);
    defect.explanation = Some(explanation);
    defect
}
