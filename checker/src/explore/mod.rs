//! The explorer: every schedule of one closed configuration.
//!
//! One stateful search loop over any transition system; the frontier (breadth, depth, random) is
//! a parameter of it, and so is the way a state is expanded: fully, or reduced (`Firing::One`
//! only; the argument stands in `explore::reduction`).
//!
//! What it claims: with `complete`, `outcomes` is exactly the set of outcomes over all schedules
//! of the system given, and every deadlock, every fault and every pair of co-enabled conflicting
//! accesses has a finding. Without `complete`, what was found is real and nothing is claimed of
//! the rest. States are identified by 128-bit fingerprints (see `crate::system::fingerprint` for the
//! probability that two states are confused) unless `exact` is asked for.

mod any;
mod collected;
mod cycles;
mod expansion;
mod exploration;
pub(crate) mod flat;
mod frontier;
pub mod graph;
mod launches;
pub(crate) mod lengths;
mod lookahead;
mod options;
mod outcome;
pub(crate) mod pieces;
pub(crate) mod reduction;
mod search;
pub mod stateless;
mod unordered;
pub(crate) mod visited;
mod walk;

pub use any::{explore, explore_threadwise};
pub use flat::checkpoint::{Checkpoint, CheckpointError};
pub use flat::explore_flat;
pub use launches::explore_launches;
pub(crate) use launches::explore_launches_at;

pub use exploration::{Exploration, StatelessCounts};
pub use options::{Engine, ExploreOptions, Strategy};
pub use outcome::{MOST_DEADLOCKS, Outcome, StuckAt};

use crate::automaton::{Automaton, Keeps, Unfit};
use crate::compiled::compile;
use crate::limits::{Limits, too_many_threads};
use crate::order::Remembering;
use crate::order::synchronisation::{Tracked, WeakMemory};
use crate::system::ExploredProgram;
use any::{explore_automaton, explore_reducible};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::{BarrierRule, Firing, Profile};
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::SetupError;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Explores a program from a setup under a profile, on the reference semantics. Operators in the
/// result are those of [`ExploredProgram::program`], the form that runs.
///
/// # Errors
/// The setup does not fit the program.
pub fn explore_program(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    limits: &Limits,
    options: &ExploreOptions,
) -> Result<Exploration, SetupError> {
    if let Some(why) = too_many_threads(setup) {
        return Ok(Exploration::nothing(why));
    }
    let system = ExploredProgram::new(program, setup, profile)?;
    Ok(explore_system(&system, limits, options))
}

/// Runs looked at once more for races that happens-before shows and co-enabledness does not.
const RUNS_LOOKED_AT: usize = 64;

/// [`explore_program`] with a system made before.
///
/// Races are pairs of conflicting accesses possible in one state, and besides what
/// happens-before shows along one run for each outcome (64 at most): a thread's access before its
/// exit, say, which no other access ever stands beside.
pub fn explore_system(
    system: &ExploredProgram,
    limits: &Limits,
    options: &ExploreOptions,
) -> Exploration {
    let exploration = if options.engine == Engine::Stateless {
        stateless::explore(system, limits, options)
    } else if let Some(exploration) = explore_compiled(system, limits, options) {
        exploration
    } else if let Some(exploration) = host_compiled(system, limits, options) {
        exploration
    } else if keeps(system) == Keeps::Order {
        let tracked = Tracked::new(system);
        let mut exploration = explore_reducible(system, &tracked, limits, options);
        exploration.weak_memory = tracked.reasons();
        exploration
    } else if keeps(system) == Keeps::Past {
        explore_reducible(system, &Remembering(system), limits, options)
    } else {
        explore_reducible(system, system, limits, options)
    };
    with_races_along_runs(system, exploration, limits, options)
}

/// [`explore_system`], going on `from` where an earlier search was cut; with a checkpoint where it
/// is cut itself by a limit on states, bytes or seconds. Numbers, and seconds, are those of all
/// searches together.
///
/// # Errors
/// The checkpoint is of another search, or damaged; or searches of this kind keep none.
pub fn explore_system_on(
    system: &ExploredProgram,
    limits: &Limits,
    options: &ExploreOptions,
    from: Option<&Checkpoint>,
) -> Result<(Exploration, Option<Checkpoint>), CheckpointError> {
    if options.engine == Engine::Stateless {
        return Err(CheckpointError::NotKept("the stateless engine"));
    }
    if options.graph {
        return Err(CheckpointError::NotKept("the graph of states"));
    }
    let question = flat::checkpoint::question(system, options);
    let lengths = match from {
        Some(from) => from.lengths()?,
        None => lengths::first_lengths(system),
    };
    let mut from = from;
    let search = |automaton: &Automaton, lengths: &Vec<u64>, limits: &Limits| {
        if automaton.has_warp_operations() {
            return Err(Unfit("warp operations"));
        }
        // Only the first search is the one that was cut.
        let asked = (question, lengths.as_slice());
        let found = flat::explore_on(automaton, limits, options, asked, from.take());
        Ok(found.map(|(mut exploration, checkpoint)| {
            exploration.weak_memory = automaton.reasons();
            (exploration, checkpoint)
        }))
    };
    let found = lengths::with_lengths(system, keeps(system), limits, lengths, search);
    let (exploration, checkpoint) = found.map_err(|Unfit(why)| CheckpointError::NotKept(why))??;
    let exploration = with_races_along_runs(system, exploration, limits, options);
    Ok((exploration, checkpoint))
}

