//! Strongly connected components (Tarjan, *Depth-first search and linear graph algorithms*, SIAM
//! J. Comput. 1972), with a stack of our own: state graphs are deep, and library versions that
//! call themselves for each node overflow the thread's.

use crate::progress::graph::{Graph, Outgoing};

/// A graph as far as its components are concerned.
pub trait Directed {
    fn n_nodes(&self) -> usize;

    /// The end of the edge number `nth` out of a node, if it has so many; a number that is no node
    /// is the end of no edge.
    fn successor(&self, node: u32, nth: usize) -> Option<u32>;
}

struct Whole<'a> {
    graph: &'a Graph,
    out: Outgoing,
}

impl Directed for Whole<'_> {
    fn n_nodes(&self) -> usize {
        self.graph.nodes.len()
    }

    fn successor(&self, node: u32, nth: usize) -> Option<u32> {
        let edge = *self.out.of(node).get(nth)?;
        Some(self.graph.edges[edge as usize].to)
    }
}

/// The components that contain an edge, each with its nodes ascending; ordered by their first
/// node.
pub fn components(graph: &Graph) -> Vec<Vec<u32>> {
    let out = graph.outgoing();
    components_of(&Whole { graph, out })
}

/// [`components`] of any graph.
pub fn components_of(graph: &impl Directed) -> Vec<Vec<u32>> {
    let n = graph.n_nodes();
    let mut search = Tarjan {
        order: vec![UNSEEN; n],
        low: vec![0; n],
        on_stack: vec![false; n],
        stack: Vec::new(),
        n_seen: 0,
    };
    let mut found = Vec::new();
    // A node, how many of its edges have been looked at, and whether one of them is a loop.
    let mut calls: Vec<(u32, u32, bool)> = Vec::new();
    for root in 0..n as u32 {
        if search.order[root as usize] != UNSEEN {
            continue;
        }
        search.enter(root);
        calls.push((root, 0, false));
        while let Some((node, seen, is_loop)) = calls.last_mut() {
            let node = *node;
            match graph.successor(node, *seen as usize) {
                Some(to) => {
                    *seen += 1;
                    *is_loop |= to == node;
                    if to as usize >= n {
                        continue;
                    }
                    if search.order[to as usize] == UNSEEN {
                        search.enter(to);
                        calls.push((to, 0, false));
                    } else if search.on_stack[to as usize] {
                        search.lower(node, search.order[to as usize]);
                    }
                }
                None => {
                    let is_loop = *is_loop;
                    calls.pop();
                    if let Some((parent, ..)) = calls.last() {
                        search.lower(*parent, search.low[node as usize]);
                    }
                    if search.low[node as usize] == search.order[node as usize] {
                        let component = search.leave(node);
                        if component.len() > 1 || is_loop {
                            found.push(component);
                        }
                    }
                }
            }
        }
    }
    found.sort_unstable();
    found
}

const UNSEEN: u32 = u32::MAX;

struct Tarjan {
    order: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<u32>,
    n_seen: u32,
}

impl Tarjan {
    fn enter(&mut self, node: u32) {
        self.order[node as usize] = self.n_seen;
        self.low[node as usize] = self.n_seen;
        self.n_seen += 1;
        self.on_stack[node as usize] = true;
        self.stack.push(node);
    }

    fn lower(&mut self, node: u32, to: u32) {
        let low = &mut self.low[node as usize];
        *low = (*low).min(to);
    }

    /// Takes the component of its first node `root` off the stack.
    fn leave(&mut self, root: u32) -> Vec<u32> {
        let mut component = Vec::new();
        while let Some(node) = self.stack.pop() {
            self.on_stack[node as usize] = false;
            component.push(node);
            if node == root {
                break;
            }
        }
        component.sort_unstable();
        component
    }
}

impl Graph {
    /// The first component (by its first node) that a run may stay in.
    pub fn livelock(&self) -> Option<Vec<u32>> {
        let out = self.outgoing();
        let components = components(self);
        const NONE: u32 = u32::MAX;
        let mut of = vec![NONE; self.nodes.len()];
        for (number, component) in components.iter().enumerate() {
            for &node in component {
                of[node as usize] = number as u32;
            }
        }
        let mut numbered = components.into_iter().zip(0..);
        let allowed = numbered.find(|(component, number)| {
            self.may_stay_in(component, &out, |node| of[node as usize] == *number)
        });
        allowed.map(|(component, _)| component)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::graph::{Edge, Node};

    fn check(n: usize, edges: &[(u32, u32)], expected: &[&[u32]]) {
        let mut graph = Graph {
            nodes: vec![Node::default(); n],
            edges: Vec::new(),
        };
        for &(from, to) in edges {
            graph.edges.push(Edge {
                from,
                to,
                moved: Default::default(),
            });
        }
        let expected: Vec<Vec<u32>> = expected.iter().map(|c| c.to_vec()).collect();
        assert_eq!(components(&graph), expected, "{edges:?}");
    }

    #[test]
    fn known_graphs() {
        check(0, &[], &[]);
        check(1, &[], &[]);
        check(1, &[(0, 0)], &[&[0]]);
        check(3, &[(0, 1), (1, 2)], &[]);
        check(3, &[(0, 1), (1, 2), (2, 1)], &[&[1, 2]]);
        check(
            4,
            &[(0, 1), (1, 0), (1, 2), (2, 3), (3, 2)],
            &[&[0, 1], &[2, 3]],
        );
        check(
            4,
            &[(0, 1), (1, 2), (2, 3), (3, 0), (2, 0)],
            &[&[0, 1, 2, 3]],
        );
        check(5, &[(4, 3), (3, 4), (0, 4), (2, 2)], &[&[2], &[3, 4]]);
    }

    /// Lemma: two nodes are in one component if and only if each reaches the other. Over all
    /// graphs of three nodes.
    #[test]
    fn all_graphs_of_three_nodes() {
        let pairs: Vec<(u32, u32)> = (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).collect();
        for bits in 0u32..1 << pairs.len() {
            let chosen = pairs
                .iter()
                .enumerate()
                .filter(|(i, _)| bits & (1 << i) != 0);
            let edges: Vec<(u32, u32)> = chosen.map(|(_, e)| *e).collect();
            // Paths of at least one edge.
            let mut reaches = [[false; 3]; 3];
            for &(a, b) in &edges {
                reaches[a as usize][b as usize] = true;
            }
            for via in 0..3 {
                for a in 0..3 {
                    for b in 0..3 {
                        reaches[a][b] |= reaches[a][via] && reaches[via][b];
                    }
                }
            }
            let mut expected: Vec<Vec<u32>> = Vec::new();
            for a in 0..3u32 {
                let mutual =
                    |b: &u32| reaches[a as usize][*b as usize] && reaches[*b as usize][a as usize];
                let component: Vec<u32> = (0..3).filter(mutual).collect();
                if component.first() == Some(&a) {
                    expected.push(component);
                }
            }
            let expected: Vec<&[u32]> = expected.iter().map(Vec::as_slice).collect();
            check(3, &edges, &expected);
        }
    }

    #[test]
    fn a_deep_graph_needs_no_deep_stack() {
        let n = 300_000;
        let edges: Vec<(u32, u32)> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        let all: Vec<u32> = (0..n).collect();
        check(n as usize, &edges, &[&all]);
    }
}
