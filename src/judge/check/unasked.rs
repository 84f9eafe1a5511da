//! Defects at launches that the tool chose, where no time was left to ask what they hang on.

use super::conditions;
use super::grades;
use super::judged::Judged;
use super::meant;
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::judge::preconditions::{self, OtherLaunches};
use crate::subject::EntryPoint;
use crate::words::sentences::note;
use gridlock_checker::limits;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::host_launch::{Caller, HostTried};
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use std::collections::BTreeSet;

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
    let program = &entry.prepared.surface;
    leave(
        table,
        judgement,
        program,
        entry.subject,
        (Reason::Inconclusive, &why),
    );
}

/// What a defect hangs on that the tool chose, and of which no condition is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    /// A launch that is none of those in host code of the file.
    Launch,
    /// A launch; at those in host code of the file that were tried nothing goes wrong.
    LaunchBesideHosts,
    /// What arrays hold, or floating-point arguments are.
    Contents,
    /// The same, or not: no time was left to find out.
    PerhapsContents,
    /// That arguments point to the first elements of their arrays.
    Start,
    /// Arguments, where another defect that hangs on what arrays hold ends the runs that would find what is asked of them.
    Arguments,
}

impl Choice {
    fn of(
        defect: &Defect,
        table: &Table,
        entry: &Judged<'_>,
        deadline: Deadline,
    ) -> Option<Choice> {
        let Judged {
            prepared,
            point,
            request,
            device,
            ..
        } = *entry;
        let is_right_for_host = |tried: &HostTried| tried.launches > 0 && tried.failing == 0;
        match defect.grade.caller {
            Some(Caller::NoneInSight) => return Some(Choice::Launch),
            None if table.host_tried().is_some_and(is_right_for_host) => {
                return Some(Choice::LaunchBesideHosts);
            }
            _ => {}
        }
        if preconditions::hangs_on_start(prepared, point, request, defect, deadline) {
            return Some(Choice::Start);
        }
        let known = table.defects().iter().map(|defect| defect.kind).collect();
        let hangs = preconditions::hangs_on_contents(
            prepared, point, request, device, defect, &known, deadline,
        );
        match hangs {
            Some(hangs) => hangs.then_some(Choice::Contents),
            None => Some(Choice::PerhapsContents),
        }
    }

    /// Of a defect that hangs on none of these, where runs that would say what is asked of arguments end in one that does.
    fn hidden(defect: &Defect, entry: &Judged<'_>, deadline: Deadline) -> Option<Choice> {
        let Judged {
            prepared,
            point,
            request,
            device,
            ..
        } = *entry;
        // Of a race other choices that were tried may say nothing, as they end before.
        let is_of_others = defect.kind.ends_run() && defect.grade.every_choice == Some(false);
        let hangs =
            || preconditions::hangs_on_sizes(prepared, point, request, device, defect, deadline);
        (is_of_others || hangs()).then_some(Choice::Arguments)
    }

    /// Whether it is of what arrays hold.
    fn is_of_contents(self) -> bool {
        matches!(self, Choice::Contents | Choice::PerhapsContents)
    }

    /// In words that follow *a defect shows*.
    fn words(self) -> &'static str {
        match self {
            Choice::Launch => {
                "at a launch that the tool chose, and that is none of those in host code of this file (--grid, --block \
                 and --arg ask about one)"
            }
            Choice::LaunchBesideHosts => {
                "at a launch that the tool chose, and at none of those of host code that were tried (--grid, --block and \
                 --arg ask about one)"
            }
            Choice::Contents => {
                "with contents of arrays, or floating-point arguments, that the tool chose, and with others it does not \
                 (--contents and --arg give them)"
            }
            Choice::Start => {
                "where arguments point to the first elements of their arrays, and not where they point further inside \
                 (--extent says that they do not)"
            }
            Choice::Arguments => {
                "with arguments that the tool chose, and with others at the same launch it does not (--arg gives them)"
            }
            Choice::PerhapsContents => {
                "with contents of arrays, or floating-point arguments, that the tool chose, and there was no time to try \
                 others (--limit-seconds)"
            }
        }
    }
}

