//! A closed walk through a component that meets every condition the component meets.

use crate::progress::agents::AgentSet;
use crate::progress::graph::{Graph, Outgoing};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What a walk still has to show.
struct Open {
    /// Agents that have neither moved nor been without a claim.
    agents: AgentSet,
    /// A state in which no start is owed has not been seen.
    start: bool,
}

impl Open {
    fn is_done(&self) -> bool {
        self.agents.is_empty() && !self.start
    }

    fn visit(&mut self, graph: &Graph, node: u32) {
        let node = &graph.nodes[node as usize];
        self.agents = self.agents.common(&node.owed);
        self.start &= node.owes_start;
    }

    fn helps(&self, graph: &Graph, edge: u32) -> bool {
        let edge = &graph.edges[edge as usize];
        let to = &graph.nodes[edge.to as usize];
        let moved = !self.agents.common(&edge.moved).is_empty();
        let freed = !self.agents.without(&to.owed).is_empty();
        moved || freed || self.start && !to.owes_start
    }
}

/// The edges of a closed walk from the first node of `component`, in order: of an allowed
/// component ([`Graph::may_stay_in`]) one that meets each condition itself. Short, not shortest.
pub fn covering_walk(graph: &Graph, component: &[u32]) -> Vec<u32> {
    let out = graph.outgoing();
    let Some(&start) = component.first() else {
        return Vec::new();
    };
    let first = &graph.nodes[start as usize];
    let mut open = Open {
        agents: first.owed.clone(),
        start: first.owes_start,
    };
    let mut walk: Vec<u32> = Vec::new();
    let mut at = start;
    while !open.is_done() {
        // Not there only where the component is not allowed.
        let Some(way) = way_to(graph, &out, component, at, |edge| open.helps(graph, edge)) else {
            break;
        };
        for edge in way {
            let taken = &graph.edges[edge as usize];
            open.agents = open.agents.without(&taken.moved);
            open.visit(graph, taken.to);
            at = taken.to;
            walk.push(edge);
        }
    }
    if at != start || walk.is_empty() {
        let home = way_to(graph, &out, component, at, |edge| {
            graph.edges[edge as usize].to == start
        });
        walk.extend(home.unwrap_or_default());
    }
    walk
}

/// The shortest way inside a component that ends with an edge as wanted.
fn way_to(
    graph: &Graph,
    out: &Outgoing,
    component: &[u32],
    from: u32,
    is_wanted: impl Fn(u32) -> bool,
) -> Option<Vec<u32>> {
    let mut came_by: FxHashMap<u32, Option<u32>> = FxHashMap::default();
    came_by.insert(from, None);
    let mut todo = VecDeque::from([from]);
    while let Some(at) = todo.pop_front() {
        for &edge in out.of(at) {
            let to = graph.edges[edge as usize].to;
            if component.binary_search(&to).is_err() {
                continue;
            }
            if is_wanted(edge) {
                let mut way = vec![edge];
                let mut node = at;
                while let Some(&Some(before)) = came_by.get(&node) {
                    way.push(before);
                    node = graph.edges[before as usize].from;
                }
                way.reverse();
                return Some(way);
            }
            came_by.entry(to).or_insert_with(|| {
                todo.push_back(to);
                Some(edge)
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::graph::{Edge, Node};

    fn graph(owed: &[&[u32]], edges: &[(u32, u32, &[u32])]) -> Graph {
        let node = |owed: &&[u32]| Node {
            owed: owed.iter().copied().collect(),
            ..Node::default()
        };
        let edge = |(from, to, moved): &(u32, u32, &[u32])| Edge {
            from: *from,
            to: *to,
            moved: moved.iter().copied().collect(),
        };
        Graph {
            nodes: owed.iter().map(node).collect(),
            edges: edges.iter().map(edge).collect(),
        }
    }

    #[test]
    fn it_is_closed_and_lets_everybody_move() {
        // Agent 1 moves only on the far side; agent 2 is free of claims in node 2 only.
        let graph = graph(
            &[&[0, 1, 2], &[0, 1, 2], &[0, 1], &[0, 1, 2]],
            &[
                (0, 0, &[0]),
                (0, 1, &[0]),
                (1, 0, &[1]),
                (1, 2, &[0]),
                (2, 0, &[0]),
                (0, 3, &[0]),
            ],
        );
        let component = graph.livelock().unwrap();
        assert_eq!(component, [0, 1, 2]);
        let walk = covering_walk(&graph, &component);
        let mut at = 0;
        for &edge in &walk {
            assert_eq!(graph.edges[edge as usize].from, at);
            at = graph.edges[edge as usize].to;
        }
        assert_eq!(at, 0);
        assert!(walk.contains(&2) && walk.contains(&3), "{walk:?}");
    }

    #[test]
    fn where_nothing_is_owed_one_round() {
        let graph = graph(&[&[], &[]], &[(0, 1, &[0]), (1, 0, &[0])]);
        assert_eq!(covering_walk(&graph, &[0, 1]), [0, 1]);
    }
}
