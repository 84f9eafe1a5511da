//! The canonical run: one complete schedule, watching for races, barrier divergence and faults.
//!
//! By M1 of the metatheory (`docs/metatheory.md`) a run that finds neither races nor divergence
//! decides every schedule of its input, under profiles with collective barriers, divergence
//! `same-barrier`, granularity `access` and firing `one`: none has a race, a divergence or a fault,
//! and all have the one outcome. That needs atomics whose order cannot show: results unused,
//! integers, one commutative function on each location among all unordered accesses. Otherwise the
//! run says that it is not canonical.
//!
//! Race detection is complete for the run: of each location the last write and enough of the
//! reads and atomics since are kept that whatever is unordered with one of them is found
//! (`shadow`, `watch`). Which operators race there, all of them, a second run names
//! (`names`).

mod alone;
mod arrays;
mod block;
mod blocks;
mod clocks;
mod cutter;
mod findings;
mod host;
mod host_streams;
mod launch;
mod lockstep;
pub(crate) mod machine;
mod names;
mod ordering;
mod owners;
mod parts;
mod readers;
mod rest;
mod result;
pub(crate) mod run;
mod schedule;
mod shadow;
mod side_by_side;
mod step_limit;
mod stepwise;
pub mod streams;
mod trace;
mod warp;
mod watch;
mod wide;

pub use result::{Alone, CanonicalResult, CanonicalStatus, Leak, LockstepRemark, Width};
pub use trace::Moment;

use crate::compiled::Compiled;
use crate::compiled::memory::MAX_UNBOUNDED;
use crate::finding::Statistics;
use crate::limits::Limits;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::transition::Actor;
use names::Names;
use run::{Again, Halt, Run, Untouched};
use std::time::Instant;

/// Runs `setup` once in the canonical order: threads 0, 1, 2, … of a block each to its next
/// barrier or end, block after block. When something is found, runs it once more to record the
/// schedules that show it.
///
/// `limits.depth` bounds the loop iterations of one thread, `limits.seconds` the run that counts, with those
/// given up for it, and each of those that record.
pub fn run(
    compiled: &Compiled,
    setup: &Setup,
    profile: &Profile,
    limits: &Limits,
) -> CanonicalResult {
    run_as(compiled, setup, profile, limits, Width::Auto)
}

/// [`run`], with launches run as `width` says. The result is the same.
pub fn run_as(
    compiled: &Compiled,
    setup: &Setup,
    profile: &Profile,
    limits: &Limits,
    width: Width,
) -> CanonicalResult {
    if stepwise::is_needed(compiled.program(), setup.entry) && profile.admits_canonical_run() {
        return stepwise::run(compiled.program(), setup, profile, limits);
    }
    let started = Instant::now();
    if let Err(status) = run::check_setup(compiled, setup, limits) {
        return nothing_but(status);
    }
    // The launch that races first is enough, if it can be run by itself; else the run has to come to its end.
    let judged = [true, false].into_iter().find_map(|first_race_suffices| {
        let new_run = |untouched| {
            let mut run = Run::new(compiled, setup, profile, limits, untouched);
            run.first_race_suffices = first_race_suffices;
            run
        };
        judged(&new_run, profile, width)
    });
    let mut result = judged.unwrap_or_else(|| nothing_but(unfinished()));
    result.statistics.seconds = started.elapsed().as_secs_f64();
    result
}

fn nothing_but(status: CanonicalStatus) -> CanonicalResult {
    CanonicalResult {
        status,
        observation: None,
        findings: Vec::new(),
        occurrences: Vec::new(),
        statistics: Statistics::default(),
        lockstep_remark: None,
        leaks: Vec::new(),
        wide_launches: 0,
        parted_launches: 0,
        wide_blocks: 0,
        launches: None,
        alone: None,
    }
}

/// Of a run that ended before its end without saying anything.
fn unfinished() -> CanonicalStatus {
    CanonicalStatus::Limit {
        what: crate::limits::LENGTH.to_owned(),
    }
}

