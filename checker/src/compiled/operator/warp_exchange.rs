//! Warp exchanges: shuffles, votes, matches and reductions, each compiled to a site that says what it combines.

use super::Builder;
use crate::compiled::instruction::{Instr, WarpSite};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::WarpFn;

impl Builder<'_> {
    /// Compiles an exchange. The first operand of a shuffle may be a variable without a value, which the lanes that
    /// read it then have no value of either.
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
            registers.push((reg, operand.scalar_type()));
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
