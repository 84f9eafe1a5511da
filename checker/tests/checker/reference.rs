//! Follows the schedule of a finding on the reference semantics, step by step.

use gridlock_checker::finding::{Evidence, Finding, ScheduleStep};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::ProgramSystem;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Actor, Label, Rule, TransitionSystem};
use std::sync::Arc;

pub fn is_visible(label: &Label) -> bool {
    use Rule::*;
    !label.accesses.is_empty()
        || label.fault.is_some()
        || matches!(
            label.rule,
            R6 | R7 | R8 | R9 | R10 | CollectiveBarrier | WarpBarrier | WarpExchange
        )
}

struct Follower {
    system: ProgramSystem,
    state: State,
    labels: Vec<Label>,
}

impl Follower {
    /// The next transition of `actors`, if it is private.
    fn private(&self, actors: &[Actor]) -> Option<State> {
        let mut next = self.system.fire(&self.state, actors);
        if next.len() != 1 {
            return None;
        }
        let (label, state) = next.remove(0);
        (!is_visible(&label) && !self.exits(&label)).then_some(state)
    }

    /// Whether a step is a `return`, which is labelled `Merge` when several threads run it.
    fn exits(&self, label: &Label) -> bool {
        use gridlock_semantics::algebra::operator::{Basic, OpKind};
        label.op.is_some_and(|id| {
            let program = self.system.program();
            program
                .operators()
                .iter()
                .any(|(_, op)| op.id == id && matches!(op.kind, OpKind::Basic(Basic::Exit)))
        })
    }

    fn settle(&mut self, actors: &[Actor]) {
        let mut moved = true;
        while moved {
            moved = false;
            for actor in actors {
                while let Some(state) = self.private(&[*actor]) {
                    self.state = state;
                    moved = true;
                }
            }
        }
    }

    /// The threads whose private steps belong before a step of `actors`.
    fn concerned(&self, actors: &[Actor]) -> Vec<Actor> {
        let Some(grid) = &self.state.device else {
            return actors.to_vec();
        };
        let threads_of = |block: u32| {
            let n = grid.blocks[block as usize].threads.len() as u32;
            (0..n).map(move |thread| Actor::Thread { block, thread })
        };
        match actors {
            [Actor::Block(block)] => threads_of(*block).collect(),
            [Actor::Device] => (0..grid.blocks.len() as u32).flat_map(threads_of).collect(),
            _ => {
                // A warp: for lockstep paths and `__syncwarp`.
                let Actor::Thread { block, thread } = actors[0] else {
                    return actors.to_vec();
                };
                let size = self.system.context().warp_size();
                let warp = thread / size;
                threads_of(block)
                    .filter(|a| match a {
                        Actor::Thread { thread, .. } => *thread / size == warp,
                        _ => false,
                    })
                    .collect()
            }
        }
    }

    fn step(&mut self, actors: &[Actor]) {
        if actors == [Actor::Device] {
            self.settle(&[Actor::Host]);
        }
        match actors {
            [Actor::Block(_) | Actor::Device] => self.settle(&self.concerned(actors)),
            _ => self.settle(actors),
        }
        let mut next = self.system.fire(&self.state, actors);
        if next.is_empty() || !self.shows(&next[0].0) {
            self.settle(&self.concerned(actors));
            next = self.system.fire(&self.state, actors);
        }
        assert!(
            !next.is_empty(),
            "{actors:?} cannot move after {:#?}",
            self.labels.last()
        );
        let (label, state) = next.remove(0);
        assert!(self.shows(&label), "{actors:?}: {label:?}");
        self.labels.push(label);
        self.state = state;
    }

    fn shows(&self, label: &Label) -> bool {
        is_visible(label) || self.exits(label)
    }
}

/// Follows a schedule; the labels of its visible steps, and the state it ends in.
fn follow(
    program: &Program,
    setup: &Setup,
    profile: &Profile,
    schedule: &[ScheduleStep],
) -> Follower {
    let program = Arc::new(program.clone());
    let system = ProgramSystem::new(program, setup.clone(), profile.clone()).expect("it fits");
    let state = system.initial().remove(0);
    let mut follower = Follower {
        system,
        state,
        labels: Vec::new(),
    };
    for step in schedule {
        for _ in 0..step.steps {
            follower.step(&step.actors);
        }
    }
    follower
}

/// Panics unless the reference shows what the finding says when it follows its schedule.
pub fn confirm(program: &Program, setup: &Setup, profile: &Profile, finding: &Finding) {
    let mut follower = follow(program, setup, profile, &finding.schedule);
    let last = follower.labels.last().cloned();
    let last = || last.clone().expect("some step");
    match &finding.evidence {
        Evidence::Race { first, second } => {
            assert!(
                last().accesses.contains(second),
                "{second:?} in {:?}",
                last()
            );
            let earlier = follower
                .labels
                .iter()
                .any(|label| label.accesses.contains(first));
            assert!(earlier, "{first:?} before {second:?}");
        }
        Evidence::Fault(fault) => {
            let found = last().fault.expect("a fault");
            assert_eq!(found.actor, fault.actor);
            assert_eq!(found.op, fault.op);
            match (&found.kind, &fault.kind) {
                // Other threads may have been left out of the schedule.
                (
                    FaultKind::BarrierDivergence { positions: a },
                    FaultKind::BarrierDivergence { positions: b },
                ) => assert_eq!(a, b),
                (a, b) => assert_eq!(a, b),
            }
        }
        Evidence::Leak { op, .. } => {
            follower.settle(&[Actor::Host]);
            assert!(follower.system.is_final(&follower.state));
            let leaks = follower.system.leaks(&follower.state);
            assert!(leaks.iter().any(|leak| leak.op == *op));
        }
        Evidence::Stuck { positions } => {
            let everyone: Vec<Actor> = positions.iter().map(|p| p.actor).collect();
            follower.settle(&everyone);
            let mut next = Vec::new();
            follower.system.successors(&follower.state, &mut next);
            let moving = next
                .iter()
                .filter(|(label, _)| label.actors.iter().any(|actor| everyone.contains(actor)));
            assert_eq!(moving.count(), 0);
            assert!(!follower.system.is_final(&follower.state));
        }
        Evidence::Cycle { .. } => panic!("a canonical run shows no livelock"),
    }
}
