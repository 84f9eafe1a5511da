//! The graph of the states visited, laid out in layers: a state stands as far down as it takes
//! transitions to come to it.

use crate::report::render::observation::outcome;
use gridlock_checker::explore::Outcome;
use gridlock_checker::explore::graph::Graph;
use serde::Serialize;
use std::collections::VecDeque;

/// States drawn; more are no drawing one can read.
const MOST_STATES: usize = 400;
const MOST_EDGES: usize = 2_000;

/// Longest label, in characters.
const LONGEST: usize = 200;

/// A graph with places.
#[derive(Debug, Serialize)]
pub struct Drawing {
    n_states: usize,
    n_transitions: usize,
    /// Empty when there are too many.
    states: Vec<State>,
    /// From, to, and what happens.
    edges: Vec<(usize, usize, String)>,
}

#[derive(Debug, Serialize)]
struct State {
    /// Place in its layer.
    x: usize,
    /// The layer.
    y: usize,
    /// How a run ends here: `end`, `fault`, `deadlock`; empty where it goes on.
    ends: &'static str,
    what: String,
}

impl Drawing {
    /// A graph laid out; of one that is too large only the counts.
    pub fn new(graph: &Graph) -> Drawing {
        let (n_states, n_transitions) = (graph.nodes.len(), graph.edges.len());
        let drawn = n_states <= MOST_STATES && n_transitions <= MOST_EDGES;
        let (states, edges) = match drawn {
            true => (states(graph), edges(graph)),
            false => (Vec::new(), Vec::new()),
        };
        Drawing {
            n_states,
            n_transitions,
            states,
            edges,
        }
    }
}

fn states(graph: &Graph) -> Vec<State> {
    let layers = layers(graph);
    let mut width: Vec<usize> = vec![0; layers.iter().max().map_or(0, |deepest| deepest + 1)];
    let placed = graph.nodes.iter().zip(&layers).map(|(node, &y)| {
        let x = width[y];
        width[y] += 1;
        let (ends, what) = match &node.outcome {
            None => ("", String::new()),
            Some(seen) => {
                let ends = match seen {
                    Outcome::Observation(_) => "end",
                    Outcome::Fault { .. } => "fault",
                    Outcome::Deadlock => "deadlock",
                };
                (ends, bounded(&outcome(seen)))
            }
        };
        State { x, y, ends, what }
    });
    placed.collect()
}

/// How many transitions it takes to come to each state.
fn layers(graph: &Graph) -> Vec<usize> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut is_entered = vec![false; graph.nodes.len()];
    for edge in &graph.edges {
        if let Some(found) = after.get_mut(edge.from) {
            found.push(edge.to);
        }
        if edge.from != edge.to
            && let Some(entered) = is_entered.get_mut(edge.to)
        {
            *entered = true;
        }
    }
    let mut layer: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    // There may be several initial states.
    let starts = (0..graph.nodes.len()).filter(|&node| node == 0 || !is_entered[node]);
    let mut queue: VecDeque<(usize, usize)> = starts.map(|node| (node, 0)).collect();
    while let Some((node, depth)) = queue.pop_front() {
        if layer.get(node).is_some_and(Option::is_none) {
            layer[node] = Some(depth);
            queue.extend(after[node].iter().map(|next| (*next, depth + 1)));
        }
    }
    layer.into_iter().map(Option::unwrap_or_default).collect()
}

fn edges(graph: &Graph) -> Vec<(usize, usize, String)> {
    let edges = graph.edges.iter();
    edges
        .map(|edge| (edge.from, edge.to, bounded(&edge.label)))
        .collect()
}

fn bounded(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
