//! From a component of the compact graph to a run with a cycle, in steps of the reference.
//!
//! States of the compact graph stand for all that interchangeable threads make of them. So the component is
//! gone through once more, state by state: all states that can be reached from one of it without
//! leaving what it stands for. Exchanging threads takes runs that stay in the component to runs that
//! stay in it, and each of them, so exchanged, passes through the state begun with; hence what is
//! found there holds for all of it, and only the agents who move are needed to tell.

use super::scheduled::{Scheduled, Walk, Way};
use super::unfold::Unfolding;
use crate::automaton::Agent;
use crate::finding::{ScheduleStep, append_schedule};
use crate::progress::agents::AgentSet;
use crate::progress::graph::{Edge, Graph, Node};
use crate::progress::idle::Idle;
use crate::progress::lasso;
use crate::progress::settle::{Leap, due_after};
use crate::progress::walk::covering_walk;
use crate::system::ExploredProgram;
use gridlock_semantics::host::State;
use gridlock_semantics::profile::Progress;
use gridlock_semantics::transition::{Actor, TransitionSystem};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// States of a component looked at one by one.
const MOST_STATES: usize = 200_000;
/// Rounds after which registers that are never read again should have come back too.
const MOST_ROUNDS: usize = 16;
/// Transitions of the reference.
const MOST_TRANSITIONS: usize = 200_000;

/// A run with a cycle: with how many places it begins, who moves before the cycle and in it.
pub struct Lasso {
    pub places: u32,
    pub prefix: Vec<Agent>,
    pub cycle: Vec<Agent>,
}

/// What looking at a component state by state gives.
pub enum Looked {
    /// No run may stay in it.
    RuledOut,
    Lasso(Lasso),
    /// It is too large.
    GivenUp,
}

/// Looks at a component, given by nodes ascending, state by state.
pub fn look(
    unfolding: &Unfolding<'_>,
    component: &[u32],
    progress: Progress,
    until: Instant,
) -> Looked {
    let Some(&entry) = component.first() else {
        return Looked::RuledOut;
    };
    let scheduled = unfolding.scheduled;
    let mut walk = Walk::new(scheduled);
    let (places, way) = unfolding.way_to(entry);
    walk.start(places);
    let mut prefix = walk.agents.clone();
    for agent in way {
        let words = walk.words.clone();
        let startable = scheduled.startable(&words);
        if walk.go(&words, &startable, agent) != Way::Goes {
            return Looked::GivenUp;
        }
        prefix.extend(&walk.agents);
    }
    let mut around = Around {
        scheduled,
        graph: Graph::default(),
        agents: Vec::new(),
        numbers: FxHashMap::default(),
        states: Vec::new(),
    };
    around.number(&walk.words);
    let inside = |words: &[u32]| {
        let node = unfolding.node(words);
        node.is_some_and(|node| component.binary_search(&node).is_ok())
    };
    let mut at = 0;
    while at < around.states.len() {
        if around.states.len() > MOST_STATES || at.is_multiple_of(256) && Instant::now() > until {
            return Looked::GivenUp;
        }
        around.expand(at as u32, &mut walk, progress, inside);
        at += 1;
    }
    let Some(allowed) = around.graph.livelock() else {
        return Looked::RuledOut;
    };
    // All states here are of one component, which begins with the first one.
    let edges = covering_walk(&around.graph, &allowed);
    let mut cycle = Vec::new();
    let mut state = around.states[allowed[0] as usize].clone();
    if allowed[0] != 0 {
        return Looked::GivenUp;
    }
    for edge in edges {
        let startable = scheduled.startable(&state);
        if walk.go(&state, &startable, around.agents[edge as usize]) != Way::Goes {
            return Looked::GivenUp;
        }
        cycle.extend(&walk.agents);
        state = walk.words.as_slice().into();
    }
    Looked::Lasso(Lasso {
        places,
        prefix,
        cycle,
    })
}

/// States of a component one by one.
struct Around<'a> {
    scheduled: &'a Scheduled<'a>,
    graph: Graph,
    /// By edge.
    agents: Vec<Agent>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    states: Vec<Box<[u32]>>,
}

impl Around<'_> {
    fn number(&mut self, words: &[u32]) -> u32 {
        if let Some(number) = self.numbers.get(words) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(words.into(), number);
        self.states.push(words.into());
        self.graph.nodes.push(Node::default());
        number
    }

    fn expand(
        &mut self,
        from: u32,
        walk: &mut Walk<'_>,
        progress: Progress,
        inside: impl Fn(&[u32]) -> bool,
    ) {
        let words = self.states[from as usize].clone();
        let startable = self.scheduled.startable(&words);
        let mut owed = AgentSet::default();
        for agent in 0..self.scheduled.automaton.n_agents() {
            let way = walk.go(&words, &startable, agent);
            if way == Way::Disabled {
                continue;
            }
            owed.insert(agent);
            if way == Way::Goes && inside(&walk.words) {
                let to = self.number(&walk.words);
                self.graph.edges.push(Edge {
                    from,
                    to,
                    moved: [agent].into_iter().collect(),
                });
                self.agents.push(agent);
            }
        }
        self.graph.nodes[from as usize] = match progress {
            Progress::Unfair => Node::default(),
            Progress::OccupancyBound | Progress::Fair => Node {
                owed,
                owes_start: !startable.is_empty(),
                is_final: false,
            },
        };
    }
}

