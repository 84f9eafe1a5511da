//! A kernel that fails at every launch as one makes them: it is refuted by what shows there, if a run comes to its end all
//! the same. What only shows at launches that nobody makes, of one thread, say, is told beside it.

use super::judged::Judged;
use super::table::Table;
use super::{conditions, host_code};
use crate::input::deadline::Deadline;
use crate::judge::preconditions::Failing;
use crate::run::trial::{self, Decision};
use crate::subject;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::verdict::{Engine, Reason};
use std::collections::BTreeSet;

/// Takes over the defects of a launch as one makes them, of kinds that were not found before; kinds that do not show there
/// are left open.
pub(super) fn show(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    failing: &Failing,
    deadline: Deadline,
) {
    let Judged {
        prepared,
        point,
        request,
        ..
    } = *entry;
    let program = &prepared.surface;
    let Failing { at, sample } = failing;
    let made = subject::sampled_setup(program, at, at.launch, request.sampling, *sample);
    let Ok(setup) = made else {
        return;
    };
    let trial = trial::run(prepared, &setup, &request.told_to_nobody(), deadline);
    judgement.statistics += trial.statistics;
    let engine = match trial.decision {
        Decision::Decided(engine) => engine,
        Decision::Undecided { .. } => Engine::Explorer,
    };
    let counts = |defect: &Defect| table.asks_about(defect.kind.property());
    let shown: Vec<Defect> = trial.defects.into_iter().filter(counts).collect();
    // What comes after a defect that ends a run was not seen.
    if shown.is_empty() || shown.iter().any(|defect| defect.kind.ends_run()) {
        return;
    }
    let kinds: BTreeSet<DefectKind> = shown.iter().map(|defect| defect.kind).collect();
    let known: BTreeSet<DefectKind> = table.defects().iter().map(|defect| defect.kind).collect();
    // What is known shows in fewer steps.
    for mut defect in shown {
        if !known.contains(&defect.kind) {
            defect.subject = entry.subject;
            table.refute(defect, engine);
        }
    }
    let why = "it shows at a launch that the tool chose, and not at one as one makes them, where another defect does; no \
               condition was found that excludes both";
    let left = table.leave_kinds_open(|kind| !kinds.contains(&kind), Reason::Inconclusive, why);
    for mut defect in left {
        defect.subject = entry.subject;
        conditions::excluded(judgement, program, defect);
    }
    host_code::grade(table, program, point);
}
