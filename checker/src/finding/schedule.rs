//! Schedules: who moves, as often as each does.

use gridlock_semantics::transition::Actor;
use serde::{Deserialize, Serialize};

/// A run of *visible* transitions by one actor: those that access memory other threads could
/// reach, synchronise, start or end a launch, exit, or fault. The private transitions before a
/// visible one belong to it, so engines that take private steps differently share schedules.
/// Where sets of threads fire together (`Firing::Set`) every transition counts.
/// `choice` picks among the actor's visible transitions where it has several (0 otherwise).
/// Steps by `Actor::Block` and `Actor::Device` are collective barriers and launch boundaries.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ScheduleStep {
    /// One actor, or several that fire together (`Firing::Set`).
    pub actors: Vec<Actor>,
    /// How many transitions in a row.
    pub steps: u32,
    /// Which of the transitions the actors have, from 0.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub choice: u32,
}

pub(crate) fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Appends steps to a schedule, joining runs of one actor.
pub fn append_schedule(schedule: &mut Vec<ScheduleStep>, steps: &[ScheduleStep]) {
    for step in steps {
        match schedule.last_mut() {
            Some(last) if last.actors == step.actors && last.choice == step.choice => {
                last.steps += step.steps;
            }
            _ => schedule.push(step.clone()),
        }
    }
}

/// A schedule of steps of single actors.
#[cfg(test)]
pub fn of_steps(steps: &[(Actor, u32)]) -> Vec<ScheduleStep> {
    let step = |&(actor, steps)| ScheduleStep {
        actors: vec![actor],
        steps,
        choice: 0,
    };
    steps.iter().map(step).collect()
}
