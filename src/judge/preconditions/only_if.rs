//! What a refutation hangs on: the same search for a condition, around the launch of one defect, by single
//! runs and with a counted budget, so that every report can have it.

use super::condition::Condition;
use super::judge::{Judge, Outcome};
use super::offer;
use super::pool::{Pool, admissible};
use super::search::{Search, Target};
use super::space::{Point, Space};
use super::under;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::grade::Grade;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::setup::device_limits::{DeviceLimits, static_shared_bytes};
use std::collections::HashSet;

/// Points judged at most.
const POINTS: usize = 260;
/// Values tried of each variable, the others left as they are.
const ALONG: usize = 18;
/// Points beside those that differ from the witness in one variable.
const MORE: usize = 160;
/// Threads of a launch at most, where the witness has no more.
const MOST_THREADS: i64 = 300;
/// Transitions of all runs together, after which no more points are judged.
const STEPS: u64 = 3_000_000;
/// Transitions of one run, at most.
const DEPTH: u64 = 20_000;
/// Seconds for all of it: far beyond what the budget takes, for machines that crawl.
const SECONDS: f64 = 5.0;
/// Dynamic shared memory where its size is not given: it is not what the defect hangs on.
const SHARED_BYTES: u64 = 32 << 10;
/// Shared memory of a block that every device gives.
const MOST_SHARED_BYTES: u64 = 48 << 10;

/// When a defect of a kernel shows: the parts of its grade that say so.
pub fn of_defect(
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    defect: &Defect,
    deadline: Deadline,
) -> Grade {
    let mut grade = Grade::default();
    let Some(witness) = &defect.witness else {
        return grade;
    };
    if !request.profile.admits_canonical_run() || !entry.nulls.is_empty() {
        return grade;
    }
    let declared = static_shared_bytes(&prepared.surface, entry.proc);
    let shared = SHARED_BYTES.min(MOST_SHARED_BYTES.saturating_sub(declared)) as u32;
    let space = Space::around(&prepared.surface, entry, device, shared);
    let Some(here) = under::point_of(&space, &witness.setup) else {
        return grade;
    };
    if !space.varies() {
        return grade;
    }
    let seconds = deadline.left().min(SECONDS);
    let mut search = Search::around(
        Judge::quick(
            prepared,
            &space,
            request,
            (defect.kind, &witness.setup),
            STEPS,
            DEPTH,
        ),
        &space,
        around(&space, prepared, entry, request, device, &here),
        POINTS,
        Deadline::after(seconds),
    );
    let n_certain = search.points.len().min(POINTS);
    search.judge_points((0..n_certain).collect());
    grade.every_choice = every_choice(&search, &space, &here, defect.kind);
    for point in drawn(&space, &here) {
        search.place_of(point);
    }
    if search.judge.contents_matter() {
        return grade;
    }
    search.draw_atoms();
    let Some(settled) = search.settle(Target::Kind(defect.kind)) else {
        return grade;
    };
    if search.judge.contents_matter() {
        return grade;
    }
    let condition = settled.best.condition;
    let is_right = is_consistent(&search, &condition, &here, defect.kind)
        && is_met(
            &search,
            prepared,
            &space,
            request,
            &condition,
            &witness.setup,
        );
    if is_right {
        grade.only_if = Some(condition.text(&space));
        let in_source = condition.in_source(&space);
        grade.requires = in_source.map(|(text, _)| format!("__requires({text});"));
    }
    grade
}

/// Points that differ from one in a single variable, and the launches and arguments that runs try.
fn around(
    space: &Space,
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    here: &Point,
) -> Vec<Point> {
    let mut points = vec![here.clone()];
    for (d, dimension) in space.dimensions.iter().enumerate() {
        if dimension.is_fixed() {
            continue;
        }
        let offers = dimension.offers(true);
        let values = offers.iter().filter_map(|offer| offer.at(&here[..d]));
        let fitting = values.filter(|value| offer::fits(*value, dimension.ty));
        points.extend(fitting.take(ALONG).map(|value| {
            let mut point = here.clone();
            point[d] = value;
            point
        }));
    }
    let program = &prepared.surface;
    let launches = match entry.launch {
        Some(launch) => vec![launch],
        None => subject::launch_ladder(program, entry, device),
    };
    for launch in launches {
        for sample in 0..request.sampling.count.min(3) {
            let setup =
                subject::sampled_setup(program, entry, Some(launch), request.sampling, sample);
            points.extend(setup.ok().and_then(|setup| under::point_of(space, &setup)));
        }
    }
    fitting(space, points, here)
}

