//! Operators beyond the core, right and wrong ones alike: warp operations, named and grid barriers,
//! fences, counting atomics.

use super::draft::Draft;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, Scope, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

impl Draft {
    pub fn beyond_core(&mut self) -> Arc<Op> {
        match self.choices.below(10) {
            0..=4 => self.warp_operation(),
            5 => {
                let result = self.fresh(ScalarType::U32);
                self.basic(Basic::ActiveMask { result })
            }
            6 => self.named_barrier(),
            7 => self.basic(Basic::GridBarrier),
            8 => {
                let scope = self.any_scope();
                self.basic(Basic::Fence { scope })
            }
            _ => self.counting_atomic(),
        }
    }

    /// A variable not assigned yet, which later statements may read and assign.
    fn fresh(&mut self, ty: ScalarType) -> VarId {
        let name = format!("y{}", self.n_vars());
        let var = self.declare(&name, Type::Scalar(ty));
        self.readable.push((var, ty));
        self.assignable.push((var, ty));
        var
    }

    fn any_scope(&mut self) -> Scope {
        self.choices
            .pick(&[Scope::Block, Scope::Device, Scope::System])
    }

    /// Mostly all lanes.
    fn any_mask(&mut self) -> Expr {
        let mask = match self.choices.below(8) {
            0 => return self.any_value(ScalarType::U32),
            1 => 1,
            2 => 3,
            _ => u32::MAX,
        };
        Expr::int(ScalarType::U32, mask as i64)
    }

    fn warp_operation(&mut self) -> Arc<Op> {
        use WarpFn::*;
        let function = self.choices.pick(&[
            Shuffle(ShuffleMode::Index),
            Shuffle(ShuffleMode::Up),
            Shuffle(ShuffleMode::Down),
            Shuffle(ShuffleMode::Xor),
            Ballot,
            All,
            Any,
            MatchAny,
            ReduceAdd,
            ReduceMin,
            ReduceMax,
            ReduceAnd,
            ReduceOr,
            ReduceXor,
        ]);
        let words = [ScalarType::I32, ScalarType::U32];
        let (operand, result) = match function {
            Shuffle(_) => {
                let ty = self.choices.pick(&[
                    ScalarType::I32,
                    ScalarType::U32,
                    ScalarType::I64,
                    ScalarType::F32,
                ]);
                (ty, ty)
            }
            Ballot => (ScalarType::Bool, ScalarType::U32),
            All | Any => (ScalarType::Bool, ScalarType::I32),
            MatchAny => (self.choices.pick(&words), ScalarType::U32),
            ReduceAdd | ReduceMin | ReduceMax => {
                let ty = self.choices.pick(&words);
                (ty, ty)
            }
            ReduceAnd | ReduceOr | ReduceXor => (ScalarType::U32, ScalarType::U32),
        };
        let mask = self.any_mask();
        let mut operands = vec![self.any_value(operand)];
        if let Shuffle(_) = function {
            let lane = match self.choices.below(4) {
                0 => self.any_value(ScalarType::I32),
                n => Expr::i32(n as i32 - 1),
            };
            let width = self.choices.pick(&[32, 32, 32, 16, 2, 1, 3, 0, -1]);
            operands.extend([lane, Expr::i32(width)]);
        }
        let result = (!self.choices.once_in(6)).then(|| self.fresh(result));
        self.basic(Basic::Warp {
            function,
            mask,
            operands,
            result,
        })
    }

    fn named_barrier(&mut self) -> Arc<Op> {
        let id = match self.choices.below(6) {
            0 => self.any_value(ScalarType::U32),
            n => Expr::int(ScalarType::U32, n as i64 % 3),
        };
        let threads = match self.choices.below(4) {
            0 => Some(self.any_value(ScalarType::U32)),
            1 => {
                let n_threads = self.n_threads() as i64;
                let count = self.choices.pick(&[32, 2, 2, n_threads]);
                Some(Expr::int(ScalarType::U32, count))
            }
            _ => None,
        };
        let arrive_only = threads.is_some() && self.choices.once_in(3);
        self.basic(Basic::NamedBarrier {
            id,
            threads,
            arrive_only,
        })
    }

    fn counting_atomic(&mut self) -> Arc<Op> {
        let array = self.totals.clone();
        let function = if array.elem == ScalarType::U32 {
            self.choices.pick(&[AtomicFn::Inc, AtomicFn::Dec])
        } else {
            AtomicFn::Add
        };
        let scope = self.any_scope();
        let pointer = self.any_cell(&array);
        let operands = vec![self.any_value(array.elem)];
        let result = self.choices.once_in(2).then(|| self.fresh(array.elem));
        self.basic(Basic::Atomic {
            function,
            scope,
            pointer,
            operands,
            result,
        })
    }
}
