//! What a run never changes: the program, its setup and its profile, with what is read off them
//! once.

use crate::memory::declared_refs;
use crate::operator::{Basic, Op, OpId, OpKind};
use crate::profile::{Axes, BlockScheduling, Warps};
use crate::program::{ProcId, ProcKind, Program};
use crate::setup::Setup;
use crate::stream_operator::is_asynchronous;
use crate::value::ArrayRef;
use std::collections::HashSet;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Context {
    pub program: Arc<Program>,
    pub setup: Setup,
    pub axes: Axes,
    /// How blocks are scheduled: the profile's choice for safety or for termination.
    pub scheduling: BlockScheduling,
    /// Host code uses streams: see [`crate::asynchronous`].
    pub asynchronous: bool,
    /// Run-time identities of the declared arrays.
    pub arrays: Vec<ArrayRef>,
    /// Loops with a barrier somewhere inside, also inside procedures they call.
    pub loops_with_barrier: HashSet<OpId>,
    /// `return`s that are the last statement of their kernel's body, hence simply its end.
    pub closing_returns: HashSet<OpId>,
}

impl Context {
    pub fn new(program: Arc<Program>, setup: Setup, axes: Axes) -> Context {
        Context {
            arrays: declared_refs(&program),
            loops_with_barrier: loops_with_barrier(&program),
            closing_returns: closing_returns(&program),
            scheduling: axes.safety,
            asynchronous: is_asynchronous(&program),
            program,
            setup,
            axes,
        }
    }

    /// Threads in a warp, also where the profile knows nothing of warps.
    pub fn warp_size(&self) -> u32 {
        match self.axes.warps {
            Warps::None => 32,
            Warps::Independent(size) | Warps::Lockstep(size) => size.clamp(1, 32),
        }
    }

    pub fn is_lockstep(&self) -> bool {
        matches!(self.axes.warps, Warps::Lockstep(_))
    }
}

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
            OpKind::Basic(Basic::Barrier(..) | Basic::GridBarrier) => true,
            OpKind::Call { proc, .. } => procs.contains(proc),
            _ => false,
        }
    });
    found
}

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
