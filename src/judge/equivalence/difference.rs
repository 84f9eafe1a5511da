//! Differences of two programs, shown by running both again on the reference.

use super::sides::Compared;
use crate::input::request::Request;
use gridlock_checker::equiv::{self, CompareOptions, Comparison, ObservationMap, OutcomeSet};
use gridlock_checker::finding::{DefectKind, ScheduleStep};
use gridlock_checker::replay;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::explanation::ComparedSide;
use gridlock_checker::report::site::Site;
use gridlock_checker::report::witness::{Whose, WitnessDifference};
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::evaluation::{overflow, rounding};
use gridlock_semantics::setup::Setup;

/// Whether signed arithmetic overflows in the run of a side along a schedule: then C leaves its result
/// undefined, and another program may give any other.
pub(super) fn overflows(
    (side, setup): (&Compared, &Setup),
    schedule: &[ScheduleStep],
    request: &Request,
) -> bool {
    let program = &side.prepared.surface;
    let Ok(system) = ExploredProgram::new(program, setup, &request.profile) else {
        return false;
    };
    overflow::watching(|| replay::observation_after(&system, schedule)).1
}

/// Whether some sum or product of floats is rounded in the run of a side along a schedule: then another order of it may
/// give something else.
pub(super) fn rounds(
    (side, setup): (&Compared, &Setup),
    schedule: &[ScheduleStep],
    request: &Request,
) -> bool {
    let program = &side.prepared.surface;
    let Ok(system) = ExploredProgram::new(program, setup, &request.profile) else {
        return true;
    };
    let (end, met) = rounding::watching(|| replay::observation_after(&system, schedule));
    met || end.is_none()
}

/// The defect of a difference, when running both sides again on the reference shows it: each
/// follows its schedule and then goes on in canonical order to its end.
pub(super) fn not_equivalent(
    old: (&Compared, &Setup),
    new: (&Compared, &Setup),
    difference: &equiv::Difference,
    map: &ObservationMap,
    how: &CompareOptions<'_>,
    request: &Request,
) -> Option<Defect> {
    let seen = |(side, setup): (&Compared, &Setup), schedule: &[ScheduleStep]| {
        let program = &side.prepared.surface;
        let system = ExploredProgram::new(program, setup, &request.profile).ok()?;
        replay::observation_after(&system, schedule).map(OutcomeSet::deterministic)
    };
    let old_seen = seen(old, &difference.old_schedule)?;
    let new_seen = seen(new, &difference.new_schedule)?;
    let again = equiv::compare_outcomes(&new_seen, &old_seen, map, how).ok()?;
    let Comparison::Different(shown) = again else {
        return None;
    };
    let witness = |(side, setup): (&Compared, &Setup), whose: Whose| {
        let (schedule, cells) = match whose {
            Whose::Old => (&difference.old_schedule, &shown.old_cells),
            Whose::New => (&difference.new_schedule, &shown.new_cells),
        };
        let program = &side.prepared.surface;
        let kind = DefectKind::NotEquivalent;
        let mut witness = replay::witness(program, setup, &request.profile, kind, schedule.clone());
        witness.difference = Some(WitnessDifference {
            side: whose,
            cells: cells.clone(),
            new_value: shown.new_value,
            old_value: shown.old_value,
            relation: shown.relation.clone(),
        });
        let told = replay::compared_side(&witness, program).ok();
        (witness, told)
    };
    let (original, old_told) = witness(old, Whose::Old);
    let (witness, new_told) = witness(new, Whose::New);
    let compared: Vec<ComparedSide> = old_told.into_iter().chain(new_told).collect();
    Some(Defect {
        subject: 1,
        kind: DefectKind::NotEquivalent,
        message: shown.message.clone(),
        array: shown.array.clone(),
        index: shown.index,
        element: None,
        space: None,
        accesses: compared.iter().flat_map(last_writers).collect(),
        threads: Vec::new(),
        explanation: Some(replay::compared(&witness, compared)),
        grade: Default::default(),
        confirmed: true,
        witness: Some(witness),
        original: Some(original),
    })
}

/// Where what one side leaves was written last, before it was copied.
fn last_writers(side: &ComparedSide) -> Vec<Site> {
    let origins = side.cells.iter().filter_map(|cell| cell.wrote.last());
    origins
        .map(|moment| Site {
            state: format!("writes here last, in the {} program", side.side.name()),
            ..moment.site.clone()
        })
        .collect()
}
