//! A run along a schedule, transition by transition, whatever it shows.

use crate::finding::ScheduleStep;
use crate::replay::narrate;
use crate::replay::step::AccessSeen;
use crate::system::ExploredProgram;
use crate::system::follow::{Followed, Run};
use gridlock_semantics::host::State;
use gridlock_semantics::transition::{Label, TransitionSystem};
use std::sync::Arc;

/// Which transitions a schedule names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// The visible ones; private ones go with them.
    Visible,
    /// Every one: schedules of livelocks.
    Every,
}

/// A transition that was taken.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Who moved, by which rule, and what it touched.
    pub label: Label,
    /// Its accesses, with what the cells held.
    pub accesses: Vec<AccessSeen>,
    /// Before and after; `None` for transitions that no other thread could see.
    pub states: Option<Arc<(State, State)>>,
}

impl Taken {
    /// A transition between two states.
    pub fn new(system: &ExploredProgram, label: Label, before: State, after: State) -> Taken {
        Taken::of(
            system,
            Followed {
                label: Arc::new(label),
                states: Some(Arc::new((before, after))),
            },
        )
    }

    fn of(system: &ExploredProgram, followed: Followed) -> Taken {
        Taken {
            accesses: narrate::accesses(system, &followed),
            label: Arc::unwrap_or_clone(followed.label),
            states: followed.states,
        }
    }
}

/// The transitions of a run that follows `schedule` (private ones that are due among them), and
/// the state it ends in. `None` when an actor cannot make the step the schedule wants, from
/// whichever initial state.
///
/// `counts`: what of a run the schedule counts.
pub fn along(
    system: &ExploredProgram,
    schedule: &[ScheduleStep],
    counts: Counts,
) -> Option<(Vec<Taken>, State)> {
    system.initial().into_iter().find_map(|initial| {
        let mut run = Run::new(system, initial);
        match counts {
            Counts::Visible => run.follow(schedule).ok()?,
            Counts::Every => run.follow_exactly(schedule).ok()?,
        }
        let taken = run.followed.into_iter();
        let taken = taken.map(|followed| Taken::of(system, followed));
        Some((taken.collect(), run.state))
    })
}
