//! The search: one stateful loop for every strategy and every way of expanding a state.
//!
//! States wait in a [`Frontier`]; each is expanded once, and its successors not seen before wait
//! in turn. States are expanded in parallel but recorded one after another in a fixed order, so
//! the result does not depend on the number of processors (limits on seconds aside).
//!
//! **Proviso.** A reduced expansion is taken only if it leads to at least one state that has not
//! been expanded yet; otherwise the state is expanded fully. So on every cycle of the reduced
//! graph some state is expanded fully, and no transition is put off forever (the closed-set
//! proviso for general search: Bošnački, Leue, Lluch-Lafuente, *Partial-order reduction for
//! general state exploring algorithms*, STTT 2009).

use crate::explore::collected::{Collected, Seen};
use crate::explore::cycles::has_cycle;
use crate::explore::expansion::{Edge, Expander, Expansion, FaultSeen};
use crate::explore::exploration::Exploration;
use crate::explore::frontier::Frontier;
use crate::explore::graph::{self, Graph};
use crate::explore::options::ExploreOptions;
use crate::explore::outcome::{Outcome, outcome_of};
use crate::explore::visited::{NodeId, Visited, print_of};
use crate::finding::{ScheduleStep, Statistics, append_schedule};
use crate::limits::{Limits, interruption};
use crate::system::Explorable;
use gridlock_semantics::algebra::operator::OpId;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::time::Instant;

/// Most states expanded together: enough to keep processors busy.
const MOST_TOGETHER: usize = 256;
/// Seconds a batch may take before the next is made smaller, so that limits are noticed in time.
/// (The size of batches does not change the result.)
const BATCH_SECONDS: f64 = 0.1;

struct Waiting<S> {
    node: NodeId,
    state: S,
}

struct Search<'a, T: Explorable, E> {
    system: &'a T,
    expander: &'a E,
    limits: &'a Limits,
    options: &'a ExploreOptions,
    started: Instant,
    visited: Visited<T::State>,
    frontier: Frontier<Waiting<T::State>>,
    frontier_bytes: u64,
    edges: Vec<(NodeId, NodeId)>,
    statistics: Statistics,
    collected: Collected<NodeId, ScheduleStep>,
    known_races: FxHashSet<(OpId, OpId)>,
    limits_hit: Vec<String>,
    stopped: bool,
    graph: Option<Graph>,
    graph_ends: Vec<(NodeId, Outcome, String)>,
}

/// Runs the search. `unreduced_because` is handed through to the result.
pub fn search<T: Explorable, E: Expander<T::State>>(
    system: &T,
    expander: &E,
    limits: &Limits,
    options: &ExploreOptions,
    unreduced_because: Option<String>,
) -> Exploration {
    let mut search = Search {
        system,
        expander,
        limits,
        options,
        started: Instant::now(),
        visited: Visited::new(options.exact),
        frontier: Frontier::new(options.strategy),
        frontier_bytes: 0,
        edges: Vec::new(),
        statistics: Statistics::default(),
        collected: Collected::default(),
        known_races: FxHashSet::default(),
        limits_hit: Vec::new(),
        stopped: false,
        graph: options.graph.then(Graph::default),
        graph_ends: Vec::new(),
    };
    for state in system.initial() {
        let edge = expander.start(state);
        let print = print_of(&edge.to, options.exact);
        search.enter(None, edge, print);
    }
    search.run(unreduced_because.is_none());
    search.finish(unreduced_because)
}

