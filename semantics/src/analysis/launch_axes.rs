//! Axes of a launch that code asks about. A kernel that never asks about y and z is meant for
//! launches of one dimension; analyses over every launch take those axes to have extent 1, and say so.

use crate::algebra::expr::{Builtin, ExprKind};
use crate::algebra::ids::ProcId;
use crate::algebra::operator::OpKind;
use crate::algebra::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// Axes x, y, z along which something asks for an index or an extent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchAxes {
    /// `threadIdx`, `blockDim`.
    pub block: [bool; 3],
    /// `blockIdx`, `gridDim`.
    pub grid: [bool; 3],
}

impl LaunchAxes {
    /// Notes that a coordinate or an extent is asked for.
    pub fn note(&mut self, builtin: Builtin) {
        match builtin {
            Builtin::ThreadIdx(axis) | Builtin::BlockDim(axis) => {
                self.block[axis as usize] = true;
            }
            Builtin::BlockIdx(axis) | Builtin::GridDim(axis) => self.grid[axis as usize] = true,
            Builtin::WarpSize => {}
        }
    }

    /// What either asks about.
    pub fn or(self, other: LaunchAxes) -> LaunchAxes {
        LaunchAxes {
            block: std::array::from_fn(|d| self.block[d] || other.block[d]),
            grid: std::array::from_fn(|d| self.grid[d] || other.grid[d]),
        }
    }

    /// The axes that the code of `kernel` reads, with what it calls.
    pub fn read(program: &Program, kernel: ProcId) -> LaunchAxes {
        let mut axes = LaunchAxes::default();
        for proc in called(program, kernel) {
            let procedure = program.proc(proc);
            procedure.body.walk(&mut |op| {
                // Which values nobody knows a thread gets is no question of the kernel's.
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

    /// The axes that the source of `kernel` asks about, with what it calls, by what its reader noted
    /// of each procedure. What numbers all threads of a block (ranks in groups, tiles, barriers that
    /// count) reads every axis, and asks about none.
    pub fn asked(
        program: &Program,
        kernel: ProcId,
        of_sources: &BTreeMap<ProcId, LaunchAxes>,
    ) -> LaunchAxes {
        let of_procs = called(program, kernel).into_iter();
        let noted = of_procs.filter_map(|proc| of_sources.get(&proc).copied());
        noted.fold(LaunchAxes::default(), LaunchAxes::or)
    }
}

/// `kernel` and whatever it may call.
fn called(program: &Program, kernel: ProcId) -> BTreeSet<ProcId> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![kernel];
    while let Some(proc) = todo.pop() {
        if !seen.insert(proc) {
            continue;
        }
        program.proc(proc).body.walk(&mut |op| {
            if let OpKind::Call { proc, .. } = &op.kind {
                todo.push(*proc);
            }
        });
    }
    seen
}
