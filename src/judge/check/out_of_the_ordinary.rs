//! Defects for arguments that are out of the ordinary: a size or a stride of -1. They refute nothing, but
//! where one is known the verdict is not that all is well: the property stays open, and the defect is shown.

use super::conditions::in_words;
use super::open_shared;
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::places::places;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::limits::Limits;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::{Condition, Judgement};
use gridlock_checker::verdict::{Property, Reason};
use gridlock_checker::{canonical, replay};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Launch, Setup};

/// Arguments tried at most.
const MOST_ARGUMENTS: usize = 6;
/// Transitions of one run, at most.
const DEPTH: u64 = 20_000;
/// The launch where none is given: it has more than one block and more than one thread, and is small.
const LAUNCH: ([u32; 3], [u32; 3]) = ([2, 1, 1], [4, 1, 1]);

/// Takes over a confirmed defect as a condition of the report, and leaves its property open.
pub(super) fn note_defect(
    table: &mut Table,
    judgement: &mut Judgement,
    program: &Program,
    defect: Defect,
) {
    let property = defect.kind.property();
    if !table.asks_about(property) || table.is_refuted_of(property) {
        return;
    }
    let setup = defect.witness.as_ref().map(|w| &w.setup);
    let launch = setup.map_or(String::new(), |setup| in_words(program, setup));
    let why = format!(
        "for arguments or contents out of the ordinary there is a defect ({}), shown below as a \
         condition",
        defect.kind.name()
    );
    table.take_back(property, Reason::Inconclusive, why);
    judgement.conditions.push(Condition {
        subject: defect.subject,
        launch,
        source: None,
        requires: None,
        status: None,
        defect,
    });
}

/// Tries -1 for each argument that is a size rather than a place, where samples found a property to hold.
pub(super) fn attempt(
    table: &mut Table,
    judgement: &mut Judgement,
    subject_index: usize,
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    deadline: Deadline,
) {
    let program = &prepared.surface;
    let procedure = program.proc(point.proc);
    if procedure.kind != ProcKind::Kernel
        || table.passed().is_empty()
        || !request.profile.admits_canonical_run()
    {
        return;
    }
    let places = places(program, point.proc);
    let is_size = |var: &&VarId| match procedure.vars[var.0 as usize].ty {
        Type::Scalar(ty) => {
            ty.is_integer()
                && ty.is_signed()
                && !places.contains(var)
                && !point.scalars.contains_key(var)
        }
        Type::Pointer(_) => false,
    };
    for &var in procedure.params.iter().filter(is_size).take(MOST_ARGUMENTS) {
        let passed = table.passed();
        let Some(setup) = with_minus_one(program, point, request, var) else {
            continue;
        };
        if passed.is_empty() || deadline.left() <= 0.0 {
            return;
        }
        for mut defect in defects(prepared, &setup, request, deadline, &passed) {
            if open_shared::is_beyond_guess(&defect, program, point) {
                continue;
            }
            defect.subject = subject_index;
            note_defect(table, judgement, program, defect);
        }
    }
}

/// The first sample with one argument of -1; `None` where its assumptions or extents do not allow it.
fn with_minus_one(
    program: &Program,
    point: &EntryPoint,
    request: &Request,
    var: VarId,
) -> Option<Setup> {
    let (grid, block) = LAUNCH;
    let usual = Launch {
        grid,
        block,
        shared_bytes: point.shared_bytes.unwrap_or(16 << 10),
    };
    let ty = program.proc(point.proc).vars[var.0 as usize].ty.scalar()?;
    let mut fixed = point.clone();
    fixed.scalars.insert(var, Value::int(ty, -1));
    let launch = Some(point.launch.unwrap_or(usual));
    subject::sampled_setup(program, &fixed, launch, request.sampling, 0).ok()
}

/// Confirmed defects of one run that refute what is said to hold, one of each property.
fn defects(
    prepared: &Prepared,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
    passed: &[Property],
) -> Vec<Defect> {
    let limits = Limits {
        depth: DEPTH,
        seconds: deadline.left(),
        ..request.limits
    };
    let run = canonical::run(&prepared.compiled, setup, &request.profile, &limits);
    let mut found: Vec<Defect> = Vec::new();
    for finding in run.findings {
        let property = finding.kind.property();
        if !passed.contains(&property) || found.iter().any(|d| d.kind.property() == property) {
            continue;
        }
        let (program, profile) = (&prepared.surface, &request.profile);
        let shown = replay::defect_in_time(program, setup, profile, &finding, deadline.end);
        found.extend(shown.ok());
    }
    found
}