/// What the run comes to that `new_run` begins; `None` where it ended with a launch that cannot be run by itself.
fn judged<'a>(
    new_run: &impl Fn(Untouched) -> Run<'a>,
    profile: &Profile,
    width: Width,
) -> Option<CanonicalResult> {
    let width = match profile.admits_canonical_run() {
        true => width,
        false => Width::Narrow,
    };
    let (mut run, outcome) = first(new_run, width);
    let compiled = run.compiled;
    let mut result = nothing_but(CanonicalStatus::Decides);
    result.statistics.transitions = run.transitions;
    result.wide_launches = run.wide_launches;
    result.parted_launches = run.parted_launches;
    result.wide_blocks = run.wide_blocks;
    result.launches = Some(u64::from(run.launch));
    result.lockstep_remark =
        run.lockstep_pair
            .take()
            .map(|(array, first, second)| LockstepRemark {
                array,
                first,
                second,
            });
    result.status = match &outcome {
        Ok(value) => {
            result.observation = Some(run.observe(*value));
            result.leaks = run.leaks(*value);
            result.statistics.executions = 1;
            not_canonical(&mut run, profile).unwrap_or(match run.open_contents.take() {
                Some(why) => CanonicalStatus::DecidesDefects { why },
                None => CanonicalStatus::Decides,
            })
        }
        Err(Halt::Rest { from, what }) => {
            let (from, what) = (*from, what.clone());
            let decides = CanonicalStatus::LaunchesDecide { from, what };
            not_canonical(&mut run, profile).unwrap_or(decides)
        }
        Err(Halt::Fault(_) | Halt::Stuck(_)) => CanonicalStatus::Faulted,
        Err(Halt::Discard) => CanonicalStatus::AssumptionFailed,
        Err(Halt::Cycle(op)) => CanonicalStatus::Cycle {
            why: findings::cycle(compiled.program(), *op),
        },
        Err(Halt::Limit(what)) => CanonicalStatus::Limit { what: what.clone() },
        // Ended behind a race.
        Err(Halt::Enough) if !run.hits.is_empty() => {
            not_canonical(&mut run, profile).unwrap_or(CanonicalStatus::Decides)
        }
        // Is not the end of a run that counts.
        Err(Halt::Again(_) | Halt::Enough) => unfinished(),
    };
    let hits = std::mem::take(&mut run.hits);
    let racy = findings::racy(&hits);
    let mut races = findings::merge(compiled, hits);
    let is_of_host_code = run.setup.launch.is_none();
    let ended_with_a_race =
        matches!(outcome, Err(Halt::Enough)) && run.first_race_suffices && is_of_host_code;
    let ended = match outcome {
        Err(halt @ (Halt::Fault(_) | Halt::Stuck(_))) => Some(halt),
        _ => None,
    };
    let host_hits = run
        .streams
        .as_ref()
        .map_or(Vec::new(), |streams| streams.hits.clone());
    let in_launch = match (races.first(), &ended) {
        (Some(race), _) => Some(race.launch),
        (None, Some(Halt::Fault(fault))) if is_of_host(fault.actor) => None,
        (None, Some(_)) => Some(run.launch),
        (None, None) => None,
    };
    if let Some(launch) = in_launch
        && alone::is_long(&run)
        && let Some(setup) = alone(new_run, launch)
    {
        result.alone = Some(Box::new(Alone { launch, setup }));
        return Some(result);
    }
    if ended_with_a_race {
        return None;
    }
    let mut named = std::mem::take(&mut run.named);
    let mut untouched = run.untouched();
    if !run.unnamed.is_empty() {
        let mut again = new_run(untouched);
        again.watch.names = Some(Names::of(std::mem::take(&mut run.unnamed)));
        // Parts of it that shared nothing share nothing now.
        (again.side_by_side, again.in_order) = (run.side_by_side, run.in_order);
        let _ = whole(&mut again);
        named = std::mem::take(&mut again.named);
        untouched = again.untouched();
    }
    if !races.is_empty() {
        findings::name(compiled, &mut races, named);
    }
    if !races.is_empty() || ended.is_some() || !host_hits.is_empty() || !result.leaks.is_empty() {
        drop(run);
        let mut again = new_run(untouched);
        findings::trace(&mut again, &races, &host_hits);
        again.races_suffice = ended.is_none() && host_hits.is_empty() && result.leaks.is_empty();
        let _ = whole(&mut again);
        findings::add(&mut result, &again, races, racy, ended);
    }
    Some(result)
}

