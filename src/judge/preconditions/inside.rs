//! Pointers into arrays. An argument is taken to point to the first element of its array, and what a kernel accesses before it
//! is outside. A kernel that is meant for the inside of a larger array (the elements around it are a border, or a sentinel)
//! accesses a fixed number of elements before: then it is asked that there be so many.
//!
//! Of a kernel whose arguments point so far into their arrays only where they point differs: it is the kernel that moves them
//! there first.

use super::under::beginning_with;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::canonical;
use gridlock_checker::finding::{DefectKind, Evidence, Finding};
use gridlock_checker::limits::Limits;
use gridlock_checker::report::defect::Defect;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::analysis::reached::reached;
use gridlock_semantics::setup::{Launch, Setup};
use gridlock_semantics::transition::fault::FaultKind;
use std::collections::BTreeMap;

/// Elements before the first, at most.
const MOST: i64 = 64;

/// Blocks, and threads of each, of runs that look for accesses further before.
const LARGER: [[u32; 2]; 2] = [[1, 64], [3, 32]];
/// Transitions of a thread of one.
const DEPTH: u64 = 20_000;
/// Seconds that one may take even where none are left.
const LEAST_SECONDS: f64 = 0.2;

/// How many elements the arrays have before those that arguments point to.
pub(crate) type Inside = BTreeMap<VarId, i64>;

/// With what these defects need: each access before the first element of an argument of which nobody said how many it has, as
/// long as the kernel speaks of that number.
pub(super) fn needed(
    program: &Program,
    entry: &EntryPoint,
    known: &Inside,
    defects: &[Defect],
) -> Inside {
    let mut needed = known.clone();
    for defect in defects {
        let Some((var, before)) = access_before(program, entry.proc, defect) else {
            continue;
        };
        let whole = before.saturating_add(known.get(&var).copied().unwrap_or(0));
        let is_open = !entry.extents.contains_key(&var);
        if is_open && whole <= MOST && speaks_of(program, entry.proc, whole) {
            let most = needed.entry(var).or_insert(whole);
            *most = whole.max(*most);
        }
    }
    needed
}

/// Whether a defect is an access to elements that there are then.
pub(super) fn excludes(
    program: &Program,
    kernel: ProcId,
    inside: &Inside,
    defect: &Defect,
) -> bool {
    let access = access_before(program, kernel, defect);
    access.is_some_and(|(var, before)| inside.get(&var).is_some_and(|&there| before <= there))
}

/// The kernel with arguments that point so far into their arrays.
pub(super) fn moved(program: &Program, kernel: ProcId, inside: &Inside) -> Option<Prepared> {
    let procedure = program.proc(kernel);
    let moves = inside.iter().map(|(&var, &before)| {
        let ty = procedure.vars[var.0 as usize].ty;
        let value = Expr::offset(Expr::var(var, ty), Expr::int(ScalarType::I64, before));
        Op::basic(Basic::Assign { var, value }, procedure.span)
    });
    beginning_with(program, kernel, moves.collect())
}

/// Whether a defect is an access that there would be nothing wrong with if the argument pointed further into its array: in
/// runs of the kernel that moves it there, none is before the first element.
pub(crate) fn hangs_on_start(
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    defect: &Defect,
    deadline: Deadline,
) -> bool {
    let program = &prepared.atomic;
    let needed = needed(program, entry, &Inside::new(), std::slice::from_ref(defect));
    let Some(witness) = defect.witness.as_ref().filter(|_| !needed.is_empty()) else {
        return false;
    };
    let Some(moved) = moved(program, entry.proc, &needed) else {
        return false;
    };
    let limits = Limits {
        seconds: deadline.left().max(LEAST_SECONDS),
        depth: DEPTH,
        ..request.limits
    };
    let is_right = |setup: &Setup| {
        let run = canonical::run(&moved.compiled, setup, &request.profile, &limits);
        let is_before = |finding: &Finding| match &finding.evidence {
            Evidence::Fault(fault) => {
                matches!(fault.kind, FaultKind::OutOfBounds { index, .. } if index < 0)
            }
            _ => false,
        };
        !run.findings.iter().any(is_before)
    };
    // Launches of one thread say little.
    let mut larger = LARGER.iter().flat_map(|&[grid, block]| {
        let launch = Launch {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes: witness.setup.launch.map_or(0, |l| l.shared_bytes),
        };
        let sampling = request.sampling;
        let setup =
            move |sample| subject::sampled_setup(program, entry, Some(launch), sampling, sample);
        (0..sampling.count).filter_map(move |sample| setup(sample).ok())
    });
    is_right(&witness.setup) && larger.all(|setup| is_right(&setup))
}

/// How far an argument would have to point into its array for there to be nothing wrong with the access at which a run ended.
pub(super) fn needed_by(
    program: &Program,
    entry: &EntryPoint,
    finding: &Finding,
) -> Option<Inside> {
    let Evidence::Fault(fault) = &finding.evidence else {
        return None;
    };
    let FaultKind::OutOfBounds { array, index, .. } = &fault.kind else {
        return None;
    };
    let before = index.checked_neg().filter(|n| (1..=MOST).contains(n))?;
    let var = argument(program, entry.proc, array)?;
    let is_open = !entry.extents.contains_key(&var) && speaks_of(program, entry.proc, before);
    is_open.then(|| Inside::from([(var, before)]))
}

/// In words, an array each.
pub(super) fn in_words(program: &Program, kernel: ProcId, inside: &Inside) -> Vec<String> {
    let each = inside.iter().map(|(var, &n)| {
        let name = &program.proc(kernel).vars[var.0 as usize].name;
        let there = match n {
            1 => "is an element".to_owned(),
            n => format!("are {n} elements"),
        };
        format!("there {there} before what {name} points to")
    });
    each.collect()
}

/// Which argument is accessed before its first element, and how far.
fn access_before(program: &Program, kernel: ProcId, defect: &Defect) -> Option<(VarId, i64)> {
    if defect.kind != DefectKind::OutOfBounds {
        return None;
    }
    let before = defect.index?.checked_neg().filter(|before| *before > 0)?;
    Some((argument(program, kernel, defect.array.as_deref()?)?, before))
}

/// The argument that points to an array.
fn argument(program: &Program, kernel: ProcId, array: &str) -> Option<VarId> {
    let procedure = program.proc(kernel);
    let mut params = procedure.params.iter();
    let is_it = |var: &&VarId| {
        let decl = &procedure.vars[var.0 as usize];
        matches!(decl.ty, Type::Pointer(_)) && *array == *decl.name
    };
    params.find(is_it).copied()
}

/// Whether a number stands in the code of a kernel, with whichever sign.
fn speaks_of(program: &Program, kernel: ProcId, number: i64) -> bool {
    let mut found = false;
    for proc in reached(program, kernel) {
        program.proc(proc).body.walk(&mut |op| {
            for expression in op.expressions() {
                expression.walk(&mut |e| {
                    if let ExprKind::Const(value) = &e.kind
                        && let Some(n) = value.as_integer()
                    {
                        found |= n.unsigned_abs() == u128::from(number.unsigned_abs());
                    }
                });
            }
        });
    }
    found
}
