//! Variables that some path leaves without a value: copied, handed on by shuffles, forgotten at the head
//! of a loop.

use super::{Builder, scalar_of};
use crate::compiled::instruction::{Instr, Reg, WarpSite};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Op, WarpFn};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::analysis::definite_assignment::Assigned;
use std::sync::Arc;

impl Builder<'_> {
    /// The variable has no value from here on.
    pub(super) fn unassigned(&mut self, var: VarId) {
        if let Some(flag) = self.slot(var).flag {
            let zero = self.constant(0);
            self.emit(Instr::Move {
                dst: flag,
                src: zero,
            });
        }
        self.frame.defined[var.0 as usize] = false;
    }

    /// Forgets what the body of a loop may leave without a value.
    pub(super) fn at_loop_head(&mut self, body: &Arc<Op>) {
        let numbered = (0..).map(VarId).zip(&self.frame.defined);
        let defined = numbered.filter(|(_, defined)| **defined);
        let here = Assigned::These(defined.map(|(var, _)| var).collect());
        let head = here.at_loop_head(self.program, body);
        for (var, defined) in (0..).map(VarId).zip(&mut self.frame.defined) {
            *defined &= head.contains(var);
        }
    }

    /// The variable an expression only copies, where some path leaves it unassigned.
    pub(super) fn copied_unassigned(&mut self, value: &Expr) -> Option<VarId> {
        let var = value.copied_var()?;
        if self.frame.defined[var.0 as usize] {
            return None;
        }
        self.read_undefined.insert(self.slot(var).ordinal);
        Some(var)
    }

    /// Compiles what copies a variable, whether it is assigned or not.
    pub(super) fn unchecked<T>(&mut self, var: VarId, compile: impl FnOnce(&mut Self) -> T) -> T {
        self.frame.defined[var.0 as usize] = true;
        let compiled = compile(self);
        self.frame.defined[var.0 as usize] = false;
        compiled
    }

    /// Stores a variable that may have no value: the cell may have none afterwards.
    pub(super) fn store_unassigned(
        &mut self,
        var: VarId,
        value: &Expr,
        (ptr, elements): (Reg, Reg),
        elem: ScalarType,
    ) {
        let flag = self.slot(var).flag;
        let without = flag.map(|cond| self.emit_open(Instr::JumpIfFalse { cond, to: 0 }));
        let src = self.unchecked(var, |b| b.scalar(value));
        self.emit(Instr::Store {
            src,
            ptr,
            elements,
            elem,
        });
        let Some(without) = without else {
            return;
        };
        let leave = self.emit_open(Instr::Jump { to: 0 });
        self.close(without);
        self.emit(Instr::StoreNothing {
            var,
            ptr,
            elements,
            elem,
        });
        self.close(leave);
    }

    pub(super) fn exchange(
        &mut self,
        function: WarpFn,
        mask: &Expr,
        operands: &[Expr],
        result: Option<VarId>,
    ) {
        self.has_warp_operation = true;
        let mask = self.scalar(mask);
        let mut is_value = None;
        let mut registers = Vec::with_capacity(operands.len());
        for (number, operand) in operands.iter().enumerate() {
            let is_copied = number == 0 && matches!(function, WarpFn::Shuffle(_));
            let unassigned = is_copied.then(|| self.copied_unassigned(operand));
            let reg = match unassigned.flatten() {
                None => self.scalar(operand),
                Some(var) => {
                    is_value = self.slot(var).flag;
                    self.unchecked(var, |b| b.scalar(operand))
                }
            };
            registers.push((reg, scalar_of(operand)));
        }
        let slot = result.map(|var| self.slot(var));
        self.warps.push(WarpSite {
            function,
            mask,
            operands: registers,
            is_value,
            result: slot.map(|slot| (slot.reg, slot.flag)),
        });
        let site = (self.warps.len() - 1) as u32;
        self.emit(Instr::Warp { site });
        // What a shuffle reads from a lane that takes no part is no value: a fault when it is read.
        if let (WarpFn::Shuffle(_), Some(var), Some(slot)) = (function, result, slot) {
            self.read_undefined.insert(slot.ordinal);
            self.frame.defined[var.0 as usize] = false;
        } else if let Some(var) = result {
            self.assigned(var);
        }
    }
}
