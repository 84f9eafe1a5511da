//! A quick look for livelocks: one run in which every actor that is there gets a turn in each
//! round.
//!
//! A round gives each thread of a started block, the host and the device one turn (private steps
//! and the next visible one), and then starts blocks where there is a place and the guarantee
//! says that places are filled. If the run comes back to a state it was in at the end of a round, or to one
//! from which it goes on in the same way ([`super::recurrence`]), it is a cycle for ever, and every actor that could move in it has. It finds the livelocks of launches
//! far too large to explore; that it finds none says nothing.

use crate::finding::ScheduleStep;
use crate::progress::idle::Idle;
use crate::progress::recurrence::{self, Doubt, Flow, Flows, ValuePlace};
use crate::progress::settle::Leap;
use crate::system::ExploredProgram;
use crate::system::{present, unstarted};
use gridlock_semantics::host::State;
use gridlock_semantics::profile::Progress;
use gridlock_semantics::transition::{Actor, TransitionSystem};
use std::time::Instant;

/// Private steps in one turn.
const MOST_PRIVATE: u32 = 1_000;
/// Transitions of one run.
const MOST_TRANSITIONS: usize = 100_000;
/// Transitions of rounds looked at for whether they can be repeated, as often as each is.
const MOST_FOLLOWED: usize = 50 * MOST_TRANSITIONS;
/// Initial states (numbers of resident blocks, say) tried.
const MOST_STARTS: usize = 4;

/// A run with a cycle: the transitions to the cycle, and those of the cycle.
pub struct Lasso {
    pub prefix: Vec<ScheduleStep>,
    pub cycle: Vec<ScheduleStep>,
}

/// Looks for a run with a cycle, until `deadline`.
pub fn look(system: &ExploredProgram, progress: Progress, deadline: Instant) -> Option<Lasso> {
    let starts = system.initial().into_iter().take(MOST_STARTS);
    starts.into_iter().find_map(|start| {
        let mut runner = Runner {
            system,
            progress,
            leap: Leap::from(start),
            n_transitions: 0,
            over: false,
            flows: recurrence::applies(system).then(|| Flows::new(system)),
            done: Vec::new(),
            deciding: Vec::new(),
            n_followed: 0,
        };
        runner.run(deadline)
    })
}

struct Runner<'a> {
    system: &'a ExploredProgram,
    progress: Progress,
    leap: Leap,
    n_transitions: usize,
    /// It ended, in whichever way.
    over: bool,
    flows: Option<Flows<'a>>,
    /// The transitions since the state that is remembered.
    done: Vec<Flow>,
    /// Places whose values have decided something since then.
    deciding: Vec<ValuePlace>,
    /// Transitions looked at for whether they can be repeated.
    n_followed: usize,
}

impl Runner<'_> {
    /// Round after round; the state after rounds 1, 2, 4, … is remembered (Brent's algorithm).
    fn run(&mut self, deadline: Instant) -> Option<Lasso> {
        let idle = Idle::of(self.system.program());
        let mut saved = idle.forget(&self.leap.state);
        let mut remembered = self.leap.state.clone();
        let mut prefix = Vec::new();
        let (mut age, mut power) = (0u32, 1u32);
        while self.n_transitions < MOST_TRANSITIONS && Instant::now() < deadline {
            let before = self.n_transitions;
            self.round();
            if self.over || self.n_transitions == before {
                return None;
            }
            if idle.forget(&self.leap.state) == saved || self.can_be_repeated(&remembered) {
                let cycle = std::mem::take(&mut self.leap.steps);
                return Some(Lasso { prefix, cycle });
            }
            age += 1;
            if age == power {
                (age, power) = (0, power * 2);
                saved = idle.forget(&self.leap.state);
                let steps = std::mem::take(&mut self.leap.steps);
                crate::finding::append_schedule(&mut prefix, &steps);
                self.leap.moved.clear();
                remembered = self.leap.state.clone();
                self.done.clear();
                self.deciding.clear();
            }
        }
        None
    }

    /// Whether what was done since the remembered state can be done again and again.
    fn can_be_repeated(&mut self, remembered: &State) -> bool {
        let now = &self.leap.state;
        let differs = |place: &ValuePlace| !place.is_same(remembered, now);
        if self.flows.is_none()
            || self.n_followed > MOST_FOLLOWED
            || self.deciding.iter().any(differs)
        {
            return false;
        }
        match recurrence::is_cycle(remembered, now, &self.done) {
            Ok(()) => true,
            Err(Doubt::Elsewhere) => false,
            Err(doubt) => {
                self.n_followed += self.done.len();
                if let Doubt::Decides(place) = doubt {
                    self.deciding.push(place);
                }
                false
            }
        }
    }

    fn round(&mut self) {
        let mut someone_moved = false;
        for actor in present(&self.leap.state) {
            someone_moved |= self.turn(actor);
            if self.over {
                return;
            }
        }
        if self.progress != Progress::Unfair || !someone_moved {
            for actor in unstarted(&self.leap.state) {
                if !self.over && self.is_unstarted(actor) {
                    self.turn(actor);
                }
            }
        }
    }

    fn is_unstarted(&self, actor: Actor) -> bool {
        super::guarantee::is_unstarted(&self.leap.state, actor)
    }

    /// Whether the actor could move.
    fn turn(&mut self, actor: Actor) -> bool {
        let mut moved = false;
        for _ in 0..MOST_PRIVATE {
            let found = self.system.system().fire(&self.leap.state, &[actor]);
            let Some((label, next)) = found.into_iter().next() else {
                return moved;
            };
            if label.fault.is_some() || self.system.is_discarded(&next) {
                self.over = true;
                return true;
            }
            let flow = self.flows.as_ref();
            self.done
                .extend(flow.map(|flows| flows.of(&self.leap.state, &label)));
            self.leap.take(&label, next, 0);
            self.n_transitions += 1;
            moved = true;
            if label.is_visible() {
                return true;
            }
        }
        moved
    }
}
