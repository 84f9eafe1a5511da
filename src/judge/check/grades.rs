//! Grades of the defects found: when they show, and what they do. The verdicts stay as they are.

use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::judge::preconditions::{self, Portable};
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::grade::Grade;
use gridlock_checker::report::host_launch::Caller;
use gridlock_checker::report::statements::Statements;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::setup::device_limits::DeviceLimits;

/// Kinds of defects of one entry, at most, of which it is asked what they hang on.
const MOST_KINDS: usize = 3;

/// Share of the time left for the searches around defects: some is left for launches as one makes them.
const SHARE: f64 = 0.5;

/// What the defects of an entry hang on.
#[derive(Default)]
pub(super) struct Hanging {
    /// What that takes for granted.
    pub assumptions: Statements<Assumption>,
    /// Conditions that exclude defects, and under which the kernel is of use.
    pub requires: Vec<Expr>,
    /// Whether some kind of defect has none. What hides behind another shows only where that is excluded.
    pub is_partial: bool,
    /// Kinds with a condition under which the kernel is of no use.
    of_no_use: Vec<DefectKind>,
    /// The same, for other kernels.
    pub portable: Option<Portable>,
    /// Whether host code makes a launch with one of them, all of whose numbers it says itself.
    pub is_of_host: bool,
    /// Whether one of them shows at all launches tried, and these are many.
    pub is_everywhere: bool,
    /// Whether some of them hang on what arrays hold, at some launch.
    pub contents_matter: bool,
}

impl Hanging {
    /// Takes back what defects hang on by themselves where that is not assumed: they are excluded by what the others hang on.
    pub fn keep_assumed(&self, defects: &mut [Defect]) {
        for defect in defects {
            if self.of_no_use.contains(&defect.kind) {
                let grade = &mut defect.grade;
                (grade.only_if, grade.requires, grade.only_if_held_at) = (None, None, None);
                grade.only_if_proved = false;
            }
        }
    }
}

/// Finds out what the defects hang on: arguments, the launch, or neither.
pub(super) fn hang_on(
    table: &mut Table,
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    deadline: Deadline,
) -> Hanging {
    let mut hanging = Hanging::default();
    let deadline = Deadline::after(SHARE * deadline.left());
    let mut known: Vec<(DefectKind, Grade)> = Vec::new();
    for defect in table.defects_mut() {
        let before = known.iter().find(|(kind, _)| *kind == defect.kind);
        let grade = match before {
            Some((_, grade)) => grade.clone(),
            None if known.len() < MOST_KINDS => {
                let (kind, left) = (defect.kind, deadline);
                let hung = preconditions::of_defect(prepared, point, request, device, defect, left);
                hanging.assumptions.extend(hung.assumptions);
                hanging.is_everywhere |= hung.is_everywhere;
                hanging.contents_matter |= hung.contents_matter;
                hanging.is_partial |= hung.requires.is_none();
                if hung.requires.is_none() && hung.grade.only_if.is_some() {
                    hanging.of_no_use.push(kind);
                }
                hanging.requires.extend(hung.requires);
                hanging.portable = match (hanging.portable.take(), hung.portable) {
                    (Some(all), Some(own)) => Some(all.and(own)),
                    (all, own) => all.or(own),
                };
                known.push((kind, hung.grade.clone()));
                hung.grade
            }
            None => {
                hanging.is_partial = true;
                Grade::default()
            }
        };
        defect.grade.only_if = grade.only_if;
        defect.grade.only_if_held_at = grade.only_if_held_at;
        defect.grade.only_if_proved = grade.only_if_proved;
        defect.grade.requires = grade.requires;
        defect.grade.every_choice = grade.every_choice;
    }
    hanging.is_of_host = is_of_host(table, point);
    hanging
}

/// Whether host code makes a launch with one of the defects, all of whose numbers it says itself.
pub(super) fn is_of_host(table: &Table, point: &EntryPoint) -> bool {
    let is_so = |defect: &Defect| match &defect.grade.caller {
        Some(Caller::HostCode { site, .. }) => subject::says_all(point, site),
        _ => false,
    };
    table.defects().iter().any(is_so)
}
