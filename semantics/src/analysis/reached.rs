//! Which procedures a run of one may come to.

use crate::algebra::ids::ProcId;
use crate::algebra::operator::{Basic, OpKind};
use crate::algebra::program::Program;

/// `entry`, and what it calls or launches, and so on; each once, in the order in which they are met.
pub fn reached(program: &Program, entry: ProcId) -> Vec<ProcId> {
    let mut found = vec![entry];
    let mut next = 0;
    while let Some(&proc) = found.get(next) {
        next += 1;
        program.proc(proc).body.walk(&mut |op| {
            let callee = match &op.kind {
                OpKind::Call { proc, .. } => *proc,
                OpKind::Basic(Basic::CallGpu { kernel, .. }) => *kernel,
                _ => return,
            };
            if !found.contains(&callee) {
                found.push(callee);
            }
        });
    }
    found
}
