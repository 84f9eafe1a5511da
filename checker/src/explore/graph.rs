//! The graph of visited states, for drawing.

use crate::explore::outcome::Outcome;

/// A visited state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// How the run ends here, if it does.
    pub outcome: Option<Outcome>,
}

/// A transition between visited states (several, in a row, under reduction).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Number of a node.
    pub from: usize,
    /// Number of a node.
    pub to: usize,
    /// Who fired which rules, in words.
    pub label: String,
}

/// The visited part of the state space. Node 0 is the first initial state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// By number.
    pub nodes: Vec<Node>,
    /// In the order in which the search met them.
    pub edges: Vec<Edge>,
}

impl Graph {
    /// The graph in the language of Graphviz: final states are double circles, deadlocks and
    /// faults are red boxes.
    pub fn to_dot(&self) -> String {
        let mut dot = String::from("digraph states {\n  node [shape=circle, label=\"\"];\n");
        for (index, node) in self.nodes.iter().enumerate() {
            let attributes = match &node.outcome {
                None => continue,
                Some(Outcome::Observation(_)) => "shape=doublecircle".to_owned(),
                Some(Outcome::Fault { kind, .. }) => {
                    format!("shape=box, color=red, label=\"{}\"", kind.name())
                }
                Some(Outcome::Deadlock) => "shape=box, color=red, label=\"deadlock\"".to_owned(),
            };
            dot.push_str(&format!("  {index} [{attributes}];\n"));
        }
        for edge in &self.edges {
            let label = edge.label.replace('\\', "\\\\").replace('"', "\\\"");
            dot.push_str(&format!(
                "  {} -> {} [label=\"{label}\"];\n",
                edge.from, edge.to
            ));
        }
        dot.push_str("}\n");
        dot
    }
}
