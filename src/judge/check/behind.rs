//! What a defect hides: where the solver's model of one is a run that another fault ended, or a limit, it is gone
//! through once more, by turns and with actors that would fault standing aside. What that shows of properties that are open is replayed like every
//! other finding.

use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::run::trial::{Decision, Trial};
use crate::subject::prepared::Prepared;
use gridlock_checker::replay;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::verdict::{Property, Reason};
use gridlock_semantics::transition::Actor;
use std::collections::BTreeMap;

/// Places shown of one property at most.
const MOST_OF_A_PROPERTY: usize = 3;

/// The defects of open properties behind what ended a trial's run. `first`: whom the model names, who go
/// as early as they can.
pub fn look(
    prepared: &Prepared,
    trial: &Trial,
    request: &Request,
    first: &[Actor],
    open: &[Property],
    deadline: Deadline,
) -> Vec<Defect> {
    if open.is_empty() || trial.vacuous || !has_stopped_early(trial) || deadline.left() <= 0.0 {
        return Vec::new();
    }
    let (program, profile, setup) = (&prepared.surface, &request.profile, &trial.setup);
    let found = replay::behind_others(program, setup, profile, first, deadline.end);
    let mut shown: BTreeMap<Property, usize> = BTreeMap::new();
    let mut defects = Vec::new();
    for finding in found {
        let property = finding.kind.property();
        if !open.contains(&property)
            || shown
                .get(&property)
                .is_some_and(|n| *n >= MOST_OF_A_PROPERTY)
        {
            continue;
        }
        let replayed = replay::defect_in_time(program, setup, profile, &finding, deadline.end);
        if let Ok(defect) = replayed {
            *shown.entry(property).or_default() += 1;
            defects.push(defect);
        }
    }
    defects
}

/// Whether there is more to a run than the trial saw: a fault ended it, or a limit.
fn has_stopped_early(trial: &Trial) -> bool {
    let limit = matches!(
        trial.decision,
        Decision::Undecided {
            reason: Reason::Limit,
            ..
        }
    );
    let kinds = trial.defects.iter().map(|defect| defect.kind);
    let mut kinds = kinds.chain(trial.unconfirmed.iter().copied());
    limit || kinds.any(|kind| kind.ends_run())
}
