//! Variables that some path leaves without a value: copied, stored, forgotten at the head of a loop.

use super::Builder;
use crate::compiled::instruction::{Instr, Reg};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::Op;
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
}
