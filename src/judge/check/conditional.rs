//! A kernel whose launch nobody gave, with a defect at one that the tool chose: whether it is right under the conditions
//! that exclude what was found. They are assumed at its start, and it is judged again.

use super::conditions;
use super::established::established;
use super::grades::{self, Hanging};
use super::judged::{Judged, empty_judgement};
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::judge::preconditions;
use crate::words::sentences::{all_of, note};
use gridlock_checker::report::Judgement;
use gridlock_checker::report::defect::Defect;
use gridlock_semantics::algebra::expr::{Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;

/// How often what is found under a condition is excluded by a further one.
const ROUNDS: usize = 3;
/// Seconds for judging again, at most.
const SECONDS: f64 = 20.0;

/// Where the defects of the table hang on launches and arguments that nobody gave, what the kernel comes to under the
/// conditions that exclude them, if all that is refuted is right there. Else all stays as it is.
pub(super) fn attempt(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    hanging: Hanging,
    deadline: Deadline,
) -> Result<(), InputError> {
    let Judged {
        prepared,
        point,
        request,
        device,
        ..
    } = *entry;
    let is_open = request.conditional && point.launch.is_none() && table.has_refutation();
    let Some(mut requires) = hanging.requires.filter(|_| is_open) else {
        return Ok(());
    };
    let of_launch = says_which_launches(&prepared.surface, point.proc);
    if of_launch && requires.iter().any(is_about_launch) {
        return Ok(());
    }
    let deadline = Deadline::after(deadline.left().min(SECONDS));
    let quiet = request.told_to_nobody();
    let mut behind: Vec<Defect> = Vec::new();
    for _ in 0..ROUNDS {
        let kernel = point.proc;
        let assumed = preconditions::requiring(&prepared.surface, kernel, requires.clone());
        let Some(assumed) = assumed else {
            return Ok(());
        };
        let again = Judged {
            prepared: &assumed,
            request: &quiet,
            ..*entry
        };
        let mut found = empty_judgement(&quiet);
        let (mut under, _) = established(&mut found, &again, deadline, &[])?;
        judgement.statistics += found.statistics;
        if under.has_refutation() {
            let more = grades::hang_on(&mut under, &assumed, point, &quiet, device, deadline);
            let Some(more) = more.requires.filter(|more| !more.is_empty()) else {
                return Ok(());
            };
            if of_launch && more.iter().any(is_about_launch) {
                return Ok(());
            }
            requires.extend(more);
            behind.extend(under.take_defects());
            continue;
        }
        // What is not known to be right there stays refuted.
        if !table.is_right_under(&under) {
            return Ok(());
        }
        // Defects for arguments out of the ordinary, and what was cut.
        judgement.conditions.extend(found.conditions);
        for limit in found.limits_hit {
            note(&mut judgement.limits_hit, limit);
        }
        judgement.assumptions.extend(found.assumptions);
        judgement.remarks.extend(found.remarks);
        let mut said: Vec<String> = Vec::new();
        for defect in table.defects().iter().chain(&behind) {
            let text = defect.grade.only_if.clone().unwrap_or_default();
            if !said.contains(&text) {
                said.push(text);
            }
        }
        let excluded = table.under_condition(under, &all_of(&said));
        for mut defect in excluded {
            defect.subject = entry.subject;
            conditions::excluded(judgement, &prepared.surface, defect);
        }
        for mut defect in behind {
            defect.subject = entry.subject;
            conditions::excluded(judgement, &prepared.surface, defect);
            // It is a run of the kernel with a condition before it, which is in no file.
            if let Some(condition) = judgement.conditions.last_mut() {
                condition.defect.witness = None;
            }
        }
        return Ok(());
    }
    Ok(())
}

/// Whether the source says which launches a kernel is meant for, by launch bounds or an assumption: one of them with a
/// defect refutes it.
fn says_which_launches(program: &Program, kernel: ProcId) -> bool {
    let procedure = program.proc(kernel);
    let mut found = procedure.most_threads.is_some();
    procedure.body.walk(&mut |op| {
        if let OpKind::Basic(Basic::Assume { cond }) = &op.kind {
            found |= is_about_launch(cond);
        }
    });
    found
}

fn is_about_launch(cond: &Expr) -> bool {
    let mut found = false;
    cond.walk(&mut |e| {
        found |= matches!(
            e.kind,
            ExprKind::Builtin(Builtin::BlockDim(_) | Builtin::GridDim(_))
        );
    });
    found
}
