//! Warp operations in random kernels.

use super::draft::Draft;
use gridlock_semantics::algebra::expr::{Builtin, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

impl Draft {
    /// An exchange or `__activemask()` that may go wrong in any way.
    pub fn any_exchange(
        &mut self,
        mut value: impl FnMut(&mut Draft, ScalarType) -> Expr,
    ) -> Arc<Op> {
        let full = Expr::int(ScalarType::U32, u32::MAX as i64);
        let mask = match self.choices.below(4) {
            0 => value(self, ScalarType::U32),
            1 => Expr::int(ScalarType::U32, self.choices.below(8) as i64),
            _ => full,
        };
        let (var, ty) = self.choices.pick(&self.assignable.clone());
        match self.choices.below(8) {
            0 => {
                let masks = self
                    .assignable
                    .iter()
                    .find(|(_, of)| *of == ScalarType::U32);
                match masks.map(|(var, _)| *var) {
                    Some(result) => self.basic(Basic::ActiveMask { result }),
                    None => self.vote(mask, value),
                }
            }
            1 | 2 => self.vote(mask, value),
            _ => {
                let modes = [
                    ShuffleMode::Index,
                    ShuffleMode::Up,
                    ShuffleMode::Down,
                    ShuffleMode::Xor,
                ];
                let mode = self.choices.pick(&modes);
                let width = match self.choices.below(8) {
                    0 => value(self, ScalarType::I32),
                    1 | 2 => Expr::i32(2),
                    _ => Expr::builtin(Builtin::WarpSize),
                };
                let which = Expr::i32(self.choices.below(4) as i32);
                let operands = vec![value(self, ty), which, width];
                self.basic(Basic::Warp {
                    function: WarpFn::Shuffle(mode),
                    mask,
                    operands,
                    result: Some(var),
                })
            }
        }
    }

    fn vote(
        &mut self,
        mask: Expr,
        mut value: impl FnMut(&mut Draft, ScalarType) -> Expr,
    ) -> Arc<Op> {
        let functions = [WarpFn::Ballot, WarpFn::All, WarpFn::Any];
        let function = self.choices.pick(&functions);
        let given = match function {
            WarpFn::Ballot => ScalarType::U32,
            _ => ScalarType::I32,
        };
        let operands = vec![value(self, ScalarType::Bool)];
        let result = self.assignable.iter().find(|(_, of)| *of == given);
        let result = result.map(|(var, _)| *var);
        self.basic(Basic::Warp {
            function,
            mask,
            operands,
            result,
        })
    }

    /// An exchange that all threads of the block come to, all of one warp, and that gives each of
    /// them a value.
    pub fn clean_exchange(
        &mut self,
        value: impl FnOnce(&mut Draft, ScalarType) -> Expr,
    ) -> Arc<Op> {
        let (result, ty) = self.choices.pick(&self.assignable.clone());
        self.exchange_into(result, ty, value)
    }

    fn exchange_into(
        &mut self,
        result: VarId,
        ty: ScalarType,
        value: impl FnOnce(&mut Draft, ScalarType) -> Expr,
    ) -> Arc<Op> {
        let value = value(self, ty);
        let width = Expr::builtin(Builtin::WarpSize);
        let lane = self.choices.below(self.n_threads() as u64) as i32;
        let reduces = matches!(ty, ScalarType::I32 | ScalarType::U32);
        let (function, operands) = match self.choices.below(4) {
            0 if reduces => {
                let functions = [WarpFn::ReduceAdd, WarpFn::ReduceMin, WarpFn::ReduceMax];
                (self.choices.pick(&functions), vec![value])
            }
            1 if ty == ScalarType::U32 => (WarpFn::MatchAny, vec![value]),
            1 if ty == ScalarType::I32 => {
                let functions = [WarpFn::All, WarpFn::Any];
                (self.choices.pick(&functions), vec![value.cast(Type::BOOL)])
            }
            2 => {
                let operands = vec![value, Expr::i32(lane), width];
                (WarpFn::Shuffle(ShuffleMode::Up), operands)
            }
            _ => {
                let operands = vec![value, Expr::i32(lane), width];
                (WarpFn::Shuffle(ShuffleMode::Index), operands)
            }
        };
        self.basic(Basic::Warp {
            function,
            mask: Expr::int(ScalarType::U32, u32::MAX as i64),
            operands,
            result: Some(result),
        })
    }
}