/// Points anywhere: to tell conditions apart, and to test the answer on.
fn drawn(space: &Space, here: &Point) -> Vec<Point> {
    let pool = Pool::new(space, MORE);
    let mut points = fitting(space, pool.points, here);
    points.truncate(MORE);
    points
}

fn fitting(space: &Space, points: Vec<Point>, here: &Point) -> Vec<Point> {
    let most = MOST_THREADS.max(space.n_threads(here));
    let mut seen = HashSet::new();
    let fits = |point: &Point| {
        (point == here || admissible(space, point)) && space.n_threads(point) <= most
    };
    let kept = points.into_iter().filter(fits);
    kept.filter(|point| seen.insert(point.clone())).collect()
}

/// Whether the defect shows at its launch with every choice of the arguments that were not given.
fn every_choice(search: &Search, space: &Space, here: &Point, kind: DefectKind) -> Option<bool> {
    let is_there = |point: &Point| {
        let dimensions = space.dimensions.iter().zip(point.iter().zip(here));
        dimensions
            .filter(|(d, _)| d.variable.is_of_launch())
            .all(|(_, (a, b))| a == b)
    };
    let judged = search.points.iter().zip(&search.outcomes);
    let others = judged.filter(|(point, _)| *point != here && is_there(point));
    let (mut shown, mut not) = (0, 0);
    for (_, outcome) in others {
        match outcome {
            Some(Outcome::Fails { kinds }) if kinds.contains(&kind) => shown += 1,
            Some(Outcome::Safe { .. }) => not += 1,
            // Another defect hides it, or the engines could not decide: no evidence.
            _ => {}
        }
    }
    match (shown, not) {
        (0, 0) => None,
        (_, 0) => Some(true),
        _ => Some(false),
    }
}

/// The condition excludes the defect wherever it was seen, and nothing that was safe; and of the launches
/// of which nothing is known no more than of those, because otherwise it is made of what hides the defect.
fn is_consistent(search: &Search, condition: &Condition, here: &Point, kind: DefectKind) -> bool {
    let (mut n_safe, mut n_failing, mut n_unknown) = (0, 0, 0);
    let agrees = |(point, outcome): (&Point, &Option<Outcome>)| match outcome {
        Some(Outcome::Safe { .. }) => {
            n_safe += 1;
            condition.at(point)
        }
        Some(Outcome::Fails { kinds }) if kinds.contains(&kind) => {
            n_failing += 1;
            !condition.at(point)
        }
        Some(Outcome::Unknown { .. }) => {
            n_unknown += usize::from(!condition.at(point));
            true
        }
        _ => true,
    };
    let all = search.points.iter().zip(&search.outcomes).map(agrees);
    let agree = all.fold(true, |all, one| all & one);
    agree && n_safe > 0 && n_unknown <= n_failing && !condition.at(here)
}

/// Runs of the kernel with the condition assumed: the defect's does not count any more, and one of a point
/// that was safe still does.
fn is_met(
    search: &Search,
    prepared: &Prepared,
    space: &Space,
    request: &Request,
    condition: &Condition,
    witness: &Setup,
) -> bool {
    let Some(assumed) = under::assuming(space, Some(condition)) else {
        // No name in the source for what it speaks of.
        return true;
    };
    let limits = Limits {
        depth: DEPTH,
        ..request.limits
    };
    let run =
        |setup: &Setup| canonical::run(&assumed.compiled, setup, &request.profile, &limits).status;
    let is_safe =
        |(_, outcome): &(&Point, &Option<Outcome>)| matches!(outcome, Some(Outcome::Safe { .. }));
    let judged = search.points.iter().zip(&search.outcomes);
    let Some((safe, _)) = judged.into_iter().find(is_safe) else {
        return false;
    };
    let Ok(entry) = space.closed_at(safe) else {
        return false;
    };
    let setup =
        subject::sampled_setup(&prepared.surface, &entry, entry.launch, request.sampling, 0);
    let counts = setup.is_ok_and(|setup| run(&setup) != CanonicalStatus::AssumptionFailed);
    counts && run(witness) == CanonicalStatus::AssumptionFailed
}
