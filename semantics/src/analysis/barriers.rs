//! Where barriers stand: in which loops, and which procedures can reach one.

use crate::algebra::ids::ProcId;
use crate::algebra::operator::{Basic, Op, OpId, OpKind};
use crate::algebra::program::Program;
use std::collections::HashSet;
use std::sync::Arc;

/// The loops a barrier stands in, directly or through calls.
pub fn loops_with_barrier(program: &Program) -> HashSet<OpId> {
    // No recursion, so as many rounds as there are procedures reach every call chain.
    let mut procs: HashSet<ProcId> = HashSet::new();
    for _ in 0..program.procs.len() {
        for (index, proc) in program.procs.iter().enumerate() {
            if contains_barrier(&proc.body, &procs) {
                procs.insert(ProcId(index as u32));
            }
        }
    }
    let loops = program
        .operators()
        .into_iter()
        .filter(|(_, op)| matches!(op.kind, OpKind::While { .. }) && contains_barrier(op, &procs));
    loops.map(|(_, op)| op.id).collect()
}

fn contains_barrier(op: &Arc<Op>, procs: &HashSet<ProcId>) -> bool {
    let mut found = false;
    op.walk(&mut |inner| {
        found |= match &inner.kind {
            OpKind::Basic(Basic::Barrier { .. } | Basic::GridBarrier) => true,
            OpKind::Call { proc, .. } => procs.contains(proc),
            _ => false,
        }
    });
    found
}

/// Whether a procedure may come to a barrier of the grid.
pub fn synchronises_grid(program: &Program, entry: ProcId) -> bool {
    let mut todo = vec![entry];
    let mut next = 0;
    let mut found = false;
    while let Some(&proc) = todo.get(next) {
        next += 1;
        program.proc(proc).body.walk(&mut |op| match &op.kind {
            OpKind::Basic(Basic::GridBarrier) => found = true,
            OpKind::Call { proc, .. } if !todo.contains(proc) => todo.push(*proc),
            _ => {}
        });
    }
    found
}
