//! Replay: the only way from a finding to a defect, and from a witness file to a run one can
//! read. It runs the reference semantics, whatever engine made the finding, and believes nothing:
//! a race must have its two accesses, unordered by happens-before; a fault must occur again, of
//! the same kind, at the same operator, by the same thread; in a deadlock no actor may be able to
//! move.

mod along;
mod aside;
mod complete;
mod confirm;
mod confirmed;
mod describe;
mod error;
mod explain;
mod lead;
mod livelock;
mod minimise;
mod narrate;
mod postponed;
mod shown;
mod source_hash;
mod step;
mod together;
mod touched;
mod undefined;
mod witness_file;
mod words;

pub use along::{Counts, Taken, along};
pub use confirm::{
    NotShown, confirm, confirm_in, confirm_in_time, defect, defect_in_time, passes, shows,
};
pub use confirmed::{Confirmed, LivelockCycle};
pub use error::ReplayError;
pub use explain::explained as compared;
pub use source_hash::source_hash;
pub use step::{AccessSeen, Assigned, Replay, ReplayStep};
pub use together::defects_in_time;
pub use witness_file::witness;

use crate::finding::{DefectKind, Finding, ScheduleStep};
use crate::order::happens_before::Ordering;
use crate::progress::lasso;
use crate::report::explanation::ComparedSide;
use crate::report::witness::{Witness, WitnessDifference};
use crate::system::ExploredProgram;
use crate::system::follow::{Followed, Run};
use complete::{complete, is_shown_whole};
use confirm::{round_of, system_for};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::{Actor, TransitionSystem};
use shown::{Shown, Wanted, run_showing};
use std::time::Instant;

/// Follows a witness on the program it was made for, which is read anew by the caller and ignored
/// where the witness brings its own.
///
/// # Errors
/// The witness does not fit the program.
pub fn replay(witness: &Witness, program: &Program) -> Result<Replay, ReplayError> {
    let system = system_of(witness, program)?;
    let given = witness.program.as_ref().unwrap_or(program);
    if witness.kind == DefectKind::Livelock {
        return Ok(replay_livelock(&system, given, witness));
    }
    if let Some(difference) = &witness.difference {
        return Ok(replay_difference(&system, given, witness, difference));
    }
    let system = lead::system(system, &witness.schedule, witness.led);
    let ordering = Ordering::new(&system);
    let schedule = lead::behind(&system, &witness.schedule);
    let wanted = Wanted {
        kind: witness.kind,
        race: None,
        fault: None,
        leak: None,
        goes_on: witness.kind == DefectKind::Leak && witness.schedule.is_empty(),
    };
    if let Some((run, shown)) = run_showing(&system, &ordering, &schedule, &wanted) {
        return Ok(reproduced(&system, given, witness, &run, shown));
    }
    let conclusion = format!(
        "the schedule does not show the defect ({})",
        witness.kind.name()
    );
    Ok(not_reproduced(&system, given, conclusion, |run| {
        let _ = run.follow(&schedule);
    }))
}