/// The exploration and the races that happens-before shows along its runs.
fn with_races_along_runs(
    system: &ExploredProgram,
    mut exploration: Exploration,
    limits: &Limits,
    options: &ExploreOptions,
) -> Exploration {
    if options.stop_at_first && !exploration.findings.is_empty() {
        return exploration;
    }
    let known = exploration.findings.iter();
    let mut known: BTreeSet<(OpId, OpId)> = known.filter_map(|f| f.evidence.racing()).collect();
    let mut are_whole = true;
    for schedule in exploration.outcomes.values().take(RUNS_LOOKED_AT) {
        let along = crate::order::races_along(system, schedule);
        are_whole &= along.is_whole;
        for finding in along.findings {
            if finding
                .evidence
                .racing()
                .is_some_and(|ops| known.insert(ops))
            {
                exploration.findings.push(finding);
            }
        }
    }
    if !are_whole {
        exploration.complete = false;
        exploration
            .limits_hit
            .push("a run that the reference does not follow to its end".to_owned());
    }
    let mut exploration = with_unordered(system, exploration, &mut known, limits);
    let talk = |schedule| crate::order::launches_talk(system, schedule);
    if exploration
        .outcomes
        .values()
        .take(RUNS_LOOKED_AT)
        .any(|s| talk(s))
    {
        exploration.complete = false;
        exploration
            .limits_hit
            .push("launches that talk to each other while both run".to_owned());
    }
    exploration
}

/// The exploration and, of the accesses that it says nothing orders, the races that some run shows.
/// `known`: the pairs of operators that have a finding.
fn with_unordered(
    system: &ExploredProgram,
    mut exploration: Exploration,
    known: &mut BTreeSet<(OpId, OpId)>,
    limits: &Limits,
) -> Exploration {
    let asks = system.profile().axes.memory.asks_for_synchronisation();
    let unordered = |reason: &WeakMemory| reason.unordered(asks);
    let open = exploration.weak_memory.iter().filter_map(unordered);
    let open: FxHashSet<(OpId, OpId)> = open.filter(|pair| !known.contains(pair)).collect();
    if !open.is_empty() {
        for finding in unordered::shown(system, &open, limits) {
            if finding
                .evidence
                .racing()
                .is_some_and(|ops| known.insert(ops))
            {
                exploration.findings.push(finding);
            }
        }
    }
    let is_open = |reason: &WeakMemory| unordered(reason).is_none_or(|ops| !known.contains(&ops));
    exploration.weak_memory.retain(is_open);
    if !asks {
        // Whether interleaving speaks for the machine is not asked, whether there are races is.
        if exploration
            .weak_memory
            .iter()
            .any(|reason| unordered(reason).is_some())
        {
            exploration.complete = false;
            let what = "accesses of which no run shows whether they are ordered".to_owned();
            exploration.limits_hit.push(what);
        }
        exploration.weak_memory.clear();
    }
    exploration
}

/// Explores the launch as an automaton, where it is one and no more is asked than automata tell.
fn explore_compiled(
    system: &ExploredProgram,
    limits: &Limits,
    options: &ExploreOptions,
) -> Option<Exploration> {
    if options.graph {
        return None;
    }
    lengths::explored(system, keeps(system), limits, |automaton, limits| {
        explore_automaton(automaton, limits, options)
    })
}

/// Explores a host program launch by launch, where that can be done.
fn host_compiled(
    system: &ExploredProgram,
    limits: &Limits,
    options: &ExploreOptions,
) -> Option<Exploration> {
    // Where sets fire, schedules count private steps, and no launch is compiled.
    if !system.profile().admits_canonical_run() {
        return None;
    }
    let code = compile(system.program());
    let reference = Arc::new(system.clone());
    explore_launches(&reference, &code, keeps(system), limits, options)
}

/// What a verdict needs states to keep of the past: the order of all accesses where the profile asks what a
/// machine that is not sequentially consistent may do, and the program's atomics show more than their sum
/// or a barrier orders one memory only; and where ends of threads complete barriers, so that accesses
/// that race need not stand side by side in any state.
fn keeps(system: &ExploredProgram) -> Keeps {
    let axes = &system.profile().axes;
    let judges_synchronisation = axes.memory.asks_for_synchronisation()
        && (system.atomics_show_order() || system.has_partial_barriers());
    let can_keep_order = axes.barrier == BarrierRule::Collective && axes.firing == Firing::One;
    if can_keep_order && (judges_synchronisation || system.ended_threads_hide_races()) {
        Keeps::Order
    } else if system.exchanges_hide_races() || system.ended_lanes_hide_races() {
        Keeps::Past
    } else {
        Keeps::Nothing
    }
}
