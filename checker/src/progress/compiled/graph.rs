//! The graph of states, compact: eight bytes an edge.
//!
//! An edge is known by its *mover*: the class of interchangeable threads and the local state of the
//! thread that moves (or the class of the block whose barrier it is). A mover that can move in a
//! state has an edge there, one to [`NOWHERE`] where no run goes on.
//!
//! **A component that is not allowed.** Let a mover be able to move in all states of a component, and
//! on no edge of it move. Take any run that stays in it; in some state of the run a thread of the class
//! stands in the local state and can move. It never does, for it would be such an edge; so it
//! stands there for ever, and for ever can move, since nothing but its own step takes that away
//! ([`super::scheduled`]: accesses are always possible, barriers stay complete). The run breaks the
//! guarantee. Where no threads are interchangeable the converse holds too: a thread that can always move and
//! never does stands in one local state. Where threads are, what is not ruled out is looked
//! at state by state ([`super::lasso`]).

use crate::progress::components::{Directed, components_of};
use gridlock_semantics::profile::Progress;

/// The end of an edge that no run goes along.
pub const NOWHERE: u32 = u32::MAX;

/// The mover of edges along which a block starts.
pub const START: u32 = 0;

#[derive(Default)]
pub struct Compact {
    /// By node: the number of its first edge. Nodes are expanded in their order.
    first: Vec<u64>,
    to: Vec<u32>,
    movers: Vec<u32>,
    /// By node: whether a run may end there, and whether a block may start.
    is_final: Vec<bool>,
    may_start: Vec<bool>,
    n_movers: u32,
}

impl Compact {
    /// Begins the next node.
    pub fn node(&mut self, is_final: bool, may_start: bool) {
        self.first.push(self.to.len() as u64);
        self.is_final.push(is_final);
        self.may_start.push(may_start);
    }

    /// An edge of the node begun last; `to` may be a node not begun yet.
    pub fn edge(&mut self, to: u32, mover: u32) {
        self.to.push(to);
        self.movers.push(mover);
        self.n_movers = self.n_movers.max(mover + 1);
    }

    fn edges(&self, node: u32) -> std::ops::Range<usize> {
        let node = node as usize;
        let (Some(&from), end) = (self.first.get(node), self.to.len() as u64) else {
            return 0..0;
        };
        from as usize..self.first.get(node + 1).copied().unwrap_or(end) as usize
    }

    /// What it takes, and what looking for components takes besides.
    pub fn bytes(&self) -> u64 {
        const OF_COMPONENTS: u64 = 20;
        let nodes = self.first.capacity() as u64 * (10 + OF_COMPONENTS);
        nodes + self.to.capacity() as u64 * 8
    }

    /// The components that may be ones that a run stays in, by their first nodes. `n_nodes` counts
    /// nodes that are not begun.
    pub fn candidates(&self, n_nodes: usize, progress: Progress) -> Vec<Vec<u32>> {
        let mut all = components_of(&View {
            graph: self,
            n_nodes,
        });
        if progress == Progress::Unfair {
            return all;
        }
        let mut of = vec![NOWHERE; n_nodes];
        for (number, component) in all.iter().enumerate() {
            for &node in component {
                of[node as usize] = number as u32;
            }
        }
        let mut tally = vec![Tally::default(); self.n_movers as usize];
        let mut number = 0;
        all.retain(|component| {
            let inside = number;
            number += 1;
            // Who has started and who has ended is the same throughout.
            !self.may_start[component[0] as usize]
                && !self.is_ruled_out(component, &mut tally, |node| {
                    of.get(node as usize) == Some(&inside)
                })
        });
        all
    }

