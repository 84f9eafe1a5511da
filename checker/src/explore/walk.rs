//! Following transitions without keeping the states in between.

use crate::explore::expansion::Edge;
use crate::finding::{ScheduleStep, append_schedule};
use crate::system::CycleWatch;
use crate::system::footprint::Footprint;
use crate::system::{Threadwise, WarpWait, acting};
use gridlock_semantics::transition::{Actor, Label, Rule};
use std::time::Instant;

/// A state on the way, and the way.
#[derive(Clone)]
pub struct Walk<S> {
    pub state: S,
    pub schedule: Vec<ScheduleStep>,
    pub n_transitions: u32,
    /// When lookaheads along it are given up.
    pub until: Option<Instant>,
}

/// Transitions of a thread between two looks at the clock.
const BETWEEN_LOOKS: u32 = 64;

/// One thread run alone until it cannot go on alone.
pub struct ThreadRun {
    pub footprint: Footprint,
    /// The run is the only one the thread has and it came to its end: the thread waits for
    /// others, has ended, or faults or fails an assumption next.
    pub clean: bool,
    pub n_transitions: u32,
}

impl<S: Clone + Eq> Walk<S> {
    pub fn from(state: &S) -> Walk<S> {
        Walk {
            state: state.clone(),
            schedule: Vec::new(),
            n_transitions: 0,
            until: None,
        }
    }

    /// The same, given up at `until`.
    pub fn until(state: &S, until: Option<Instant>) -> Walk<S> {
        Walk {
            until,
            ..Walk::from(state)
        }
    }

    pub fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() > until)
    }

    /// Takes one transition; `choice` is its number among the visible ones of its actors.
    pub fn take(&mut self, label: &Label, state: S, choice: u32) {
        if label.is_visible() {
            let step = ScheduleStep {
                actors: acting(label),
                steps: 1,
                choice,
            };
            append_schedule(&mut self.schedule, &[step]);
        }
        self.state = state;
        self.n_transitions += 1;
    }

    pub fn into_edge(self, label: String) -> Edge<S> {
        Edge {
            schedule: self.schedule,
            n_transitions: self.n_transitions,
            label,
            to: self.state,
        }
    }

    /// Takes the private steps of `actor`, at most `most` of them. Private steps touch nothing
    /// anyone else can see, so they commute with all steps of others.
    pub fn settle<T: Threadwise<State = S>>(&mut self, system: &T, actor: Actor, most: u32) {
        let mut found = Vec::new();
        let mut watch = CycleWatch::new(16);
        for _ in 0..most {
            found.clear();
            system.fire_actor(&self.state, actor, &mut found);
            match found.pop() {
                Some((label, state))
                    if found.is_empty() && !label.is_visible() && !system.is_discarded(&state) =>
                {
                    if watch.comes_back(label.op, &self.state) {
                        return;
                    }
                    self.take(&label, state, 0);
                }
                _ => return,
            }
        }
    }

    /// Runs `actor` alone until it waits for others, ends, faults next or would
    /// fail an assumption; gives up after `most`
    /// transitions, when it is late, where the actor has a choice, and where it goes in a circle.
    pub fn run_alone<T: Threadwise<State = S>>(
        &mut self,
        system: &T,
        actor: Actor,
        most: u32,
    ) -> ThreadRun {
        let mut run = ThreadRun {
            footprint: Footprint::default(),
            clean: false,
            n_transitions: 0,
        };
        let mut found = Vec::new();
        let mut watch = CycleWatch::new(16);
        while run.n_transitions < most {
            if run.n_transitions % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 && self.is_late() {
                return run;
            }
            found.clear();
            system.fire_actor(&self.state, actor, &mut found);
            let Some((label, state)) = found.pop() else {
                run.clean = true;
                return run;
            };
            let joint = matches!(label.rule, Rule::WarpBarrier | Rule::WarpExchange);
            if !found.is_empty() || label.actors.len() > 1 && !joint {
                return run;
            }
            if label.rule == Rule::WarpExchange
                && system.warp_wait(&self.state, actor) == Some(WarpWait::Nobody)
            {
                return run;
            }
            match label.rule {
                Rule::R6 | Rule::R7 | Rule::R8 | Rule::R9 => return run,
                // It may let others go on who take no part in this stretch.
                Rule::NamedBarrier => return run,
                Rule::WarpBarrier
                | Rule::WarpExchange
                | Rule::CollectiveBarrier
                | Rule::GridBarrier => {
                    run.clean = true;
                    return run;
                }
                _ => {}
            }
            if watch.comes_back(label.op, &self.state) {
                return run;
            }
            // A race that only the way here shows is for the caller that looks at single
            // transitions.
            let races = |access| system.unordered_before(&self.state, access).is_some();
            if label.accesses.iter().any(races) {
                return run;
            }
            for access in &label.accesses {
                run.footprint.add(access, system.access_class(access));
            }
            if label.fault.is_some() || system.is_discarded(&state) {
                run.clean = true;
                return run;
            }
            self.take(&label, state, 0);
            run.n_transitions += 1;
        }
        run
    }
}
