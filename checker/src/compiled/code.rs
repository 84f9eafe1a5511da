//! The code of one entry.

use crate::compiled::coverage::Coverage;
use crate::compiled::instruction::{
    AtomicSite, BarrierSite, BuiltinReg, HostSite, Instr, NamedSite, Pc, Reg, SlowSite, WarpSite,
};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::{OpId, Orders};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{PointerType, Type};
use rustc_hash::FxHashSet;
use std::sync::OnceLock;

/// Instructions of one entry beyond which it is not compiled: inlining multiplies.
pub const MAX_INSTRUCTIONS: usize = 4 << 20;

/// The code of one entry.
#[derive(Clone, Debug)]
pub struct Code {
    pub instrs: Vec<Instr>,
    /// The operator each instruction belongs to.
    pub ops: Vec<OpId>,
    /// What a thread's registers hold when it starts: constants, zero elsewhere. Parameters and
    /// built-ins are filled in by the engine that starts it.
    pub image: Vec<u64>,
    pub params: Vec<(Reg, Type)>,
    pub builtins: Vec<BuiltinReg>,
    /// Iteration counters, all zeroed when a thread leaves a barrier.
    pub counters: Vec<Reg>,
    /// The entry's result: its register, its type, and the register that says whether it was
    /// assigned (when it is not always).
    pub result: Option<(Reg, Type, Option<Reg>)>,
    pub slow: Vec<SlowSite>,
    pub atomics: Vec<AtomicSite>,
    pub barriers: Vec<BarrierSite>,
    pub host: Vec<HostSite>,
    pub warps: Vec<WarpSite>,
    pub named: Vec<NamedSite>,
    /// Some `__syncwarp` occurs.
    pub has_sync_warp: bool,
    /// Some operation occurs that threads of a warp do together.
    pub has_warp_operation: bool,
    /// Shared arrays used.
    pub shared: Vec<ArrayId>,
    /// Private arrays reachable: declaration and offset in a thread's private memory, in cells.
    pub private: Vec<(ArrayId, u64)>,
    /// Cells of private memory of one thread.
    pub private_cells: u64,
    /// Which ways branches have gone, where somebody asks.
    pub covered: Option<Coverage>,
    /// What [`Code::kept_at_start`] came to: many runs of small launches ask for it.
    pub(super) at_start: OnceLock<Vec<Reg>>,
}

impl Code {
    /// For each instruction, whether a thread may end from there without crossing a barrier that
    /// orders all memory: by an explicit `return`, and, if `at_end`, by reaching the end of the body.
    pub fn end_ahead(&self, at_end: bool) -> Vec<bool> {
        let mut ahead = vec![false; self.instrs.len()];
        loop {
            let mut changed = false;
            for pc in (0..self.instrs.len()).rev() {
                let at = |to: Pc| ahead.get(to as usize).copied().unwrap_or(false);
                let next = at(pc as Pc + 1);
                let now = match self.instrs[pc] {
                    Instr::Exit { closing } => at_end || !closing,
                    Instr::End => at_end,
                    Instr::Barrier { site } => {
                        self.barriers[site as usize].orders != Orders::All && next
                    }
                    Instr::Jump { to } | Instr::Repeat { to } => at(to),
                    Instr::JumpIfFalse { to, .. } => at(to) || next,
                    Instr::Branch { otherwise, .. } => at(otherwise) || next,
                    _ => next,
                };
                if now != ahead[pc] {
                    ahead[pc] = now;
                    changed = true;
                }
            }
            if !changed {
                return ahead;
            }
        }
    }

    /// The instruction a thread that stands at a join would do next, other joins passed over.
    pub fn beyond_joins(&self, pc: Pc) -> Pc {
        let mut at = pc;
        loop {
            at = match self.instrs[at as usize] {
                Instr::Join { .. } => at + 1,
                Instr::Jump { to } if to > at && at != pc => to,
                _ => return at,
            };
        }
    }

    pub fn has_barrier(&self) -> bool {
        !self.barriers.is_empty()
    }

    /// Whether some barrier puts accesses to memory of a space in order.
    pub fn has_barrier_for(&self, space: Space) -> bool {
        self.barriers.iter().any(|site| site.orders.includes(space))
    }

    /// Of which memories the barrier at `pc` orders accesses.
    pub fn orders_at(&self, pc: Pc) -> Orders {
        match self.instrs.get(self.beyond_joins(pc) as usize) {
            Some(Instr::Barrier { site }) => self.barriers[*site as usize].orders,
            _ => Orders::All,
        }
    }

    /// For each instruction, whether it accesses memory through a pointer to `volatile`.
    pub fn volatile(&self, program: &Program) -> Vec<bool> {
        use gridlock_semantics::algebra::operator::{Basic, OpKind};
        let is_volatile = |p: PointerType| p.is_volatile;
        let volatile: FxHashSet<OpId> = program
            .operators()
            .into_iter()
            .filter(|(_, op)| match &op.kind {
                OpKind::Basic(Basic::Load { pointer, .. } | Basic::Store { pointer, .. }) => {
                    pointer.ty.pointer().is_some_and(is_volatile)
                }
                _ => false,
            })
            .map(|(_, op)| op.id)
            .collect();
        self.ops.iter().map(|op| volatile.contains(op)).collect()
    }
}
