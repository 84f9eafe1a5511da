//! Tests that a condition makes pointless. Who writes `if (i < n)` reckons with threads for which it fails; a condition
//! under which it always holds is not what the kernel is written for, it only excuses a defect.

use super::pool::{Pool, admissible};
use super::space::{Point, Space};
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::Ways;
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpId, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Launches tried, those among them that say much at once, and threads of one.
const TRIED: usize = 1_000;
const CORE: usize = 240;
const MOST_THREADS: i64 = 256;
/// Transitions of a thread of one run, and of all runs, of which setting up one counts as so many.
const DEPTH: u64 = 2_000;
const STEPS: u64 = 20_000_000;
const OF_SETUP: u64 = 5_000;
/// Where so many runs decide a test differently for different threads, at least, it is one between threads.
const LEAST_MIXED: u32 = 3;
/// Operators that may stand twice in the program whose tests are looked at.
const MOST_TWICE: usize = 4;
/// How likely it may be that a test which could come out either way never did so where the condition holds.
const DOUBT: f64 = 1e-3;

/// How often runs executed a test, and in how many of them it came out both ways.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    runs: u32,
    mixed: u32,
}

impl Seen {
    fn add(&mut self, ways: &Ways) {
        self.runs += u32::from(ways.held || ways.failed);
        self.mixed += u32::from(ways.held && ways.failed);
    }
}

/// A test of the kernel, with an argument in it, that tells threads of one launch apart at launches that do not meet
/// `requires`, and never where it is met. `assumed` is the kernel with that before it.
pub(crate) fn made_pointless(
    prepared: &Prepared,
    assumed: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
) -> Option<Span> {
    let apart = apart(&prepared.surface, entry.proc);
    let tests = tests_of_arguments(&apart.atomic, entry.proc);
    if tests.is_empty() {
        return None;
    }
    let space = Space::with_usual_shared(&prepared.surface, entry, device);
    let fits = |point: &Point| admissible(&space, point) && space.n_threads(point) <= MOST_THREADS;
    let points = Pool::new(&space, CORE).points;
    // By instruction: where the condition holds, and where it does not.
    let mut seen: HashMap<(usize, OpId), [Seen; 2]> = HashMap::new();
    let mut steps = STEPS;
    for point in points.into_iter().filter(fits).take(TRIED) {
        let Some((is_met, ways)) = run(&apart, assumed, &space, &point, request, &mut steps) else {
            continue;
        };
        if steps == 0 {
            return None;
        }
        let mut all_tell_apart = true;
        for (at, ways) in ways.iter().enumerate() {
            if tests.contains(&ways.op) {
                let seen = seen.entry((at, ways.op)).or_default();
                seen[usize::from(is_met)].add(ways);
                all_tell_apart &= seen[1].mixed > 0;
            }
        }
        // Nothing more can be seen.
        if all_tell_apart {
            return None;
        }
    }
    let is_pointless = |[elsewhere, here]: &[Seen; 2]| {
        let share = f64::from(elsewhere.mixed) / f64::from(elsewhere.runs.max(1));
        let by_chance = (1.0 - share).powf(f64::from(here.runs));
        elsewhere.mixed >= LEAST_MIXED && here.mixed == 0 && by_chance < DOUBT
    };
    let pointless = seen.into_iter().filter(|(_, seen)| is_pointless(seen));
    let pointless = pointless.map(|((_, op), _)| op).min()?;
    Some(apart.compiled.span(pointless))
}

/// The same program with each test of the kernel by itself: `if (a && b)` as `if (a) if (b)`.
fn apart(program: &Program, kernel: ProcId) -> Prepared {
    let mut program = program.clone();
    let procedure = &mut program.procs[kernel.0 as usize];
    procedure.body = with_tests_apart(&procedure.body);
    program.number_operators();
    Prepared::new(program)
}