impl<T: Explorable, E: Expander<T::State>> Search<'_, T, E> {
    fn run(&mut self, reduce: bool) {
        let mut batch = 1;
        while !self.frontier.is_empty() && !self.over_a_limit() {
            let began = Instant::now();
            let states = self.frontier.pop(batch);
            let expanded = self.expand_all(&states, reduce);
            for (waiting, expanded) in states.into_iter().zip(expanded) {
                // What was not expanded in time has no place in the frontier any more.
                let Some((expansion, prints)) = expanded else {
                    if !self.over_a_limit() {
                        self.limits_hit.push(crate::limits::TIME.to_owned());
                    }
                    self.stopped = true;
                    return;
                };
                self.frontier_bytes = self
                    .frontier_bytes
                    .saturating_sub(self.system.state_bytes(&waiting.state));
                self.record(waiting, expansion, prints);
                // At the same state whatever the size of batches.
                let is_full = self.visited.len() as u64 > self.limits.states;
                if self.stopped || is_full && self.over_a_limit() {
                    return;
                }
            }
            batch = if began.elapsed().as_secs_f64() > BATCH_SECONDS {
                (batch / 4).max(1)
            } else {
                (batch * 2).min(MOST_TOGETHER)
            };
        }
    }

    #[allow(clippy::type_complexity)]
    fn expand_all(
        &self,
        states: &[Waiting<T::State>],
        reduce: bool,
    ) -> Vec<Option<(Expansion<T::State>, Vec<u128>)>> {
        let expand = |waiting: &Waiting<T::State>| {
            if self.is_late() {
                return None;
            }
            let expansion = self.expander.expand(&waiting.state, reduce);
            let prints = self.prints(&expansion.edges);
            Some((expansion, prints))
        };
        if states.len() < 8 {
            states.iter().map(expand).collect()
        } else {
            states.par_iter().map(expand).collect()
        }
    }

    fn prints(&self, edges: &[Edge<T::State>]) -> Vec<u128> {
        let print = |edge: &Edge<T::State>| print_of(&edge.to, self.options.exact);
        edges.iter().map(print).collect()
    }

    fn is_late(&self) -> bool {
        self.limits.are_over_since(self.started) || interruption::is_asked()
    }

    /// Whether a limit is reached; says so once.
    fn over_a_limit(&mut self) -> bool {
        let bytes = self.bytes();
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(bytes);
        let (limits, states) = (self.limits, self.visited.len() as u64);
        let reached = limits.reached(states, bytes, || limits.are_over_since(self.started));
        let is_over = reached.is_some();
        self.stopped |= is_over;
        self.limits_hit.extend(reached);
        is_over
    }

    fn bytes(&self) -> u64 {
        self.visited.bytes() + self.frontier_bytes + self.edges.len() as u64 * 8
    }

    fn record(
        &mut self,
        waiting: Waiting<T::State>,
        mut expansion: Expansion<T::State>,
        mut prints: Vec<u128>,
    ) {
        let Waiting { node, state } = waiting;
        self.visited.close(node);
        self.record_defects(node, &expansion);
        if expansion.reduced && !self.leads_on(&expansion, &prints) {
            expansion = self.expander.expand(&state, false);
            prints = self.prints(&expansion.edges);
            self.record_defects(node, &expansion);
        }
        if expansion.cut {
            let wide = self.system.too_wide(&state);
            self.hit_once(wide.unwrap_or_else(|| crate::limits::ALONE.to_owned()));
        }
        let Expansion { cut, goes_on, .. } = expansion;
        if expansion.edges.is_empty() && expansion.faults.is_empty() && !cut && !goes_on {
            self.record_end(node, &state);
        }
        if self.visited.depth(node) >= self.limits.depth && !expansion.edges.is_empty() {
            self.hit_once(self.limits.cut_by_depth());
            return;
        }
        for (edge, print) in expansion.edges.into_iter().zip(prints) {
            self.enter(Some(node), edge, print);
        }
    }

    fn hit_once(&mut self, limit: String) {
        if !self.limits_hit.contains(&limit) {
            self.limits_hit.push(limit);
        }
    }

    /// Whether some edge leads to a state that is still to be expanded.
    fn leads_on(&mut self, expansion: &Expansion<T::State>, prints: &[u128]) -> bool {
        expansion.edges.iter().zip(prints).any(|(edge, &print)| {
            match self.visited.find(&edge.to, print) {
                Some(seen) => !self.visited.is_closed(seen),
                None => true,
            }
        })
    }

    fn enter(&mut self, from: Option<NodeId>, edge: Edge<T::State>, print: u128) {
        self.statistics.transitions += edge.n_transitions as u64;
        let bytes = self.system.state_bytes(&edge.to);
        let parent = from.map(|from| (from, edge.schedule.as_slice(), edge.n_transitions));
        let (node, is_new) = self.visited.insert(&edge.to, print, bytes, parent);
        if let Some(from) = from {
            self.edges.push((from, node));
            if let Some(graph) = &mut self.graph {
                graph.edges.push(graph::Edge {
                    from: from as usize,
                    to: node as usize,
                    label: edge.label,
                });
            }
        }
        if is_new {
            self.frontier_bytes += bytes;
            self.frontier.push(Waiting {
                node,
                state: edge.to,
            });
        }
    }

    fn record_end(&mut self, node: NodeId, state: &T::State) {
        if self.system.is_discarded(state) {
            return;
        }
        self.statistics.executions += 1;
        let seen = || Seen::at(node);
        if self.system.is_final(state) {
            let observation = self.system.observe(state);
            self.draw_end(node, || Outcome::Observation(observation.clone()), &[]);
            self.collected.ended(observation, seen);
            for leak in self.system.leaks(state) {
                self.collected.leak(&leak, seen);
            }
        } else {
            self.draw_end(node, || Outcome::Deadlock, &[]);
            let n_before = self.collected.n_findings();
            self.collected.stuck(self.system.positions(state), || node);
            self.stop_at_new(n_before);
        }
    }

    fn record_defects(&mut self, node: NodeId, expansion: &Expansion<T::State>) {
        let n_before = self.collected.n_findings();
        let seen = |then: &[ScheduleStep]| Seen {
            at: node,
            then: then.to_vec(),
        };
        for race in &expansion.races {
            let (first, second) = (race.first, race.second);
            let ops = (first.op.min(second.op), first.op.max(second.op));
            if self.known_races.insert(ops) {
                (self.collected).race([first, second], seen(&race.schedule));
            }
        }
        for FaultSeen { fault, schedule } in &expansion.faults {
            self.draw_end(node, || outcome_of(fault), schedule);
            let is_new = self.collected.fault(fault, || seen(schedule));
            self.statistics.executions += is_new as u64;
        }
        self.stop_at_new(n_before);
    }

    fn stop_at_new(&mut self, n_before: usize) {
        self.stopped |= self.options.stop_at_first && self.collected.n_findings() > n_before;
    }

    /// Notes the end of a run for drawing, with those who move from `node` to it.
    fn draw_end(&mut self, node: NodeId, outcome: impl Fn() -> Outcome, rest: &[ScheduleStep]) {
        if self.graph.is_some() {
            let label = rest
                .first()
                .map_or(String::new(), |step| format!("{:?}", step.actors));
            self.graph_ends.push((node, outcome(), label));
        }
    }

    fn finish(mut self, unreduced_because: Option<String>) -> Exploration {
        self.statistics.states = self.visited.len() as u64;
        self.statistics.seconds = self.started.elapsed().as_secs_f64();
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(self.bytes());
        let n_nodes = self.visited.len();
        let graph = self.graph.take().map(|mut graph| {
            graph.nodes = vec![graph::Node { outcome: None }; n_nodes];
            for (node, outcome, label) in std::mem::take(&mut self.graph_ends) {
                if matches!(outcome, Outcome::Fault { .. }) {
                    graph.edges.push(graph::Edge {
                        from: node as usize,
                        to: graph.nodes.len(),
                        label,
                    });
                    graph.nodes.push(graph::Node {
                        outcome: Some(outcome),
                    });
                } else {
                    graph.nodes[node as usize].outcome = Some(outcome);
                }
            }
            graph
        });
        let visited = &self.visited;
        let shown = self.collected.shown(|at, then| {
            let mut schedule = visited.schedule(*at);
            append_schedule(&mut schedule, then);
            schedule
        });
        Exploration {
            cycle: has_cycle(n_nodes, &self.edges),
            unreduced_because,
            graph,
            ..Exploration::of(shown, self.limits_hit, self.stopped, self.statistics)
        }
    }
}
