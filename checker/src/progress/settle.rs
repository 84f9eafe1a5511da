//! One transition, and the private steps after it.

use crate::finding::ScheduleStep;
use crate::progress::guarantee::{agents_of, is_unstarted};
use crate::system::fingerprint::fingerprint;
use crate::system::{CycleWatch, ExploredProgram, acting};
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::Firing;
use gridlock_semantics::transition::{Actor, Label, TransitionSystem};

/// Private steps of one thread taken in a row; what is left is taken from the next state on.
const MOST_PRIVATE: u32 = 10_000;

/// Transitions in a row.
pub struct Leap {
    pub state: State,
    /// Every transition, private ones too.
    pub steps: Vec<ScheduleStep>,
    pub moved: Vec<Actor>,
}

impl Leap {
    pub fn from(state: State) -> Leap {
        Leap {
            state,
            steps: Vec::new(),
            moved: Vec::new(),
        }
    }

    /// Takes a transition, number `choice` of those its actors have.
    pub fn take(&mut self, label: &Label, state: State, choice: u32) {
        self.moved.extend(agents_of(&self.state, label));
        let step = ScheduleStep {
            actors: acting(label),
            steps: 1,
            choice,
        };
        crate::finding::append_schedule(&mut self.steps, &[step]);
        self.state = state;
    }

    /// Takes the private steps of a thread. One in a private cycle is left at one state of
    /// its round, always the same.
    pub fn settle(&mut self, system: &ExploredProgram, actor: Actor) {
        let goal = round_of(system, &self.state, actor);
        for _ in 0..MOST_PRIVATE {
            if goal.as_ref() == Some(&self.state) {
                return;
            }
            match private_step(system, &self.state, actor) {
                Some((label, next)) => self.take(&label, next, 0),
                None => return,
            }
        }
    }
}

/// The only transition of a thread, if that is private.
fn private_step(system: &ExploredProgram, state: &State, actor: Actor) -> Option<(Label, State)> {
    let mut found = system.system().fire(state, &[actor]);
    let (label, next) = found.pop()?;
    let private = found.is_empty() && !label.is_visible() && !system.is_discarded(&next);
    private.then_some((label, next))
}

/// Where a thread in a private cycle is to stop; `None` where its private steps end, or
/// no end of them is seen.
fn round_of(system: &ExploredProgram, start: &State, actor: Actor) -> Option<State> {
    let mut watch = CycleWatch::new(1);
    let mut state = start.clone();
    for _ in 0..MOST_PRIVATE {
        let (label, next) = private_step(system, &state, actor)?;
        if watch.comes_back(label.op, &state) {
            return Some(least_of(system, state, actor));
        }
        state = next;
    }
    None
}

/// Of a private round through `on`, the state in which the first operator of the source fires;
/// of several the one with the least fingerprint.
fn least_of(system: &ExploredProgram, on: State, actor: Actor) -> State {
    let mut least: Option<((Option<OpId>, u128), State)> = None;
    let mut state = on.clone();
    while let Some((label, next)) = private_step(system, &state, actor) {
        let key = (label.op, fingerprint(&state));
        if least.as_ref().is_none_or(|(before, _)| key < *before) {
            least = Some((key, state));
        }
        if next == on {
            break;
        }
        state = next;
    }
    least.map_or(on, |(_, state)| state)
}

/// Whether private steps may be taken at once (the argument stands in [`super::unfold`]).
pub fn settles(system: &ExploredProgram) -> bool {
    let axes = &system.profile().axes;
    axes.firing == Firing::One && !axes.warps.is_lockstep()
}

/// The transitions out of a state, each with its number among those of its actors.
pub fn numbered(found: Vec<(Label, State)>) -> Vec<(Label, State, u32)> {
    let mut numbered: Vec<(Label, State, u32)> = Vec::with_capacity(found.len());
    let mut named: Vec<Vec<Actor>> = Vec::with_capacity(found.len());
    for (label, state) in found {
        let actors = acting(&label);
        let choice = named.iter().filter(|other| **other == actors).count() as u32;
        named.push(actors);
        numbered.push((label, state, choice));
    }
    numbered
}

/// The device threads whose private steps are due after a transition out of `before`: those that moved,
/// and all of a block that it has started.
pub fn due_after(before: &State, moved: &[Actor]) -> Vec<Actor> {
    let mut due = Vec::new();
    for &agent in moved {
        match agent {
            Actor::Thread { block, .. } if is_unstarted(before, agent) => {
                let grid = before.device.as_ref();
                let n_threads = grid.map_or(0, |grid| grid.launch.n_threads() as u32);
                due.extend((0..n_threads).map(|thread| Actor::Thread { block, thread }));
            }
            Actor::Thread { .. } => due.push(agent),
            // What the host does by itself may change what other threads of it share.
            _ => {}
        }
    }
    due.sort_unstable();
    due.dedup();
    due
}