fn with_tests_apart(op: &Arc<Op>) -> Arc<Op> {
    let kind = match &op.kind {
        OpKind::If {
            cond,
            then,
            otherwise,
        } => {
            let (then, otherwise) = (with_tests_apart(then), with_tests_apart(otherwise));
            return tests(cond, then, otherwise, op.span);
        }
        OpKind::While { cond, body } => OpKind::While {
            cond: cond.clone(),
            body: with_tests_apart(body),
        },
        OpKind::Seq(parts) => OpKind::Seq(parts.iter().map(with_tests_apart).collect()),
        _ => return op.clone(),
    };
    Op::new(kind, op.span)
}

/// One test after the other, where what stands twice then is short.
fn tests(cond: &Expr, then: Arc<Op>, otherwise: Arc<Op>, span: Span) -> Arc<Op> {
    match &cond.kind {
        ExprKind::Binary(BinaryOp::And, a, b) if is_short(&otherwise) => {
            let both = tests(b, then, otherwise.clone(), span);
            tests(a, both, otherwise, span)
        }
        ExprKind::Binary(BinaryOp::Or, a, b) if is_short(&then) => {
            let neither = tests(b, then.clone(), otherwise, span);
            tests(a, then, neither, span)
        }
        _ => {
            let cond = cond.clone();
            let kind = OpKind::If {
                cond,
                then,
                otherwise,
            };
            Op::new(kind, span)
        }
    }
}

fn is_short(op: &Arc<Op>) -> bool {
    let mut n_operators = 0;
    op.walk(&mut |_| n_operators += 1);
    n_operators <= MOST_TWICE
}

/// Whether a launch meets the condition, and which ways its tests go.
fn run(
    prepared: &Prepared,
    assumed: &Prepared,
    space: &Space,
    point: &Point,
    request: &Request,
    steps: &mut u64,
) -> Option<(bool, Vec<Ways>)> {
    let entry = space.closed_at(point).ok()?;
    let setup: Setup =
        subject::sampled_setup(&prepared.surface, &entry, entry.launch, request.sampling, 0)
            .ok()?;
    let limits = Limits {
        depth: DEPTH,
        ..request.limits
    };
    let under = canonical::run(&assumed.compiled, &setup, &request.profile, &limits);
    let is_met = under.status != CanonicalStatus::AssumptionFailed;
    let watched = prepared.compiled.watched();
    let run = canonical::run(&watched, &setup, &request.profile, &limits);
    let taken = under.statistics.transitions + run.statistics.transitions;
    *steps = steps.saturating_sub(taken + 2 * OF_SETUP);
    // The kernel's own assumptions.
    let counts = run.status != CanonicalStatus::AssumptionFailed;
    counts.then(|| (is_met, watched.ways(entry.proc)))
}

/// The tests in whose conditions an argument occurs that is a number, or what is made of one.
fn tests_of_arguments(program: &Program, kernel: ProcId) -> HashSet<OpId> {
    let procedure = program.proc(kernel);
    let scalars = procedure.params.iter().filter(|param| {
        matches!(procedure.vars[param.0 as usize].ty, Type::Scalar(scalar) if scalar.is_integer())
    });
    let mut of_arguments: HashSet<VarId> = scalars.copied().collect();
    let occurs = |of_arguments: &HashSet<VarId>, expr: &Expr| {
        let mut found = false;
        expr.walk(&mut |e| {
            found |= matches!(&e.kind, ExprKind::Var(var) if of_arguments.contains(var));
        });
        found
    };
    loop {
        let before = of_arguments.len();
        procedure.body.walk(&mut |op| {
            if let OpKind::Basic(Basic::Assign { var, value }) = &op.kind
                && occurs(&of_arguments, value)
            {
                of_arguments.insert(*var);
            }
        });
        if of_arguments.len() == before {
            break;
        }
    }
    let mut tests = HashSet::new();
    procedure.body.walk(&mut |op| {
        if let OpKind::If { cond, .. } = &op.kind
            && occurs(&of_arguments, cond)
        {
            tests.insert(op.id);
        }
    });
    tests
}
