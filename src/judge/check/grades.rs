//! Grades of the defects found: when they show, and what they do. The verdicts stay as they are.

use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::judge::preconditions;
use crate::subject::EntryPoint;
use crate::subject::prepared::Prepared;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::grade::Grade;
use gridlock_checker::report::statements::Statements;
use gridlock_semantics::setup::device_limits::DeviceLimits;

/// Kinds of defects of one entry, at most, of which it is asked what they hang on.
const MOST_KINDS: usize = 3;

/// Finds out what the defects hang on: arguments, the launch, or neither; what that takes for granted.
pub(super) fn hang_on(
    table: &mut Table,
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    deadline: Deadline,
) -> Statements<Assumption> {
    let mut assumptions = Statements::default();
    let mut known: Vec<(DefectKind, Grade)> = Vec::new();
    for defect in table.defects_mut() {
        let before = known.iter().find(|(kind, _)| *kind == defect.kind);
        let grade = match before {
            Some((_, grade)) => grade.clone(),
            None if known.len() < MOST_KINDS => {
                let (kind, left) = (defect.kind, deadline);
                let (grade, of_proof) =
                    preconditions::of_defect(prepared, point, request, device, defect, left);
                assumptions.extend(of_proof);
                known.push((kind, grade.clone()));
                grade
            }
            None => Grade::default(),
        };
        defect.grade.only_if = grade.only_if;
        defect.grade.only_if_held_at = grade.only_if_held_at;
        defect.grade.only_if_proved = grade.only_if_proved;
        defect.grade.requires = grade.requires;
        defect.grade.every_choice = grade.every_choice;
    }
    assumptions
}
