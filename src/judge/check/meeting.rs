//! A trial whose inputs meet what the kernel assumes of the contents of its arrays: sampled ones seldom do,
//! so the solver is asked for contents of which every thread's assumption holds.

use crate::judge::question::question;

use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::run::trial::{self, Trial};
use crate::subject::EntryPoint;
use crate::subject::prepared::Prepared;
use gridlock_proofs::Budget;
use gridlock_semantics::setup::{Arg, Setup};
use std::time::Duration;

/// Seconds' worth of steps for the solver.
const SECONDS: f64 = 2.0;

/// Decides one configuration; where its contents do not meet the kernel's assumptions, one with contents
/// that do, if the solver finds some. What the user gave stays as it is.
pub fn run(
    prepared: &Prepared,
    point: &EntryPoint,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
) -> Trial {
    let trial = trial::run(prepared, setup, request, deadline);
    if !trial.vacuous {
        return trial;
    }
    match meeting(prepared, point, setup, request, deadline) {
        Some(setup) => trial::run(prepared, &setup, request, deadline),
        None => trial,
    }
}

fn meeting(
    prepared: &Prepared,
    point: &EntryPoint,
    setup: &Setup,
    request: &Request,
    deadline: Deadline,
) -> Option<Setup> {
    let params = &prepared.surface.proc(point.proc).params;
    let mut closed = point.clone();
    closed.launch = Some(setup.launch?);
    for (var, arg) in params.iter().zip(&setup.args) {
        if let Arg::Scalar(value) = arg {
            closed.scalars.insert(*var, *value);
        }
    }
    let budget = Budget::of_seconds(SECONDS);
    let time = Duration::from_secs_f64(deadline.left());
    let question = question(prepared, &closed, request, Vec::new(), budget, time);
    let met = gridlock_proofs::contents_that_meet(&prepared.atomic, point.proc, &question)?;
    let mut setup = setup.clone();
    for (var, arg) in params.iter().zip(&setup.args) {
        if let (Arg::Array(index), Some(contents)) = (arg, met.params.get(var))
            && !point.contents.contains_key(var)
        {
            setup.arrays[*index].contents = contents.clone();
        }
    }
    for (id, contents) in met.declared {
        if point.filled.contains(&id) {
            setup.declared.insert(id, contents);
        }
    }
    Some(setup)
}
