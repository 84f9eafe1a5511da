//! What a refutation hangs on: the same search for a condition, around the launch of one defect, by single
//! runs and with a counted budget, so that every report can have it.

use super::again::{self, Established};
use super::condition::Condition;
use super::judge::{Judge, Outcome};
use super::of_host::of_host;
use super::of_use;
use super::offer;
use super::pool::{Pool, admissible};
use super::portable::Portable;
use super::search::Search;
use super::space::{Point, Space};
use super::under;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint, premises};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::grade::Grade;
use gridlock_checker::report::statements::Statements;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::setup::device_limits::DeviceLimits;
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
const SECONDS: f64 = 60.0;

/// Threads of a launch of host code that is taken for evidence, at most.
const MOST_THREADS_OF_HOST: i64 = 1 << 13;

/// What a defect hangs on.
pub struct Hung {
    /// When it shows.
    pub grade: Grade,
    /// What a proof of that assumes.
    pub assumptions: Statements<Assumption>,
    /// The condition that excludes it, over the kernel's variables, where the kernel is of use under it: some launch with
    /// blocks of many threads meets it and changes memory.
    pub requires: Option<Expr>,
    /// The same, for other kernels, if it is a conjunction.
    pub portable: Option<Portable>,
    /// So many launches were tried that it is seen to show wherever anything runs, as at each of them it did.
    pub is_everywhere: bool,
    /// Whether what arrays hold makes a difference at some launch.
    pub contents_matter: bool,
}

/// Launches that fail, where none is safe, after which a defect is taken to show at all.
const EVERYWHERE: usize = 24;
/// Sizes of blocks among them, at least.
const IN_BLOCKS: usize = 6;

/// When a defect of a kernel shows: the parts of its grade that say so.
pub fn of_defect(
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    defect: &Defect,
    deadline: Deadline,
) -> Hung {
    let mut hung = Hung {
        grade: Grade::default(),
        assumptions: Statements::default(),
        requires: None,
        portable: None,
        is_everywhere: false,
        contents_matter: false,
    };
    let established = established(
        prepared, entry, request, device, defect, deadline, &mut hung,
    );
    let Some((found, space, is_of_use)) = established else {
        return hung;
    };
    let mut grade = hung.grade;
    grade.only_if = Some(found.condition.text(&space));
    grade.only_if_held_at = Some(found.held_at as u64);
    grade.only_if_proved = found.is_proved;
    let (text, requires) = found.condition.in_source(&space).unzip();
    grade.requires = text.map(|text| format!("__requires({text});"));
    let is_of_use = is_of_use
        || requires
            .as_ref()
            .is_some_and(|r| is_meant(prepared, entry, device, r));
    let parts = found.condition.conjunction();
    Hung {
        grade,
        portable: parts.map(|parts| Portable::new(&parts, &space)),
        assumptions: found.assumptions,
        requires: requires.filter(|_| is_of_use),
        ..hung
    }
}

/// The condition, with the space that it speaks of, and whether the kernel is of use where it holds.
fn established(
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    defect: &Defect,
    deadline: Deadline,
    hung: &mut Hung,
) -> Option<(Established, Space, bool)> {
    let witness = defect.witness.as_ref()?;
    if !request.profile.admits_canonical_run() || !entry.nulls.is_empty() {
        return None;
    }
    let space = Space::with_usual_shared(&prepared.surface, entry, device);
    let here = under::point_of(&space, &witness.setup)?;
    if !space.varies() {
        return None;
    }
    let seconds = deadline.left().min(SECONDS);
    let mut search = Search::around(
        Judge::quick(prepared, &space, request, defect.kind, STEPS, DEPTH),
        &space,
        around(&space, prepared, entry, request, device, &here),
        POINTS,
        Deadline::after(seconds),
    );
    search.of_host = of_host(&space, prepared, entry, request, device);
    let n_certain = search.points.len().min(POINTS);
    search.judge_points((0..n_certain).collect());
    hung.grade.every_choice = every_choice(&search, &space, &here, defect.kind);
    // Those judged first are the smallest blocks.
    let are_all_judged = search.outcomes.iter().take(n_certain).all(Option::is_some);
    hung.is_everywhere = are_all_judged && is_everywhere(&search, &space);
    let is_small = |point: &&Point| space.n_threads(point) <= MOST_THREADS_OF_HOST;
    let of_host: Vec<Point> = search.of_host.iter().filter(is_small).cloned().collect();
    let of_host = of_host
        .into_iter()
        .map(|point| search.place_of(point))
        .collect();
    search.judge_points(of_host);
    for point in drawn(&space, &here) {
        search.place_of(point);
    }
    hung.contents_matter = search.judge.contents_matter();
    if hung.contents_matter {
        return None;
    }
    search.draw_atoms();
    let n_first = search.points.len();
    let is_fit = |search: &Search, condition: &Condition| {
        is_consistent(search, condition, &here, defect.kind, n_first)
    };
    let found = again::established(&mut search, &space, defect.kind, &here, &is_fit)?;
    let is_met = is_met(
        &search,
        prepared,
        &space,
        request,
        &found.condition,
        &witness.setup,
    );
    let is_of_use = is_met && is_of_use(&search, prepared, &space, request, &found.condition);
    drop(search);
    is_met.then_some((found, space, is_of_use))
}

