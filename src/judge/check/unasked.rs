//! Defects at launches that the tool chose, where no time was left to ask what they hang on.

use super::conditions;
use super::grades;
use super::judged::Judged;
use super::table::Table;
use crate::input::request::Request;
use crate::subject::EntryPoint;
use crate::words::sentences::note;
use gridlock_checker::limits;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::program::{ProcKind, Program};

/// What a kernel comes to whose judgement ends before it is asked what its defects hang on.
pub(super) fn leave_defects_open(
    table: &mut Table,
    judgement: &mut Judgement,
    point: &EntryPoint,
    request: &Request,
    program: &Program,
) {
    let is_kernel = program.proc(point.proc).kind == ProcKind::Kernel;
    let is_open = is_kernel && request.conditional && point.launch.is_none();
    if is_open && table.has_refutation() && !grades::is_of_host(table, point) {
        let subject = judgement.subjects.len();
        leave_open(table, judgement, program, subject);
    }
}

/// Nothing is refuted of an instance of a template with numbers of the tool's choice: what shows may be that they do not
/// fit each other.
pub(super) fn leave_instance_open(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    instance: &str,
) {
    let Judged { point, request, .. } = *entry;
    let is_open = request.conditional && point.launch.is_none();
    if !is_open || !table.has_refutation() || grades::is_of_host(table, point) {
        return;
    }
    let why = format!(
        "a defect shows in `{instance}`, an instance with numbers that the tool chose, as the file makes none \
         (--instantiate names one)"
    );
    for mut defect in table.leave_refuted_open(Reason::Inconclusive, &why) {
        defect.subject = entry.subject;
        conditions::excluded(judgement, &entry.prepared.surface, defect);
    }
}

/// Nothing is refuted for a launch of the tool's choice where no time was left to look for the launches that it is meant
/// for.
pub(super) fn leave_open(
    table: &mut Table,
    judgement: &mut Judgement,
    program: &Program,
    subject: usize,
) {
    let why = "before a condition was found that excludes the defect, at a launch that the tool \
               chose: the time for one kernel (--limit-seconds)";
    for mut defect in table.leave_refuted_open(Reason::Limit, why) {
        defect.subject = subject;
        conditions::excluded(judgement, program, defect);
    }
    note(&mut judgement.limits_hit, limits::TIME.to_owned());
}
