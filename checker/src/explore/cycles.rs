//! Cycles in the graph of visited states.

use crate::explore::visited::NodeId;

/// Whether a graph has a cycle: some nodes remain when those without predecessors are taken away
/// again and again.
pub fn has_cycle(n_nodes: usize, edges: &[(NodeId, NodeId)]) -> bool {
    let mut incoming = vec![0u32; n_nodes];
    let mut first = vec![0u32; n_nodes + 1];
    for &(from, to) in edges {
        incoming[to as usize] += 1;
        first[from as usize + 1] += 1;
    }
    for i in 0..n_nodes {
        first[i + 1] += first[i];
    }
    let mut place = first.clone();
    let mut targets = vec![0; edges.len()];
    for &(from, to) in edges {
        targets[place[from as usize] as usize] = to;
        place[from as usize] += 1;
    }
    let mut ready: Vec<NodeId> = (0..n_nodes as NodeId)
        .filter(|&node| incoming[node as usize] == 0)
        .collect();
    let mut taken = 0;
    while let Some(node) = ready.pop() {
        taken += 1;
        let range = first[node as usize] as usize..first[node as usize + 1] as usize;
        for &to in &targets[range] {
            incoming[to as usize] -= 1;
            if incoming[to as usize] == 0 {
                ready.push(to);
            }
        }
    }
    taken < n_nodes
}

#[cfg(test)]
mod tests {
    use super::has_cycle;

    #[test]
    fn small_graphs() {
        assert!(!has_cycle(0, &[]));
        assert!(!has_cycle(3, &[(0, 1), (1, 2), (0, 2)]));
        assert!(has_cycle(1, &[(0, 0)]));
        assert!(has_cycle(4, &[(0, 1), (1, 2), (2, 3), (3, 1)]));
    }
}
