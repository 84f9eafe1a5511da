//! The graph of states of a launch, unfolded breadth first.
//!
//! **Private steps are taken at once** where threads fire one at a time and warps do not move in
//! lockstep: in every state that is kept, each thread of a started block stands at its next
//! visible step, waits, has ended, or is in a private cycle. That loses no livelock and adds none:
//! - A kept state is a state of the whole graph and an edge a path of it, so each cycle is one of
//!   the whole graph, with the same agents moving; who can move is asked in kept states.
//! - Conversely let a run be infinite and allowed. A private step reads and writes only what its
//!   thread alone can reach, so it commutes with all steps of others. Taken early it can end its
//!   thread or block early, or bring the thread to a barrier early, and that only enables others:
//!   a barrier, the start of a block. Protected threads take their private steps anyway, or go
//!   round in them for ever, which is a loop here too; unprotected ones owe nothing. What others
//!   can do changes by private steps finitely often in a launch but for a thread's own turns at
//!   barriers, so whom the run owes nothing in the long run stays the same.
//! - A block that has not started is left alone: its first step, private or not, starts it. So is
//!   the host, whose steps without accesses may still concern its other threads.
//!
//! What idle variables hold ([`super::idle`]) tells no states apart.
//!
//! States are told apart by 128-bit fingerprints ([`crate::system::fingerprint`] states the
//! probability of a confusion).

use crate::explore::pieces::{PieceId, Pieces};
use crate::explore::visited::Visited;
use crate::finding::ScheduleStep;
use crate::progress::agents::Agents;
use crate::progress::graph::{Edge, Graph, Node};
use crate::progress::guarantee::Guarantee;
use crate::progress::idle::Idle;
use crate::progress::settle::{Leap, due_after, numbered, settles};
use crate::system::fingerprint::fingerprint;
use crate::system::{Explorable, ExploredProgram};
use gridlock_semantics::host::State;
use gridlock_semantics::transition::{Label, TransitionSystem};
use std::collections::VecDeque;

/// Bytes a kept node or edge costs beside its state, roughly.
const NODE_BYTES: u64 = 160;
const EDGE_BYTES: u64 = 80;

/// The part of the graph that is unfolded so far. Nodes that wait to be expanded have no edges
/// and no claims yet.
pub struct Unfolding<'a> {
    system: &'a ExploredProgram,
    guarantee: Guarantee,
    idle: Idle,
    settles: bool,
    agents: Agents,
    pub graph: Graph,
    /// For each edge, its transitions.
    ways: Vec<PieceId>,
    pieces: Pieces,
    /// Numbers of states are those of nodes.
    visited: Visited<State>,
    waiting: VecDeque<(u32, State)>,
    waiting_bytes: u64,
    pub n_transitions: u64,
    /// A state in which no actor can move and the run may not end.
    pub stuck: Option<u32>,
    /// Why some state was not expanded.
    pub cut: Option<String>,
}

impl<'a> Unfolding<'a> {
    pub fn new(system: &'a ExploredProgram) -> Unfolding<'a> {
        Unfolding {
            settles: settles(system),
            ..Unfolding::step_by_step(system)
        }
    }

    /// Every private step by itself.
    pub fn step_by_step(system: &'a ExploredProgram) -> Unfolding<'a> {
        let mut unfolding = Unfolding {
            system,
            guarantee: Guarantee(system.profile().axes.termination.progress),
            idle: Idle::of(system.program()),
            settles: false,
            agents: Agents::default(),
            graph: Graph::default(),
            ways: Vec::new(),
            pieces: Pieces::default(),
            visited: Visited::new(false),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            n_transitions: 0,
            stuck: None,
            cut: None,
        };
        for state in system.initial() {
            unfolding.enter(state, None);
        }
        unfolding
    }

    pub fn is_done(&self) -> bool {
        self.waiting.is_empty()
    }

    pub fn bytes(&self) -> u64 {
        self.graph.nodes.len() as u64 * NODE_BYTES
            + self.graph.edges.len() as u64 * EDGE_BYTES
            + self.waiting_bytes
    }

    /// The number of a state; `by`: a node, and the transitions that lead from there to it.
    fn enter(&mut self, state: State, by: Option<(u32, &[ScheduleStep])>) -> u32 {
        let print = fingerprint(&self.idle.forget(&state));
        let by = by.map(|(from, steps)| (from, steps, 1));
        let (number, is_new) = self.visited.insert(&state, print, 0, by);
        if is_new {
            self.graph.nodes.push(Node::default());
            self.waiting_bytes += self.system.state_bytes(&state);
            self.waiting.push_back((number, state));
        }
        number
    }

    /// Expands the oldest state that waits.
    pub fn expand_next(&mut self) {
        let Some((number, state)) = self.waiting.pop_front() else {
            return;
        };
        let bytes = self.system.state_bytes(&state);
        self.waiting_bytes = self.waiting_bytes.saturating_sub(bytes);
        if let Some(why) = self.system.too_wide(&state) {
            self.cut.get_or_insert(why);
            return;
        }
        let mut found: Vec<(Label, State)> = Vec::new();
        self.system.successors(&state, &mut found);
        let is_final = self.system.is_final(&state);
        if found.is_empty() && !is_final && !self.system.is_discarded(&state) {
            self.stuck.get_or_insert(number);
        }
        let claims = self.guarantee.claims(&state, found.iter().map(|(l, _)| l));
        self.graph.nodes[number as usize] = Node {
            owed: self.agents.set(claims.owed),
            owes_start: claims.owes_start,
            is_final,
        };
        for (label, next, choice) in numbered(found) {
            self.n_transitions += 1;
            // A run ends in a fault, and one whose assumption fails does not count.
            if label.fault.is_some() || self.system.is_discarded(&next) {
                continue;
            }
            let mut leap = Leap::from(state.clone());
            leap.take(&label, next, choice);
            if self.settles {
                for actor in due_after(&state, &leap.moved.clone()) {
                    leap.settle(self.system, actor);
                }
            }
            self.n_transitions += leap.moved.len() as u64 - 1;
            self.edge(number, leap);
        }
    }

    fn edge(&mut self, from: u32, leap: Leap) {
        let to = self.enter(leap.state, Some((from, &leap.steps)));
        let moved = self.agents.set(leap.moved);
        self.ways.push(self.pieces.number(&leap.steps));
        self.graph.edges.push(Edge { from, to, moved });
    }

    /// The transitions of a walk, every one.
    pub fn schedule(&self, edges: &[u32]) -> Vec<ScheduleStep> {
        let mut schedule = Vec::new();
        for &edge in edges {
            let way = self.pieces.get(self.ways[edge as usize]);
            crate::finding::append_schedule(&mut schedule, way);
        }
        schedule
    }

    /// The transitions of a shortest walk from an initial state to a node, every one.
    pub fn schedule_to(&self, node: u32) -> Vec<ScheduleStep> {
        self.visited.schedule(node)
    }
}