/// Why a run says nothing of other schedules, where it does not.
fn not_canonical(run: &mut Run<'_>, profile: &Profile) -> Option<CanonicalStatus> {
    let why = match profile.admits_canonical_run() {
        true => run.not_canonical.take()?,
        false => format!("the profile {} has other runs", profile.name),
    };
    Some(CanonicalStatus::NotCanonical { why })
}

fn is_of_host(actor: Actor) -> bool {
    matches!(actor, Actor::Host | Actor::HostThread(_))
}

/// What a launch of a host program is given; wide up to there, if nothing is out of the ordinary.
fn alone<'a>(new_run: &impl Fn(Untouched) -> Run<'a>, launch: u32) -> Option<Setup> {
    for width in [Width::Auto, Width::Narrow] {
        let mut again = new_run(Untouched::default());
        again.width = width;
        again.wanted_alone = Some(launch);
        if !matches!(whole(&mut again), Err(Halt::Again(_))) {
            return again.alone;
        }
    }
    None
}

/// The run that counts: wide, if nothing is out of the ordinary, else thread after thread.
fn first<'a>(
    new_run: &impl Fn(Untouched) -> Run<'a>,
    width: Width,
) -> (Run<'a>, Result<Option<Value>, Halt>) {
    // What arrays without extent grew to in runs given up.
    let mut lengths: Vec<(u32, u64)> = Vec::new();
    let mut width = width;
    let mut is_racing = false;
    let mut side_by_side = true;
    let mut in_order = None;
    // What one that is given up has taken, the next does not have.
    let mut deadline = None;
    let mut untouched = Untouched::default();
    loop {
        let mut run = new_run(std::mem::take(&mut untouched));
        run.end_by(*deadline.get_or_insert(run.deadline()));
        run.width = width;
        run.watch.names = is_racing.then(Names::of_all);
        run.side_by_side = is_racing && side_by_side;
        run.in_order = in_order;
        for (array, len) in &lengths {
            if let Err(halt) = run.grow_within_room(false, *array, *len) {
                return (run, Err(halt));
            }
        }
        match whole(&mut run) {
            Err(Halt::Again(Again::Longer { array, len })) => {
                // As long as the launch is wide at once, not to come back often.
                let launch = run.setup.launch;
                let threads = launch.map_or(0, |l| l.n_blocks().saturating_mul(l.n_threads()));
                lengths.push((array, len.max(threads.min(MAX_UNBOUNDED))));
            }
            Err(Halt::Again(again)) => {
                in_order = in_order.or(wide::least_threads(width));
                width = Width::Narrow;
                is_racing = matches!(again, Again::Racing | Again::OneByOne);
                side_by_side &= again != Again::OneByOne;
                untouched = run.untouched();
            }
            outcome => return (run, outcome),
        }
    }
}

/// The whole run: of a kernel, or of a host program; its result. What each costs is in the log (`-vv`).
fn whole(run: &mut Run<'_>) -> Result<Option<Value>, Halt> {
    let result = to_the_end(run);
    let wanted = match run.watch.names {
        Some(_) => "conflicts and their names",
        None => run.watch.sought.name(),
    };
    let transitions = run.transitions;
    let (parted, wide_blocks) = (run.parted_launches, run.wide_blocks);
    tracing::debug!(transitions, wanted, parted, wide_blocks, "complete run");
    result
}

fn to_the_end(run: &mut Run<'_>) -> Result<Option<Value>, Halt> {
    // Checked when the run was set up.
    let Some(code) = run.compiled.entry(run.setup.entry).cloned() else {
        return Err(Halt::Limit(
            "instructions once calls are inlined".to_owned(),
        ));
    };
    match run.setup.launch {
        None => host::run_host(run, &code),
        Some(launch) => {
            let args: Vec<[u64; 2]> = run.setup.args.iter().map(|arg| run.argument(arg)).collect();
            launch::run_launch(run, &code, launch, &args).map(|()| None)
        }
    }
}
