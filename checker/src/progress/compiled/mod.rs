//! Livelock judged on the compiled automaton ([`crate::automaton`]): the same question and the same answers as
//! on the reference ([`super`]), from far fewer and far smaller states.
//!
//! What is left out, and why nothing is lost. Let a run be infinite and allowed.
//!
//! - **Harmless steps are taken at once**: those that touch nothing which code of other threads
//!   may interfere with, ends of threads, and barriers (of blocks, warps, the grid) that are complete.
//!   Such a step is possible until it is taken and commutes with all steps of others. So it can be taken
//!   as soon as it is possible: if the run takes it, earlier than there; if not, its thread is
//!   unprotected, and the run with it is infinite and allowed as well. Each thread then does what it
//!   did. Who never moves from some moment on can, if it stands at an access, always move, and at
//!   a barrier either always or never, whichever way steps are ordered; so the run stays allowed. Every state
//!   kept has all its steps looked at, hence no step is put off for ever. Conversely each edge is
//!   a path of the whole graph in which, besides the agent it names, only threads move that could
//!   not move before it: they are served as it is. (What never ends among harmless steps is left
//!   to be taken one at a time.)
//! - **Registers that are never read again** are no part of a state. A run is infinite with them or
//!   without. A cycle without them may be none with them, so a livelock is answered only once the
//!   reference has gone through it.
//! - **Interchangeable threads and blocks** ([`crate::explore::flat::symmetry`]; blocks only where
//!   they do not start in order) stand for each other. [`graph`] says what rules a component out all
//!   the same, [`lasso`] how what is left is looked at.
//! - **A launch that is determinate though its threads wait** ([`crate::explore::flat::waiting`])
//!   ends, if its run does, in every run in which all threads that can move do: the thread that is
//!   next in that run can do what it does there. All blocks must run together, or none touch what
//!   another does.
//!
//! Fingerprints of 96 bits tell states apart; two of `n` are confused with probability n²/2⁹⁷ at
//! most ([`crate::explore::flat::print`]).

mod graph;
mod host;
mod lasso;
mod scheduled;
mod unfold;

use crate::automaton::{Automaton, Memo, Unfit};
use crate::compiled::compile;
use crate::explore::flat::symmetry::Symmetry;
use crate::explore::flat::walk::Ground;
use crate::explore::lengths::{self, Lengths};
use crate::finding::{DefectKind, Evidence, Finding, Statistics};
use crate::limits::Limits;
use crate::progress::termination::{Termination, TerminationSearch};
use crate::system::ExploredProgram;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::Progress;
use gridlock_semantics::transition::TransitionSystem;
use lasso::Looked;
use scheduled::{FREE, Scheduled};
use std::sync::Arc;
use std::time::{Duration, Instant};
use unfold::Unfolding;

/// States after which the unfinished graph is looked at for the first time.
const FIRST_LOOK: usize = 4_096;
/// Components of an unfinished graph looked at state by state.
const MOST_EARLY: usize = 2;
/// Components of the whole graph looked at state by state.
const MOST_LOOKED_AT: usize = 64;
/// Steps tried between two looks at the clock.
const MOST_STEPS: usize = 8_192;
/// Seconds that are no limit.
const FOR_EVER: f64 = 1e9;

/// Judges the system made by [`ExploredProgram::for_termination`], where it is an automaton.
/// `None`: it is none, or some cycle could neither be ruled out nor shown on the reference.
pub fn judge(system: &ExploredProgram, limits: &Limits) -> Option<TerminationSearch> {
    let setup = &system.system().context().setup;
    if setup.launch.is_none() {
        return host::judge(system, limits);
    }
    let code = compile(system.program());
    let start = system.initial().into_iter().next()?;
    let reference = Arc::new(system.clone());
    let make = |lengths: &Lengths| Automaton::of_blocks(reference.clone(), &code, setup, lengths);
    let first = lengths::first_lengths(system);
    let judged = lengths::as_long_as_needed(make, limits, first, |automaton, _, limits| {
        Ok(judge_launch(system, automaton, &start, limits))
    });
    fit(judged)?
}

fn fit<T>(made: Result<T, Unfit>) -> Option<T> {
    match made {
        Ok(made) => Some(made),
        Err(Unfit(why)) => {
            tracing::debug!("livelock is judged on the reference semantics: {why}");
            None
        }
    }
}

/// Judges one launch that begins in a state of the reference.
fn judge_launch(
    system: &ExploredProgram,
    automaton: &Automaton,
    start: &State,
    limits: &Limits,
) -> Option<TerminationSearch> {
    let started = Instant::now();
    let scheduling = system.profile().axes.termination;
    let privately = lasso::starts_privately(system, start);
    let mut scheduled = Scheduled::new(automaton, scheduling, privately);
    let until = started + Duration::from_secs_f64(limits.seconds.clamp(0.0, FOR_EVER));
    if ends_in_every_order(&scheduled, scheduling.progress) {
        return Some(TerminationSearch {
            answer: Termination::Ends,
            statistics: Statistics {
                states: 1,
                seconds: started.elapsed().as_secs_f64(),
                ..Statistics::default()
            },
        });
    }
    loop {
        let mut search = Search {
            system,
            limits,
            progress: scheduling.progress,
            until,
            between_looks: 1 + MOST_STEPS / scheduled.n_agents() as usize,
            unfolding: Unfolding::new(&scheduled, symmetry(&scheduled), until),
        };
        let answer = search.run();
        if search.unfolding.overran() && scheduled.leaps {
            drop(search);
            scheduled.leaps = false;
            continue;
        }
        let statistics = Statistics {
            states: search.unfolding.n_nodes() as u64,
            transitions: search.unfolding.n_transitions,
            seconds: started.elapsed().as_secs_f64(),
            peak_bytes: search.unfolding.bytes(),
            ..Statistics::default()
        };
        return answer.map(|answer| TerminationSearch { answer, statistics });
    }
}