    fn is_ruled_out(
        &self,
        component: &[u32],
        tally: &mut [Tally],
        inside: impl Fn(u32) -> bool,
    ) -> bool {
        let mut met: Vec<u32> = Vec::new();
        for &node in component {
            for edge in self.edges(node) {
                let mover = self.movers[edge];
                let own = &mut tally[mover as usize];
                if own.n_nodes == 0 && !own.moves {
                    met.push(mover);
                }
                if own.n_nodes == 0 || own.last != node {
                    own.n_nodes += 1;
                    own.last = node;
                }
                own.moves |= inside(self.to[edge]);
            }
        }
        let n_nodes = component.len() as u32;
        let mut ruled_out = false;
        for mover in met {
            let own = std::mem::take(&mut tally[mover as usize]);
            ruled_out |= mover != START && own.n_nodes == n_nodes && !own.moves;
        }
        ruled_out
    }

    /// Whether a state in which the run may end can be reached from `node`.
    pub fn can_end_from(&self, node: u32, n_nodes: usize) -> bool {
        let mut seen = vec![false; n_nodes];
        let mut todo = vec![node];
        seen[node as usize] = true;
        while let Some(at) = todo.pop() {
            if self.is_final.get(at as usize) == Some(&true) {
                return true;
            }
            for edge in self.edges(at) {
                let to = self.to[edge];
                if to != NOWHERE && !std::mem::replace(&mut seen[to as usize], true) {
                    todo.push(to);
                }
            }
        }
        false
    }
}

/// What one component says of a mover.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// States in which it can move.
    n_nodes: u32,
    last: u32,
    /// It moves on an edge of the component.
    moves: bool,
}

struct View<'a> {
    graph: &'a Compact,
    n_nodes: usize,
}

impl Directed for View<'_> {
    fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    fn successor(&self, node: u32, nth: usize) -> Option<u32> {
        let mut edges = self.graph.edges(node);
        let edge = edges.nth(nth)?;
        Some(self.graph.to[edge])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes as `(a block may start, edges)`, edges as `(to, mover)`.
    fn check(nodes: &[(bool, &[(u32, u32)])], progress: Progress, expected: &[&[u32]]) {
        let mut graph = Compact::default();
        for (may_start, edges) in nodes {
            graph.node(false, *may_start);
            edges.iter().for_each(|&(to, mover)| graph.edge(to, mover));
        }
        let found = graph.candidates(nodes.len(), progress);
        assert_eq!(found, expected, "{nodes:?} {progress:?}");
    }

    #[test]
    fn who_can_always_move_and_never_does_rules_out() {
        use Progress::{Fair, OccupancyBound, Unfair};
        // Mover 1 is in a cycle; mover 2 can leave.
        let leaves: &[(bool, &[(u32, u32)])] = &[(false, &[(0, 1), (1, 2)]), (false, &[])];
        check(leaves, OccupancyBound, &[]);
        check(leaves, Fair, &[]);
        check(leaves, Unfair, &[&[0]]);
        // It can in one of two states only.
        let at_times: &[(bool, &[(u32, u32)])] =
            &[(false, &[(1, 1), (2, 2)]), (false, &[(0, 1)]), (false, &[])];
        check(at_times, OccupancyBound, &[&[0, 1]]);
        // It ends the run wherever it moves.
        let ends: &[(bool, &[(u32, u32)])] = &[(false, &[(0, 1), (NOWHERE, 2)])];
        check(ends, OccupancyBound, &[]);
        // A place is free.
        let free: &[(bool, &[(u32, u32)])] = &[(true, &[(0, 1), (1, START)]), (false, &[])];
        check(free, OccupancyBound, &[]);
        check(free, Fair, &[]);
        check(free, Unfair, &[&[0]]);
        // No other thread is there.
        check(&[(false, &[(0, 1)])], Fair, &[&[0]]);
    }

    #[test]
    fn an_end_within_reach() {
        let mut graph = Compact::default();
        for (is_final, to) in [(false, 1), (false, 0), (true, 0)] {
            graph.node(is_final, false);
            graph.edge(to, 1);
        }
        assert!(!graph.can_end_from(0, 3));
        assert!(graph.can_end_from(2, 3));
    }
}