/// What was followed of a witness that does not show its defect.
fn not_reproduced(
    system: &ExploredProgram,
    given: &Program,
    conclusion: String,
    follow: impl FnOnce(&mut Run<'_>),
) -> Replay {
    let mut steps = Vec::new();
    if let Some(initial) = system.initial().into_iter().next() {
        let mut run = Run::new(system, initial);
        follow(&mut run);
        steps = steps_of(system, given, &run);
    }
    Replay {
        steps,
        cycle_from: None,
        led: lead::n_steps(system.led()),
        reproduced: false,
        conclusion,
        conflict: Vec::new(),
        explanation: None,
    }
}

/// The steps of a run, with what each assigns.
fn steps_of(system: &ExploredProgram, given: &Program, run: &Run<'_>) -> Vec<ReplayStep> {
    let mut steps = narrate::narrate(system, &run.followed);
    for (step, assigned) in steps.iter_mut().zip(explain::assigned(system, given, run)) {
        step.assigned = assigned;
    }
    steps
}

/// The system a witness was made for, ready to follow its schedule.
///
/// # Errors
/// The witness does not fit the program.
pub fn system_of(witness: &Witness, program: &Program) -> Result<ExploredProgram, ReplayError> {
    if witness.schema != Witness::SCHEMA {
        return Err(ReplayError::Schema {
            found: witness.schema,
            expected: Witness::SCHEMA,
        });
    }
    if source_hash(program) != witness.source_hash {
        return Err(ReplayError::ProgramChanged {
            file: witness.file.clone(),
        });
    }
    let steps = lead::n_steps(&witness.schedule);
    if witness.led > steps {
        let led = witness.led;
        return Err(ReplayError::Lead { led, steps });
    }
    let program = witness.program.as_ref().unwrap_or(program);
    if program.find_proc(&witness.entry) != Some(witness.setup.entry) {
        return Err(ReplayError::NoEntry {
            entry: witness.entry.clone(),
        });
    }
    system_for(
        program,
        &witness.held_setup()?,
        &witness.profile,
        witness.kind,
    )
    .map_err(|error| ReplayError::Setup(error.to_string()))
}

/// A witness that shows its defect again.
fn reproduced(
    system: &ExploredProgram,
    given: &Program,
    witness: &Witness,
    run: &Run<'_>,
    shown: Shown,
) -> Replay {
    let names = words::Words::of(system);
    let last = run.followed.len().checked_sub(1);
    let mut confirmed = Confirmed {
        schedule: witness.schedule.clone(),
        race: None,
        space: None,
        array: None,
        fault: None,
        leak: None,
        positions: Vec::new(),
        livelock: None,
        launch: words::launch_of(system, &run.state),
    };
    let mut conflict: Vec<usize> = last.into_iter().collect();
    match shown {
        Shown::Race(first, second) => {
            let made = |step: &Followed| step.label.accesses.contains(&first);
            let first_at = run.followed.iter().rposition(made);
            conflict.extend(first_at);
            confirmed.space = names.space(&run.state, second.array);
            confirmed.array = Some(names.array(&run.state, second.array));
            confirmed.race = Some((first, second));
        }
        Shown::Fault(found) => confirmed.fault = Some(found),
        Shown::Leak(found) => {
            let made = |step: &Followed| step.label.op == Some(found.op);
            conflict = run.followed.iter().position(made).into_iter().collect();
            confirmed.leak = Some(found);
        }
        Shown::Stuck => confirmed.positions = system.system().positions(&run.state),
    }
    conflict.sort_unstable();
    conflict.dedup();
    let kind = witness.kind;
    let message = describe::describe(system, kind, (&confirmed, run), 0, witness.clone()).message;
    let explanation = explain::explain(system, given, &confirmed, run);
    Replay {
        steps: steps_of(system, given, run),
        cycle_from: None,
        led: lead::n_steps(system.led()),
        reproduced: true,
        conclusion: message,
        conflict,
        explanation: Some(explanation),
    }
}

/// What one run shows in which an actor that would fault stands aside, just before it, so that one defect does not
/// hide the others: faults in the order of the run, then races. `first` go as early as they can. The
/// program is the one that [`defect`] is given; nothing is a defect before that shows it.
pub fn behind_others(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    first: &[Actor],
    until: Instant,
) -> Vec<Finding> {
    match ExploredProgram::new(program, setup, profile) {
        Ok(system) => aside::standing_aside(&system.until(until), first),
        Err(_) => Vec::new(),
    }
}

fn replay_livelock(system: &ExploredProgram, given: &Program, witness: &Witness) -> Replay {
    let (prefix, cycle) = (&witness.schedule, &witness.cycle);
    let Some(lasso) = lasso::follow(system, prefix, cycle) else {
        let conclusion =
            "the run has no cycle that the progress guarantee allows (livelock)".to_owned();
        return not_reproduced(system, given, conclusion, |run| {
            let _ = run
                .follow_exactly(prefix)
                .and_then(|()| run.follow_exactly(cycle));
        });
    };
    let confirmed = round_of(system, &lasso, prefix, cycle, None);
    let message = describe::describe(
        system,
        witness.kind,
        (&confirmed, &lasso.run),
        0,
        witness.clone(),
    )
    .message;
    Replay {
        steps: steps_of(system, given, &lasso.run),
        cycle_from: Some(lasso.n_before),
        led: 0,
        reproduced: true,
        conclusion: message,
        conflict: vec![lasso.n_before],
        explanation: Some(explain::explain(system, given, &confirmed, &lasso.run)),
    }
}

fn replay_difference(
    system: &ExploredProgram,
    given: &Program,
    witness: &Witness,
    difference: &WitnessDifference,
) -> Replay {
    let mut replay = Replay {
        steps: Vec::new(),
        cycle_from: None,
        led: 0,
        reproduced: false,
        conclusion: "the schedule cannot be followed".to_owned(),
        conflict: Vec::new(),
        explanation: None,
    };
    let Some(initial) = system.initial().into_iter().next() else {
        return replay;
    };
    let mut run = Run::new(system, initial);
    if run.follow(&witness.schedule).is_ok() {
        complete(&mut run);
        let found = is_shown_whole(system, &run.state).then(|| system.system().observe(&run.state));
        match found {
            None => replay.conclusion = "the run does not come to its end".to_owned(),
            Some(seen) => {
                replay.reproduced = difference.is_seen(&seen);
                replay.conclusion = difference.text(&seen);
                let (side, made) = explain::compared(system, given, witness, difference);
                replay.conflict = made;
                replay.explanation = Some(explain::explained(witness, vec![side]));
            }
        }
    }
    replay.steps = steps_of(system, given, &run);
    replay
}

/// Tells what one of two compared programs left and what wrote it. `witness` is of that side.
///
/// # Errors
/// The witness does not fit the program.
pub fn compared_side(witness: &Witness, program: &Program) -> Result<ComparedSide, ReplayError> {
    let system = system_of(witness, program)?;
    let given = witness.program.as_ref().unwrap_or(program);
    let nothing = WitnessDifference::default();
    let difference = witness.difference.as_ref().unwrap_or(&nothing);
    Ok(explain::compared(&system, given, witness, difference).0)
}

/// What is seen at the end of one run: the schedule, then every actor in canonical order. `None`
/// when the run does not come to its end.
pub fn observation_after(
    system: &ExploredProgram,
    schedule: &[ScheduleStep],
) -> Option<Observation> {
    let initial = system.initial().into_iter().next()?;
    let mut run = Run::without_history(system, initial);
    run.follow(schedule).ok()?;
    complete(&mut run);
    is_shown_whole(system, &run.state).then(|| system.system().observe(&run.state))
}