/// Whether many of the launches tried fail, with blocks of many sizes, and none is safe.
fn is_everywhere(search: &Search, space: &Space) -> bool {
    let judged = || search.points.iter().zip(&search.outcomes);
    let fail = judged().filter(|(_, o)| matches!(o, Some(Outcome::Fails { .. })));
    let sizes: Vec<i64> = fail.map(|(at, _)| space.n_threads_of_block(at)).collect();
    let blocks: HashSet<i64> = sizes.iter().copied().collect();
    let is_safe = |o: &Option<Outcome>| matches!(o, Some(Outcome::Safe { .. }));
    sizes.len() >= EVERYWHERE
        && (blocks.len() >= IN_BLOCKS || !space.varies_in_blocks())
        && !judged().any(|(_, o)| is_safe(o))
}

/// Launches looked at for one where the kernel is of use.
const LOOKED_AT: usize = 12;

/// Whether a launch that was found safe meets the condition, and the kernel is of use there.
fn is_of_use(
    search: &Search,
    prepared: &Prepared,
    space: &Space,
    request: &Request,
    condition: &Condition,
) -> bool {
    let judged = search.points.iter().zip(&search.outcomes);
    let safe = judged.filter(|(_, outcome)| matches!(outcome, Some(Outcome::Safe { .. })));
    let meeting = safe.map(|(point, _)| point).filter(|point| {
        condition.at(point) && space.n_threads_of_block(point) >= of_use::LEAST_THREADS
    });
    meeting.take(LOOKED_AT).any(|point| {
        let entry = space.closed_at(point);
        entry.is_ok_and(|at| of_use::is_of_use(prepared, &at, request))
    })
}

/// Whether a kernel is written for a condition, be it for one thread: the launches of host code say how many threads a
/// block has, and all of them meet it; or none says so, and the kernel has nothing that tells its threads apart.
fn is_meant(
    prepared: &Prepared,
    entry: &EntryPoint,
    device: Option<&DeviceLimits>,
    condition: &Expr,
) -> bool {
    let made = subject::if_all_say_blocks(&prepared.surface, entry, device);
    match made.is_empty() {
        true => !premises::features(&prepared.surface, entry.proc).tells_threads_apart,
        false => made.iter().all(|launch| launch.meets(condition)),
    }
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

/// The condition excludes the defect wherever it was seen, and nothing that was safe; and of the first `n_first` launches,
/// of those of which nothing is known no more than of these, because otherwise it is made of what hides the defect.
fn is_consistent(
    search: &Search,
    condition: &Condition,
    here: &Point,
    kind: DefectKind,
    n_first: usize,
) -> bool {
    let (mut n_safe, mut n_failing, mut n_unknown) = (0, 0, 0);
    let agrees = |(at, (point, outcome)): (usize, (&Point, &Option<Outcome>))| match outcome {
        Some(Outcome::Safe { .. }) => {
            n_safe += 1;
            condition.at(point)
        }
        Some(Outcome::Fails { kinds }) if kinds.contains(&kind) => {
            n_failing += 1;
            !condition.at(point)
        }
        Some(Outcome::Unknown { .. }) => {
            n_unknown += usize::from(at < n_first && !condition.at(point));
            true
        }
        _ => true,
    };
    let judged = search.points.iter().zip(&search.outcomes);
    let all = judged.enumerate().map(agrees);
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
    let is_safe = |(point, outcome): &(&Point, &Option<Outcome>)| {
        matches!(outcome, Some(Outcome::Safe { .. })) && condition.at(point)
    };
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