/// The run in steps of the reference: before the cycle, and the cycle. What the automaton does not keep
/// (registers that are never read again) has to come back too, if only after some rounds. `None`
/// where it does not, or a replay does not show the cycle to be one.
pub fn on_the_reference(
    system: &ExploredProgram,
    scheduled: &Scheduled<'_>,
    lasso: &Lasso,
) -> Option<(Vec<ScheduleStep>, Vec<ScheduleStep>)> {
    let start = start_with(system, scheduled, lasso.places)?;
    let mut guide = Guide {
        system,
        scheduled,
        leap: Leap::from(start),
        n_transitions: 0,
    };
    guide.follow(&lasso.prefix)?;
    let prefix = std::mem::take(&mut guide.leap.steps);
    let idle = Idle::of(system.program());
    let mut states = vec![idle.forget(&guide.leap.state)];
    let mut rounds: Vec<Vec<ScheduleStep>> = Vec::new();
    while rounds.len() < MOST_ROUNDS {
        guide.follow(&lasso.cycle)?;
        rounds.push(std::mem::take(&mut guide.leap.steps));
        let state = idle.forget(&guide.leap.state);
        let back = states.iter().position(|other| *other == state);
        let Some(first) = back else {
            states.push(state);
            continue;
        };
        let (before, within) = rounds.split_at(first);
        let (mut prefix, mut cycle) = (prefix, Vec::new());
        for steps in before {
            append_schedule(&mut prefix, steps);
        }
        for steps in within {
            append_schedule(&mut cycle, steps);
        }
        lasso::follow(system, &prefix, &cycle)?;
        return Some((prefix, cycle));
    }
    None
}

/// The initial state with so many places.
fn start_with(system: &ExploredProgram, scheduled: &Scheduled<'_>, places: u32) -> Option<State> {
    let all = scheduled.places();
    let number = all.iter().position(|other| *other == places)?;
    system.initial().into_iter().nth(number)
}

struct Guide<'a> {
    system: &'a ExploredProgram,
    scheduled: &'a Scheduled<'a>,
    leap: Leap,
    n_transitions: usize,
}

impl Guide<'_> {
    fn follow(&mut self, agents: &[Agent]) -> Option<()> {
        agents.iter().try_for_each(|&agent| self.take(agent))
    }

    fn take(&mut self, agent: Agent) -> Option<()> {
        let (scheduled, automaton) = (self.scheduled, self.scheduled.automaton);
        if let Some(block) = scheduled.starts(agent) {
            if !scheduled.starts_privately {
                // With the first step of one of its threads.
                return Some(());
            }
            let mut threads = self.threads_of(block).into_iter();
            return threads.find_map(|thread| self.fire(thread, true));
        }
        self.fire(automaton.actor(agent), false)
    }

    fn threads_of(&self, block: u32) -> Vec<Actor> {
        let threads = 0..self.scheduled.automaton.n_threads();
        threads
            .map(|thread| Actor::Thread { block, thread })
            .collect()
    }

    /// A transition of an actor, and the private ones that come after it.
    fn fire(&mut self, actor: Actor, must_be_private: bool) -> Option<()> {
        let mut found = self.system.system().fire(&self.leap.state, &[actor]);
        if found.is_empty() {
            return None;
        }
        let (label, next) = found.swap_remove(0);
        let ends = label.fault.is_some() || self.system.is_discarded(&next);
        if ends || must_be_private && label.is_visible() {
            return None;
        }
        let before = self.leap.state.clone();
        self.leap.moved.clear();
        self.leap.take(&label, next, 0);
        let mut due = due_after(&before, &self.leap.moved.clone());
        if let (Actor::Thread { block, .. }, true) = (actor, self.has_named_barriers()) {
            // It may have let others go on, who count as not having moved.
            due = self.threads_of(block);
        }
        for thread in due {
            self.leap.settle(self.system, thread);
        }
        self.n_transitions += self.leap.moved.len();
        (self.n_transitions <= MOST_TRANSITIONS).then_some(())
    }

    fn has_named_barriers(&self) -> bool {
        self.scheduled.automaton.plan().named.is_some()
    }
}

/// Whether the first step of a launch's threads is private.
pub fn starts_privately(system: &ExploredProgram, start: &State) -> bool {
    let Some(grid) = &start.device else {
        return false;
    };
    let n_threads = grid.launch.n_threads() as u32;
    (0..n_threads).any(|thread| {
        let actor = Actor::Thread { block: 0, thread };
        let found = system.system().fire(start, &[actor]);
        found.iter().any(|(label, _)| !label.is_visible())
    })
}
