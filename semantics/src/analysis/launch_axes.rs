//! The axes of a launch that code uses. A kernel that never uses y and z is meant for launches of one dimension;
//! analyses of all launches assume that these axes have extent 1, and report this assumption.

use crate::algebra::expr::{Builtin, ExprKind};
use crate::algebra::ids::ProcId;

use crate::algebra::program::Program;
use crate::analysis::reached::reached;
use std::collections::BTreeMap;

/// The axes x, y, z of which an index or an extent is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchAxes {
    /// `threadIdx`, `blockDim`.
    pub block: [bool; 3],
    /// `blockIdx`, `gridDim`.
    pub grid: [bool; 3],
}

impl LaunchAxes {
    /// Records the use of a coordinate or an extent.
    pub fn note(&mut self, builtin: Builtin) {
        match builtin {
            Builtin::ThreadIdx(axis) | Builtin::BlockDim(axis) => {
                self.block[axis as usize] = true;
            }
            Builtin::BlockIdx(axis) | Builtin::GridDim(axis) => self.grid[axis as usize] = true,
            Builtin::WarpSize => {}
        }
    }

    /// The axes that one of the two uses.
    pub fn or(self, other: LaunchAxes) -> LaunchAxes {
        LaunchAxes {
            block: std::array::from_fn(|d| self.block[d] || other.block[d]),
            grid: std::array::from_fn(|d| self.grid[d] || other.grid[d]),
        }
    }

    /// The axes that the code of `kernel` reads, with what it calls.
    pub fn read(program: &Program, kernel: ProcId) -> LaunchAxes {
        let mut axes = LaunchAxes::default();
        for proc in reached(program, kernel) {
            let procedure = program.proc(proc);
            procedure.body.walk(&mut |op| {
                // The choice of a thread's arbitrary values is not part of the kernel's own code.
                if procedure.moves_arbitrary(op) {
                    return;
                }
                for expr in op.expressions() {
                    expr.walk(&mut |e| {
                        if let ExprKind::Builtin(builtin) = e.kind {
                            axes.note(builtin);
                        }
                    });
                }
            });
        }
        axes
    }

    /// The axes that the source of `kernel` and of the functions it calls names, according to the front end's records
    /// for each procedure. Code that numbers all threads of a block (ranks in groups, tiles, counting barriers) reads
    /// every axis but names none.
    pub fn asked(
        program: &Program,
        kernel: ProcId,
        of_sources: &BTreeMap<ProcId, LaunchAxes>,
    ) -> LaunchAxes {
        let of_procs = reached(program, kernel).into_iter();
        let noted = of_procs.filter_map(|proc| of_sources.get(&proc).copied());
        noted.fold(LaunchAxes::default(), LaunchAxes::or)
    }
}
