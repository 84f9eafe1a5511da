//! The graph of states as the question of progress sees it, and which of its components an
//! infinite run may stay in.

use crate::progress::agents::AgentSet;

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The agents that are protected here and can move here: a run that stays in this state owes
    /// each of them a move.
    pub owed: AgentSet,
    /// A block could start here, and the guarantee says that a free place is filled.
    pub owes_start: bool,
    /// The run may end here.
    pub is_final: bool,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Number of a node.
    pub from: u32,
    /// Number of a node.
    pub to: u32,
    /// The agents that move.
    pub moved: AgentSet,
}

/// States and transitions, without what they do to memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// By number.
    pub nodes: Vec<Node>,
    /// By number.
    pub edges: Vec<Edge>,
}

/// The numbers of the edges out of each node.
pub struct Outgoing {
    first: Vec<u32>,
    edges: Vec<u32>,
}

impl Outgoing {
    pub fn of(&self, node: u32) -> &[u32] {
        let (from, to) = (self.first[node as usize], self.first[node as usize + 1]);
        &self.edges[from as usize..to as usize]
    }
}

impl Graph {
    /// Groups the edges by the node they leave.
    pub fn outgoing(&self) -> Outgoing {
        self.grouped(|edge| edge.from)
    }

    fn grouped(&self, end: impl Fn(&Edge) -> u32) -> Outgoing {
        let mut first = vec![0u32; self.nodes.len() + 1];
        for edge in &self.edges {
            first[end(edge) as usize + 1] += 1;
        }
        for i in 0..self.nodes.len() {
            first[i + 1] += first[i];
        }
        let mut place = first.clone();
        let mut edges = vec![0; self.edges.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            let slot = &mut place[end(edge) as usize];
            edges[*slot as usize] = number as u32;
            *slot += 1;
        }
        Outgoing { first, edges }
    }

    /// Whether a run may cycle in a component for ever: each agent that is owed a move in all
    /// of its states moves on one of its edges, and in some of its states no start is owed.
    /// `inside` says whether a node belongs to it.
    pub fn may_stay_in(
        &self,
        component: &[u32],
        out: &Outgoing,
        inside: impl Fn(u32) -> bool,
    ) -> bool {
        let nodes = || component.iter().map(|&node| &self.nodes[node as usize]);
        if nodes().all(|node| node.owes_start) {
            return false;
        }
        let Some(mut owed) = nodes().next().map(|node| node.owed.clone()) else {
            return false;
        };
        for node in nodes() {
            owed = owed.common(&node.owed);
        }
        for &node in component {
            for &edge in out.of(node) {
                if owed.is_empty() {
                    return true;
                }
                let edge = &self.edges[edge as usize];
                if inside(edge.to) {
                    owed = owed.without(&edge.moved);
                }
            }
        }
        owed.is_empty()
    }

    /// Whether a state in which the run may end can be reached from `node`.
    pub fn can_end_from(&self, node: u32) -> bool {
        let out = self.outgoing();
        let mut seen = vec![false; self.nodes.len()];
        let mut todo = vec![node];
        seen[node as usize] = true;
        while let Some(at) = todo.pop() {
            if self.nodes[at as usize].is_final {
                return true;
            }
            for &edge in out.of(at) {
                let to = self.edges[edge as usize].to;
                if !seen[to as usize] {
                    seen[to as usize] = true;
                    todo.push(to);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes as `(agents owed a move, start owed)`, edges as `(from, to, who moves)`.
    fn check(nodes: &[(&[u32], bool)], edges: &[(u32, u32, &[u32])], livelock: Option<&[u32]>) {
        let nodes = nodes.iter().map(|(owed, owes_start)| Node {
            owed: owed.iter().copied().collect(),
            owes_start: *owes_start,
            is_final: false,
        });
        let edges = edges.iter().map(|(from, to, moved)| Edge {
            from: *from,
            to: *to,
            moved: moved.iter().copied().collect(),
        });
        let graph = Graph {
            nodes: nodes.collect(),
            edges: edges.collect(),
        };
        assert_eq!(graph.livelock().as_deref(), livelock);
    }

    #[test]
    fn nobody_protected_any_cycle() {
        check(&[(&[], false)], &[(0, 0, &[0])], Some(&[0]));
        check(&[(&[], false), (&[], false)], &[(0, 1, &[0])], None);
    }

    #[test]
    fn a_protected_agent_that_never_moves_must_not_be_able_to_all_the_time() {
        // Agent 1 can move in every state of the cycle, and does not.
        check(&[(&[0, 1], false)], &[(0, 0, &[0])], None);
        let cycle: [(u32, u32, &[u32]); 2] = [(0, 1, &[0]), (1, 0, &[0])];
        check(&[(&[0, 1], false), (&[0, 1], false)], &cycle, None);
        // In one state it cannot: nothing is owed to it for good.
        check(&[(&[0, 1], false), (&[0], false)], &cycle, Some(&[0, 1]));
    }

    #[test]
    fn moves_on_different_edges_count_together() {
        // Each agent has its own loop, and one walk takes both.
        let loops: [(u32, u32, &[u32]); 2] = [(0, 0, &[0]), (0, 0, &[1])];
        check(&[(&[0, 1], false)], &loops, Some(&[0]));
        check(&[(&[0, 1, 2], false)], &loops, None);
    }

    #[test]
    fn a_move_out_of_the_component_does_not_count() {
        let edges: [(u32, u32, &[u32]); 2] = [(0, 0, &[0]), (0, 1, &[1])];
        check(&[(&[0, 1], false), (&[], false)], &edges, None);
        check(&[(&[0], false), (&[], false)], &edges, Some(&[0]));
    }

    #[test]
    fn a_free_place_is_filled() {
        check(&[(&[0], true)], &[(0, 0, &[0])], None);
        let cycle: [(u32, u32, &[u32]); 2] = [(0, 1, &[0]), (1, 0, &[0])];
        check(&[(&[0], true), (&[0], true)], &cycle, None);
        check(&[(&[0], true), (&[0], false)], &cycle, Some(&[0, 1]));
    }

    #[test]
    fn the_first_that_is_allowed() {
        let edges: [(u32, u32, &[u32]); 4] =
            [(0, 0, &[0]), (0, 1, &[1]), (1, 2, &[0]), (2, 1, &[0])];
        check(
            &[(&[0, 1], false), (&[0], false), (&[0], false)],
            &edges,
            Some(&[1, 2]),
        );
    }

    #[test]
    fn the_end_may_be_out_of_reach() {
        let node = |is_final| Node {
            is_final,
            ..Node::default()
        };
        let edge = |from, to| Edge {
            from,
            to,
            moved: AgentSet::default(),
        };
        let graph = Graph {
            nodes: vec![node(false), node(false), node(true)],
            edges: vec![edge(0, 1), edge(1, 1), edge(0, 2)],
        };
        assert!(graph.can_end_from(0) && graph.can_end_from(2));
        assert!(!graph.can_end_from(1));
    }
}