/// Nothing is refuted where each defect hangs on a choice of the tool's: a condition that excludes it was not found, but
/// it is not known that a launch meets the defect.
pub(super) fn leave_choices_open(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    deadline: Deadline,
) {
    let Judged { point, request, .. } = *entry;
    let is_open = request.conditional && point.launch.is_none();
    if !is_open || !table.has_refutation() {
        return;
    }
    // Neither the launch nor where arguments point is ours then; what arrays hold is.
    let is_of_host = grades::is_of_host(table, point);
    let is_ours = |choice: &Choice| !is_of_host || choice.is_of_contents();
    let defects = table.defects().iter();
    let choices: Vec<Option<Choice>> = defects
        .map(|defect| Choice::of(defect, table, entry, deadline).filter(is_ours))
        .collect();
    tracing::debug!(?choices, "what defects hang on");
    // No run that such a defect ends says what is asked of arguments.
    let mut others = table.defects().iter().zip(&choices);
    let is_hidden = !is_of_host
        && others
            .any(|(d, choice)| d.kind.ends_run() && choice.is_some_and(Choice::is_of_contents));
    let of_hidden = |defect: &Defect| {
        is_hidden
            .then(|| Choice::hidden(defect, entry, deadline))
            .flatten()
    };
    let choices = table.defects().iter().zip(choices);
    let choices = choices.map(|(defect, choice)| choice.or_else(|| of_hidden(defect)));
    let Some(choices) = choices.collect::<Option<Vec<Choice>>>() else {
        return;
    };
    for (defect, choice) in table.defects_mut().iter_mut().zip(&choices) {
        if *choice == Choice::Contents && defect.grade.every_choice.is_some() {
            defect.grade.every_choice = Some(false);
        }
    }
    let choices = BTreeSet::from_iter(choices);
    let reason = match choices.contains(&Choice::PerhapsContents) {
        true => Reason::Limit,
        false => Reason::Inconclusive,
    };
    let words: Vec<&str> = choices.into_iter().map(Choice::words).collect();
    let why = format!(
        "a defect shows {}; no condition was found that excludes it",
        words.join(", or ")
    );
    let program = &entry.prepared.surface;
    leave(table, judgement, program, entry.subject, (reason, &why));
    if reason == Reason::Limit {
        note(&mut judgement.limits_hit, limits::TIME.to_owned());
    }
}

/// Nothing is refuted where a condition excludes all defects that were found, and nothing goes wrong where it holds, as far
/// as that was decided.
pub(super) fn leave_excluded_open(
    table: &mut Table,
    judgement: &mut Judgement,
    program: &Program,
    subject: usize,
) {
    let why = "a defect shows at a launch that the tool chose; a condition excludes it, and whether all is right where that \
               holds is open";
    leave(
        table,
        judgement,
        program,
        subject,
        (Reason::Inconclusive, why),
    );
}

/// Nothing is refuted where a kernel is right at other launches, or these could not be decided: the defects hang on the
/// choice of the launch, or may do so, and no condition was found that tells one from the other. Not so where the source says
/// which launches are meant, or is a program that makes one with a defect.
pub(super) fn leave_others_open(
    table: &mut Table,
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    others: OtherLaunches,
) {
    let Judged {
        prepared, point, ..
    } = *entry;
    let program = &prepared.surface;
    let mut defects = table.defects().iter();
    let is_meant = meant::says_which_launches(program, point.proc)
        || defects.any(|defect| meant::is_of_program(defect, point));
    if !table.has_refutation() || is_meant {
        return;
    }
    let others = match others {
        OtherLaunches::Open => "others, as one makes them, could not be decided",
        _ => "at others nothing goes wrong",
    };
    let why = format!(
        "a defect shows at a launch that the tool chose, and {others}; no condition was found that tells them apart \
         (--grid, --block and --arg ask about one)"
    );
    let subject = entry.subject;
    leave(
        table,
        judgement,
        program,
        subject,
        (Reason::Inconclusive, &why),
    );
}

/// What is refuted is open, and its defects are what happens at launches not asked about.
fn leave(
    table: &mut Table,
    judgement: &mut Judgement,
    program: &Program,
    subject: usize,
    (reason, why): (Reason, &str),
) {
    for mut defect in table.leave_refuted_open(reason, why) {
        defect.subject = subject;
        conditions::excluded(judgement, program, defect);
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
    leave(table, judgement, program, subject, (Reason::Limit, why));
    note(&mut judgement.limits_hit, limits::TIME.to_owned());
}
