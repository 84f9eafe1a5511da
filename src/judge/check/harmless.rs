//! Whether races are harmless: every thread writes the same value, or what is left in memory is the same
//! whichever comes first. Said only where every input and schedule explored shows it; the verdict stays.

use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::judge::preconditions::ops_of;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::canonical;
use gridlock_checker::explore::{self, ExploreOptions, Outcome};
use gridlock_checker::finding::{DefectKind, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::report::grade::Benign;
use gridlock_semantics::algebra::operator::{OpId, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::SameValueWrites;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use gridlock_semantics::setup::{Launch, Setup};
use std::collections::BTreeSet;

/// Launches with more threads in all are not explored; one run of each is looked at.
const MOST_THREADS: u64 = 8;
/// States for one input, at most.
const STATES: u64 = 20_000;
/// Transitions of one run of a larger launch.
const DEPTH: u64 = 20_000;
/// Seconds for all of it: the states are what counts.
const SECONDS: f64 = 5.0;

/// Grades the races that were found.
pub(super) fn grade(
    table: &mut Table,
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    deadline: Deadline,
) {
    let is_race = |kind: DefectKind| kind == DefectKind::DataRace;
    let races = table.defects_mut().iter().filter(|d| is_race(d.kind));
    let witnesses: Vec<Setup> = races
        .filter_map(|d| d.witness.as_ref().map(|w| w.setup.clone()))
        .collect();
    // What a bit-field's neighbours lose in a race is not followed.
    let has_bits = writes_back(&prepared.surface);
    if witnesses.is_empty() || has_bits || !request.profile.admits_canonical_run() {
        return;
    }
    let Some((benign, same_output)) =
        explored(prepared, point, request, device, deadline, witnesses)
    else {
        return;
    };
    for defect in table.defects_mut().iter_mut().filter(|d| is_race(d.kind)) {
        defect.grade.benign = benign.then_some(Benign::SameValue);
        defect.grade.reaches_output = same_output.then_some(false);
    }
}

/// Whether something writes bit-fields in memory.
fn writes_back(program: &Program) -> bool {
    let mut found = false;
    for (_, op) in program.operators() {
        found |= matches!(&op.kind, OpKind::Basic(basic) if basic.writes_back());
    }
    found
}

/// Whether all inputs explored show that unordered writes are of one value, and that what is left in memory
/// is the same under every schedule. `None`: nothing is claimed.
fn explored(
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    deadline: Deadline,
    witnesses: Vec<Setup>,
) -> Option<(bool, bool)> {
    let mut tolerant = request.clone();
    tolerant.profile.axes.same_value_writes = SameValueWrites::Benign;
    tolerant.limits.states = request.limits.states.min(STATES);
    let deadline = Deadline::after(deadline.left().min(SECONDS));
    let (mut benign, mut same_output) = (true, true);
    let (mut all_pairs, mut explored_pairs) = (BTreeSet::new(), BTreeSet::new());
    let setups = setups(prepared, point, request, device, witnesses);
    // Races that are explored at no launch are claimed nothing of, whatever runs of larger ones show.
    if !setups.iter().any(is_explored) {
        return None;
    }
    for setup in setups {
        if deadline.left() <= 0.0 || !benign && !same_output {
            return None;
        }
        let pairs = races_of_one_run(prepared, &setup, request, deadline);
        all_pairs.extend(pairs.iter().cloned());
        if !is_explored(&setup) {
            benign &= races_of_one_run(prepared, &setup, &tolerant, deadline).is_empty();
            continue;
        }
        let limits = Limits {
            seconds: deadline.left(),
            ..tolerant.limits
        };
        let options = ExploreOptions::default();
        let (program, profile) = (&prepared.surface, &tolerant.profile);
        let exploration =
            explore::explore_program(program, &setup, profile, &limits, &options).ok()?;
        let is_race = |finding: &Finding| finding.kind == DefectKind::DataRace;
        // What ends runs hides what would come of them.
        if !exploration.complete || !exploration.findings.iter().all(is_race) {
            return None;
        }
        let outcomes = &exploration.outcomes;
        // Its assumptions leave nothing of it.
        if outcomes.is_empty() {
            continue;
        }
        explored_pairs.extend(pairs);
        benign &= exploration.findings.is_empty();
        let is_left = |outcome: &Outcome| matches!(outcome, Outcome::Observation(_));
        same_output &= outcomes.len() == 1 && outcomes.keys().all(is_left);
    }
    // Races that larger launches show must have been explored in small ones.
    let are_explored = !all_pairs.is_empty() && all_pairs.is_subset(&explored_pairs);
    are_explored.then_some((benign, same_output))
}

/// Whether every schedule of a launch is explored, not one run of it alone.
fn is_explored(setup: &Setup) -> bool {
    let launch = setup.launch.as_ref();
    let n_threads = launch.map_or(0, |l| l.n_blocks().saturating_mul(l.n_threads()));
    n_threads <= MOST_THREADS
}

/// Where the races were seen, and the inputs that runs try.
fn setups(
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    witnesses: Vec<Setup>,
) -> Vec<Setup> {
    let program = &prepared.surface;
    let launches: Vec<Launch> = match point.launch {
        Some(launch) => vec![launch],
        None => subject::launch_ladder(program, point, device),
    };
    let mut all = witnesses;
    for launch in launches {
        for sample in 0..request.sampling.count.min(3) {
            let setup =
                subject::sampled_setup(program, point, Some(launch), request.sampling, sample);
            all.extend(setup.ok());
        }
    }
    all
}

/// The races of the canonical run, each by its two operators.
fn races_of_one_run(
    prepared: &Prepared,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
) -> BTreeSet<Vec<OpId>> {
    let limits = Limits {
        depth: DEPTH,
        seconds: deadline.left(),
        ..request.limits
    };
    let run = canonical::run(&prepared.compiled, setup, &request.profile, &limits);
    let races = run
        .findings
        .iter()
        .filter(|f| f.kind == DefectKind::DataRace);
    races.map(ops_of).collect()
}
