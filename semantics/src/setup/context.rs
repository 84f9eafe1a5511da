//! The constants of a run: the program, its setup and its profile, with facts that are computed
//! from them once.

use crate::algebra::declaration::Space;
use crate::algebra::ids::ArrayId;
use crate::algebra::operator::OpId;
use crate::algebra::program::Program;
use crate::algebra::value::ArrayRef;
use crate::analysis::barriers::loops_with_barrier;
use crate::analysis::returns::closing_returns;
use crate::analysis::stream_operator::is_asynchronous;
use crate::profile::{Axes, BlockScheduling};
use crate::setup::Setup;
use std::collections::HashSet;
use std::sync::Arc;

/// The constants of a run, which every step receives.
#[derive(Clone, Debug)]
pub struct Context {
    /// In the form that runs.
    pub program: Arc<Program>,
    /// What the run starts from.
    pub setup: Setup,
    /// The profile's.
    pub axes: Axes,
    /// How blocks are scheduled: the profile's choice for safety or for termination.
    pub scheduling: BlockScheduling,
    /// Host code uses streams: see [`crate::host::asynchronous`].
    pub asynchronous: bool,
    /// Run-time identities of the declared arrays.
    pub arrays: Vec<ArrayRef>,
    /// Loops with a barrier somewhere inside, also inside procedures they call.
    pub loops_with_barrier: HashSet<OpId>,
    /// `return`s that are the last statement of their kernel's body, hence simply its end.
    pub closing_returns: HashSet<OpId>,
}

impl Context {
    /// Computes from the program the facts that steps need.
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
        self.axes.warps.size()
    }

    /// Whether warps move in lockstep.
    pub fn is_lockstep(&self) -> bool {
        self.axes.warps.is_lockstep()
    }
}

/// Run-time identities of the declared arrays, by [`ArrayId`]: global and constant ones are
/// numbered in order of declaration, host ones likewise.
pub fn declared_refs(program: &Program) -> Vec<ArrayRef> {
    let (mut n_global, mut n_host) = (0, 0);
    let next = |counter: &mut u32| {
        *counter += 1;
        *counter - 1
    };
    program
        .arrays
        .iter()
        .enumerate()
        .map(|(index, decl)| match decl.space {
            Space::Global | Space::Constant => ArrayRef::Global(next(&mut n_global)),
            Space::Host => ArrayRef::Host(next(&mut n_host)),
            Space::Shared => ArrayRef::Shared(ArrayId(index as u32)),
            Space::Private => ArrayRef::Private(ArrayId(index as u32)),
        })
        .collect()
}
