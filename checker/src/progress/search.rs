//! Does every allowed run end?

use crate::finding::{DefectKind, Evidence, Finding, Statistics};
use crate::limits::Limits;
use crate::progress::graph::Graph;
use crate::progress::termination::{Termination, TerminationSearch};
use crate::progress::unfold::Unfolding;
use crate::progress::walk::covering_walk;
use crate::progress::{compiled, round_robin};
use crate::system::ExploredProgram;
use std::time::{Duration, Instant};

/// States after which the unfinished graph is looked at for the first time.
const FIRST_LOOK: usize = 2_048;

/// Judges the system made by [`ExploredProgram::for_termination`]: compiled where that can be done,
/// else on the reference semantics.
pub fn judge(system: &ExploredProgram, limits: &Limits) -> TerminationSearch {
    let started = Instant::now();
    if let Some(search) = compiled::judge(system, limits) {
        return search;
    }
    let limits = Limits {
        seconds: limits.seconds - started.elapsed().as_secs_f64(),
        ..*limits
    };
    judge_on_the_reference(system, &limits)
}

/// [`judge`] on the reference semantics.
pub fn judge_on_the_reference(system: &ExploredProgram, limits: &Limits) -> TerminationSearch {
    judge_unfolding(Unfolding::new(system), limits)
}

/// [`judge_on_the_reference`] with every private step taken by itself: the same answer from more states.
pub fn judge_step_by_step(system: &ExploredProgram, limits: &Limits) -> TerminationSearch {
    judge_unfolding(Unfolding::step_by_step(system), limits)
}

fn judge_unfolding(mut unfolding: Unfolding<'_>, limits: &Limits) -> TerminationSearch {
    let started = Instant::now();
    let mut next_look = FIRST_LOOK;
    let mut n_expanded = 0usize;
    let (mut answer, mut peak) = (None, 0);
    while answer.is_none() && !unfolding.is_done() {
        unfolding.expand_next();
        n_expanded += 1;
        let limit = over(&unfolding, limits, started);
        if n_expanded >= next_look || limit.is_some() {
            next_look = next_look.saturating_mul(2);
            answer = livelock_in(&unfolding, false).map(Termination::Livelock);
            peak = peak.max(unfolding.bytes());
        }
        if answer.is_none() {
            answer = limit.map(Termination::Cut);
        }
    }
    let whole = unfolding.is_done() && unfolding.cut.is_none();
    let answer = answer.unwrap_or_else(|| match (livelock_in(&unfolding, whole), &unfolding.cut) {
        (Some(finding), _) => Termination::Livelock(finding),
        (None, Some(why)) => Termination::Cut(why.clone()),
        (None, None) if unfolding.stuck.is_some() => Termination::Deadlock,
        (None, None) => Termination::Ends,
    });
    TerminationSearch {
        answer,
        statistics: Statistics {
            states: unfolding.graph.nodes.len() as u64,
            transitions: unfolding.n_transitions,
            seconds: started.elapsed().as_secs_f64(),
            peak_bytes: peak.max(unfolding.bytes()),
            ..Statistics::default()
        },
    }
}

/// The limit that is reached, in words.
fn over(unfolding: &Unfolding<'_>, limits: &Limits, started: Instant) -> Option<String> {
    let states = unfolding.graph.nodes.len() as u64;
    limits.reached(states, unfolding.bytes(), || limits.are_over_since(started))
}

/// A livelock in what is unfolded: what is there is real, whatever is still to come.
fn livelock_in(unfolding: &Unfolding<'_>, whole: bool) -> Option<Finding> {
    let graph: &Graph = &unfolding.graph;
    let component = graph.livelock()?;
    let entry = component[0];
    let walk = covering_walk(graph, &component);
    let can_end = graph.can_end_from(entry);
    Some(Finding {
        kind: DefectKind::Livelock,
        schedule: unfolding.schedule_to(entry),
        evidence: Evidence::Cycle {
            cycle: unfolding.schedule(&walk),
            // That no end was seen means something only once everything was.
            can_end: (can_end || whole).then_some(can_end),
        },
    })
}

/// Looks along one run in which every actor gets a turn in each round: cheap, and only ever a
/// livelock. It is one only if a replay shows it.
pub fn quick_look(system: &ExploredProgram, seconds: f64) -> Option<Finding> {
    let progress = system.profile().axes.termination.progress;
    let deadline = Instant::now() + Duration::from_secs_f64(seconds.clamp(0.0, 1e6));
    let found = round_robin::look(system, progress, deadline)?;
    Some(Finding {
        kind: DefectKind::Livelock,
        schedule: found.prefix,
        evidence: Evidence::Cycle {
            cycle: found.cycle,
            can_end: None,
        },
    })
}