fn symmetry(scheduled: &Scheduled<'_>) -> Symmetry {
    let automaton = scheduled.automaton;
    let mut symmetry = Symmetry::of(automaton, &automaton.start());
    if !scheduled.blocks_are_alike() {
        symmetry.blocks = (0..automaton.n_blocks()).collect();
    }
    symmetry
}

/// Whether the launch is determinate, and its run ends.
fn ends_in_every_order(scheduled: &Scheduled<'_>, progress: Progress) -> bool {
    let automaton = scheduled.automaton;
    let together = automaton.n_blocks() == 1 || scheduled.places() == [FREE];
    if progress == Progress::Unfair || !automaton.has_only_block_barriers() {
        return false;
    }
    let mut ground = Ground::new(automaton);
    let taken = ground.waiting(automaton, &mut Memo::default(), &automaton.start());
    taken > 0
        && automaton.all_ended(&ground.words)
        && (together || ground.blocks_keep_apart(automaton))
}

struct Search<'a> {
    system: &'a ExploredProgram,
    limits: &'a Limits,
    progress: Progress,
    until: Instant,
    /// States expanded between two looks at the clock.
    between_looks: usize,
    unfolding: Unfolding<'a>,
}

/// What the components of a graph say.
enum Cycles {
    /// None that a run may stay in.
    None,
    Livelock(Finding),
    /// Some could neither be ruled out nor shown.
    Open,
}

impl Search<'_> {
    /// The answer; `None` where there is a cycle about which nothing can be said here.
    fn run(&mut self) -> Option<Termination> {
        if self.unfolding.is_late {
            return self.limit().map(Termination::Cut);
        }
        let mut next_look = FIRST_LOOK;
        while !self.unfolding.is_done() {
            self.unfolding.expand_next();
            if self.unfolding.overran() {
                return None;
            }
            let limit = self.limit();
            if self.unfolding.n_expanded() >= next_look || limit.is_some() {
                next_look = next_look.saturating_mul(2);
                if let Cycles::Livelock(finding) = self.cycles(MOST_EARLY, false) {
                    return Some(Termination::Livelock(finding));
                }
            }
            if let Some(limit) = limit {
                return Some(Termination::Cut(limit));
            }
        }
        if self.unfolding.scheduled.automaton.gave_some_up() {
            return Some(Termination::Cut(crate::limits::ALONE.to_owned()));
        }
        match self.cycles(MOST_LOOKED_AT, true) {
            Cycles::Livelock(finding) => Some(Termination::Livelock(finding)),
            Cycles::Open => None,
            Cycles::None if self.unfolding.is_stuck => Some(Termination::Deadlock),
            Cycles::None => Some(Termination::Ends),
        }
    }

    /// The limit that is reached, in words.
    fn limit(&self) -> Option<String> {
        let (unfolding, limits) = (&self.unfolding, self.limits);
        let states = unfolding.n_nodes() as u64;
        if unfolding.is_full && states <= limits.states {
            return Some("states that can be numbered".to_owned());
        }
        limits.reached(states, unfolding.bytes(), || {
            unfolding.is_late
                || unfolding.n_expanded().is_multiple_of(self.between_looks)
                    && Instant::now() > self.until
        })
    }

    /// What the components so far say: what is there is real, whatever is still to come.
    fn cycles(&self, most: usize, whole: bool) -> Cycles {
        let unfolding = &self.unfolding;
        let n_nodes = unfolding.n_nodes();
        let candidates = unfolding.graph.candidates(n_nodes, self.progress);
        let mut open = candidates.len() > most;
        for component in candidates.iter().take(most) {
            let found = match lasso::look(unfolding, component, self.progress, self.until) {
                Looked::RuledOut => continue,
                Looked::GivenUp => {
                    open = true;
                    continue;
                }
                Looked::Lasso(found) => found,
            };
            let shown = lasso::on_the_reference(self.system, unfolding.scheduled, &found);
            let Some((schedule, cycle)) = shown else {
                open = true;
                continue;
            };
            let can_end = unfolding.graph.can_end_from(component[0], n_nodes);
            return Cycles::Livelock(Finding {
                kind: DefectKind::Livelock,
                schedule,
                evidence: Evidence::Cycle {
                    cycle,
                    // That no end was seen means something only once everything was.
                    can_end: (can_end || whole).then_some(can_end),
                },
            });
        }
        match open {
            true => Cycles::Open,
            false => Cycles::None,
        }
    }
}
