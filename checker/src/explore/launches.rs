//! Host programs whose launches are explored one by one, each compiled.
//!
//! A host without streams and branches waits for each launch, so a run of the program is a run of
//! the host up to a launch, a run of that launch by itself, and so on: what a launch leaves for
//! the host is its memory. The search here is over the states between; its steps through a launch
//! are the outcomes of a search of that launch ([`crate::automaton`]), each led through the
//! reference to the state it ends in. So states after launches, and what happens to the host, are
//! the reference's own.

use crate::automaton::{Automaton, Keeps, is_fresh};
use crate::compiled::Compiled;
use crate::explore::any::explore_automaton;
use crate::explore::expansion::{Edge, Expander, Expansion, FaultSeen, Full, RaceSeen};
use crate::explore::exploration::Exploration;
use crate::explore::options::ExploreOptions;
use crate::explore::outcome::Outcome;
use crate::explore::search;
use crate::explore::walk::Walk;
use crate::finding::{Evidence, ScheduleStep};
use crate::limits::Limits;
use crate::order::synchronisation::WeakMemory;
use crate::system::ExploredProgram;
use crate::system::follow::Run;
use gridlock_semantics::host::State;
use gridlock_semantics::transition::TransitionSystem;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Steps of the host before a state of it is kept.
const HOST_BOUND: u32 = 2_000;

/// Called with the state of each launch that is explored.
type AtLaunch<'a> = &'a (dyn Fn(&State) + Sync);

struct Launches<'a> {
    system: &'a Arc<ExploredProgram>,
    compiled: &'a Compiled,
    limits: &'a Limits,
    options: &'a ExploreOptions,
    keeps: Keeps,
    started: Instant,
    at_launch: AtLaunch<'a>,
    seen: Mutex<Seen>,
}

/// What the searches of launches say besides.
#[derive(Default)]
struct Seen {
    states: u64,
    transitions: u64,
    peak_bytes: u64,
    cycle: bool,
    limits_hit: Vec<String>,
    weak_memory: BTreeSet<WeakMemory>,
    /// A launch is no automaton, or its schedules could not be followed.
    unfit: bool,
}

/// Explores a host program launch by launch; `None` where some launch, or the host, is not of the
/// kind described above. `compiled` is the system's program.
pub fn explore_launches(
    system: &Arc<ExploredProgram>,
    compiled: &Compiled,
    keeps: Keeps,
    limits: &Limits,
    options: &ExploreOptions,
) -> Option<Exploration> {
    let (mut exploration, of_launches) =
        explore_launches_at(system, compiled, keeps, limits, options, &|_| {})?;
    exploration.cycle |= of_launches;
    Some(exploration)
}

/// [`explore_launches`], calling `at_launch` with the state of each launch; in the result it is said only
/// whether the host has a cycle, and beside it whether a launch does.
pub(crate) fn explore_launches_at(
    system: &Arc<ExploredProgram>,
    compiled: &Compiled,
    keeps: Keeps,
    limits: &Limits,
    options: &ExploreOptions,
    at_launch: AtLaunch<'_>,
) -> Option<(Exploration, bool)> {
    let context = system.system().context();
    if context.setup.launch.is_some() || context.asynchronous || options.graph {
        return None;
    }
    let launches = Launches {
        system,
        compiled,
        limits,
        options,
        keeps,
        started: Instant::now(),
        at_launch,
        seen: Mutex::default(),
    };
    let why = (!options.reduction).then(|| "no reduction was asked for".to_owned());
    let mut exploration = search::search(&**system, &launches, limits, options, why);
    let seen = launches.seen.into_inner();
    let seen = seen.unwrap_or_else(PoisonError::into_inner);
    if seen.unfit {
        return None;
    }
    exploration.statistics.states += seen.states;
    exploration.statistics.transitions += seen.transitions;
    let peak = &mut exploration.statistics.peak_bytes;
    *peak = (*peak).max(seen.peak_bytes);
    exploration.weak_memory = seen.weak_memory.into_iter().collect();
    if !seen.limits_hit.is_empty() {
        exploration.complete = false;
        exploration.limits_hit = seen.limits_hit;
    }
    Some((exploration, seen.cycle))
}

