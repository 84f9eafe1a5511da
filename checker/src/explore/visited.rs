//! The set of visited states and, for each, how it was first reached.

use crate::explore::pieces::{PieceId, Pieces};
use crate::finding::{ScheduleStep, append_schedule};
use crate::system::fingerprint::fingerprint;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// Number of a visited state, in the order of discovery.
pub type NodeId = u32;

/// How a state was first reached.
struct Node {
    /// `NodeId::MAX` for an initial state.
    parent: NodeId,
    /// What leads here from there.
    piece: PieceId,
    /// Transitions from an initial state.
    depth: u32,
    /// Its successors have been looked at.
    closed: bool,
}

enum Table<S> {
    Fingerprints(FxHashMap<u128, NodeId>),
    Exact(FxHashMap<S, NodeId>),
}

pub struct Visited<S> {
    table: Table<S>,
    nodes: Vec<Node>,
    pieces: Pieces,
    exact_state_bytes: u64,
}

/// Bytes one visited state costs: key and number at the table's usual load, and the node.
const NODE_BYTES: u64 = 48;

impl<S: Hash + Eq + Clone> Visited<S> {
    pub fn new(exact: bool) -> Visited<S> {
        Visited {
            table: if exact {
                Table::Exact(FxHashMap::default())
            } else {
                Table::Fingerprints(FxHashMap::default())
            },
            nodes: Vec::new(),
            pieces: Pieces::default(),
            exact_state_bytes: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> u64 {
        self.nodes.len() as u64 * NODE_BYTES + self.exact_state_bytes
    }

    /// Adds a state; the number is new when the flag says so. `print` is its fingerprint, which
    /// exact mode ignores.
    pub fn insert(
        &mut self,
        state: &S,
        print: u128,
        state_bytes: u64,
        parent: Option<(NodeId, &[ScheduleStep], u32)>,
    ) -> (NodeId, bool) {
        let next = self.nodes.len() as NodeId;
        let found = match &mut self.table {
            Table::Fingerprints(table) => match table.entry(print) {
                Entry::Occupied(seen) => Some(*seen.get()),
                Entry::Vacant(place) => {
                    place.insert(next);
                    None
                }
            },
            Table::Exact(table) => match table.get(state) {
                Some(seen) => Some(*seen),
                None => {
                    table.insert(state.clone(), next);
                    self.exact_state_bytes += state_bytes;
                    None
                }
            },
        };
        if let Some(seen) = found {
            return (seen, false);
        }
        let (parent, steps, depth) = match parent {
            None => (NodeId::MAX, [].as_slice(), 0),
            Some((parent, steps, length)) => {
                let depth = self.nodes[parent as usize].depth.saturating_add(length);
                (parent, steps, depth)
            }
        };
        self.nodes.push(Node {
            parent,
            piece: self.pieces.number(steps),
            depth,
            closed: false,
        });
        (next, true)
    }

    /// The number of a state, if it has been visited.
    pub fn find(&self, state: &S, print: u128) -> Option<NodeId> {
        match &self.table {
            Table::Fingerprints(table) => table.get(&print).copied(),
            Table::Exact(table) => table.get(state).copied(),
        }
    }

    /// Transitions on the way to a state.
    pub fn depth(&self, node: NodeId) -> u64 {
        self.nodes[node as usize].depth as u64
    }

    pub fn close(&mut self, node: NodeId) {
        self.nodes[node as usize].closed = true;
    }

    pub fn is_closed(&self, node: NodeId) -> bool {
        self.nodes[node as usize].closed
    }

    /// The schedule from an initial state to a visited one.
    pub fn schedule(&self, node: NodeId) -> Vec<ScheduleStep> {
        let mut pieces = Vec::new();
        let mut at = node;
        while at != NodeId::MAX {
            let node = &self.nodes[at as usize];
            pieces.push(node.piece);
            at = node.parent;
        }
        let mut schedule = Vec::new();
        for &piece in pieces.iter().rev() {
            append_schedule(&mut schedule, self.pieces.get(piece));
        }
        schedule
    }
}

/// The fingerprint of a state, unless the table is exact.
pub fn print_of<S: Hash>(state: &S, exact: bool) -> u128 {
    if exact { 0 } else { fingerprint(state) }
}
