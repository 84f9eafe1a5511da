//! Host programs, launch by launch ([`crate::explore::explore_launches`]).
//!
//! A host that waits for each launch goes on for ever only by itself, or because a launch does. So it
//! ends in every run if it has no cycle, and each launch that it can come to ends in every run by
//! itself. Which launches those are says a search under the scheduling for safety, where that
//! admits all that the one for termination does. Nothing else is claimed: a launch that may go on for
//! ever is for the reference to show, from the start of the program.

use super::{fit, judge_launch};
use crate::automaton::{Automaton, Keeps};
use crate::compiled::compile;
use crate::explore::{ExploreOptions, explore_launches_at};
use crate::finding::{DefectKind, Finding, Statistics};
use crate::limits::Limits;
use crate::progress::termination::{Termination, TerminationSearch};
use crate::system::ExploredProgram;
use gridlock_semantics::host::State;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What the launches met so far say.
struct Judged {
    all_end: bool,
    cut: Option<String>,
    statistics: Statistics,
}

/// Judges a host program; the answer is that it ends or that a limit was reached, if any.
pub fn judge(system: &ExploredProgram, limits: &Limits) -> Option<TerminationSearch> {
    let profile = system.profile();
    if !profile.admits_canonical_run() || !profile.termination_is_within_safety() {
        return None;
    }
    let started = Instant::now();
    let scheduled = system.system().clone();
    let safe = scheduled.with_scheduling(profile.axes.safety);
    let safe = Arc::new(ExploredProgram::of(safe, profile));
    let code = compile(system.program());
    let judged = Mutex::new(Judged {
        all_end: true,
        cut: None,
        statistics: Statistics::default(),
    });
    let at_launch = |state: &State| {
        let mut judged = judged.lock().unwrap_or_else(PoisonError::into_inner);
        if !judged.all_end {
            return;
        }
        let left = Limits {
            states: limits.states.saturating_sub(judged.statistics.states),
            seconds: limits.seconds - started.elapsed().as_secs_f64(),
            ..*limits
        };
        let automaton = fit(Automaton::of_blocks_in(safe.clone(), &code, state));
        let found = automaton.and_then(|own| judge_launch(system, &own, state, &left));
        judged.all_end = false;
        if let Some(found) = found {
            judged.statistics += found.statistics;
            match found.answer {
                Termination::Ends => judged.all_end = true,
                Termination::Cut(what) => judged.cut = Some(what),
                Termination::Livelock(_) | Termination::Deadlock => {}
            }
        }
    };
    let options = ExploreOptions::default();
    let found = explore_launches_at(&safe, &code, Keeps::Nothing, limits, &options, &at_launch);
    let (exploration, _) = found?;
    let judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut statistics = judged.statistics;
    statistics += exploration.statistics;
    statistics.seconds = started.elapsed().as_secs_f64();
    let only_races = |finding: &Finding| finding.kind == DefectKind::DataRace;
    let answer = if let Some(what) = judged.cut {
        Termination::Cut(what)
    } else if !judged.all_end || exploration.cycle || !exploration.findings.iter().all(only_races) {
        return None;
    } else if !exploration.complete {
        Termination::Cut(exploration.limits_hit.join("; "))
    } else {
        Termination::Ends
    };
    Some(TerminationSearch { answer, statistics })
}