impl Expander<State> for Launches<'_> {
    fn expand(&self, state: &State, _: bool) -> Expansion<State> {
        match &state.device {
            Some(grid) if is_fresh(grid) => self.through(state).unwrap_or_else(|| {
                self.seen().unfit = true;
                Expansion::cut()
            }),
            Some(grid) if !grid.is_final() => Full(&**self.system).expand(state, false),
            _ => self.host(state),
        }
    }
}

impl Launches<'_> {
    fn seen(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The host, from where a launch has ended or nothing runs, until it begins a launch, ends or
    /// faults.
    fn host(&self, state: &State) -> Expansion<State> {
        let mut walk = Walk::from(state);
        let mut found = Vec::new();
        let launched = |state: &State| state.device.as_ref().is_some_and(|grid| !grid.is_final());
        while walk.n_transitions < HOST_BOUND && !launched(&walk.state) {
            found.clear();
            self.system.successors(&walk.state, &mut found);
            if found.len() > 1 {
                self.seen().unfit = true;
                return Expansion::cut();
            }
            match found.pop() {
                Some((label, next))
                    if label.fault.is_none() && !self.system.is_discarded(&next) =>
                {
                    walk.take(&label, next, 0);
                }
                _ => break,
            }
        }
        if walk.n_transitions == 0 {
            return Full(&**self.system).expand(state, false);
        }
        Expansion {
            edges: vec![walk.into_edge("host".to_owned())],
            ..Expansion::default()
        }
    }

    /// The ways through a launch that has just begun.
    fn through(&self, state: &State) -> Option<Expansion<State>> {
        (self.at_launch)(state);
        let system = self.system.clone();
        let automaton = Automaton::of_state(system, self.compiled, state, self.keeps).ok()?;
        let limits = Limits {
            states: self.limits.states.saturating_sub(self.seen().states),
            seconds: self.limits.seconds - self.started.elapsed().as_secs_f64(),
            ..*self.limits
        };
        let found = explore_automaton(&automaton, &limits, self.options);
        let mut seen = self.seen();
        // The first state and those at the end are states of the search between launches too.
        let ends = found.outcomes.len() + found.deadlocks.len();
        seen.states += found.statistics.states.saturating_sub(1 + ends as u64);
        seen.transitions += found.statistics.transitions;
        seen.peak_bytes = seen.peak_bytes.max(found.statistics.peak_bytes);
        seen.cycle |= found.cycle;
        seen.weak_memory.extend(found.weak_memory);
        for limit in &found.limits_hit {
            if !seen.limits_hit.contains(limit) {
                seen.limits_hit.push(limit.clone());
            }
        }
        drop(seen);
        let mut expansion = Expansion {
            cut: !found.complete,
            goes_on: true,
            ..Expansion::default()
        };
        for (outcome, schedule) in &found.outcomes {
            match outcome {
                Outcome::Observation(_) => {
                    let run = self.led(state, schedule)?;
                    if !run.state.device.as_ref()?.is_final() {
                        return None;
                    }
                    expansion.edges.push(edge(schedule, run.state));
                }
                Outcome::Fault { .. } => {
                    let mut run = Run::new(self.system, state.clone());
                    run.follow(schedule).ok()?;
                    expansion.faults.push(FaultSeen {
                        fault: run.fault()?.clone(),
                        schedule: schedule.clone(),
                    });
                }
                Outcome::Deadlock => {}
            }
        }
        for stuck in &found.deadlocks {
            let run = self.led(state, &stuck.schedule)?;
            expansion.edges.push(edge(&stuck.schedule, run.state));
        }
        for finding in found.findings {
            if let Evidence::Race { first, second } = finding.evidence {
                expansion.races.push(RaceSeen {
                    first,
                    second,
                    schedule: finding.schedule,
                });
            }
        }
        Some(expansion)
    }

    /// The reference after a schedule of a launch.
    fn led(&self, state: &State, schedule: &[ScheduleStep]) -> Option<Run<'_>> {
        let mut run = Run::without_history(self.system, state.clone());
        run.follow(schedule).ok()?;
        run.settle_everyone();
        Some(run)
    }
}

fn edge(schedule: &[ScheduleStep], to: State) -> Edge<State> {
    Edge {
        schedule: schedule.to_vec(),
        n_transitions: 1,
        label: "launch".to_owned(),
        to,
    }
}
