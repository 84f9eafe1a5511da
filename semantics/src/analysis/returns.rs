//! Explicit `return`s that are equivalent to reaching the end of the body.

use crate::algebra::operator::{Basic, Op, OpId, OpKind};
use crate::algebra::program::{ProcKind, Program};
use std::collections::HashSet;
use std::sync::Arc;

/// The `return`s that end their kernel's body. Running one is reaching the end.
pub fn closing_returns(program: &Program) -> HashSet<OpId> {
    let kernels = program.procs.iter().filter(|p| p.kind == ProcKind::Kernel);
    kernels
        .filter_map(|kernel| closing_return(&kernel.body))
        .collect()
}

fn closing_return(op: &Arc<Op>) -> Option<OpId> {
    match &op.kind {
        OpKind::Basic(Basic::Exit) => Some(op.id),
        OpKind::Seq(ops) => {
            let last = ops.iter().rev().find(|op| !matches!(op.kind, OpKind::Skip));
            last.and_then(closing_return)
        }
        _ => None,
    }
}
