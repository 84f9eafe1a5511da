//! Kernels that may do anything wrong that a kernel can: races, divergence, accesses out of
//! bounds, uninitialised reads, faults of arithmetic, bad warp masks, failed assertions. Every
//! loop is counted by a variable that nothing else assigns, so every thread that is not stuck ends.

use super::draft::{Draft, FUNCTION, Reach, unsigned};
use super::expressions::Safety;
use super::{Generated, Sizes};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Met, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

pub(super) fn generate(seed: u64, sizes: &Sizes) -> Generated {
    let mut draft = Draft::new(seed, sizes);
    let mut body = Vec::new();
    for index in 0..2 {
        let ty = draft.any_type();
        let var = draft.declare(&format!("x{index}"), Type::Scalar(ty));
        draft.readable.push((var, ty));
        draft.assignable.push((var, ty));
        if !draft.choices.once_in(20) {
            let value = draft.constant(ty);
            body.push(draft.basic(Basic::Assign { var, value }));
        }
    }
    // Shared memory is mostly left alone or given a value first: reading what was never written
    // ends a run, and not every run should end that way.
    let uses_shared = draft.choices.once_in(2);
    if uses_shared {
        let pointer = Expr::offset(draft.shared.base.clone(), draft.tid());
        let value = draft.constant(draft.shared.elem);
        body.push(draft.basic(Basic::Store { pointer, value }));
        if !draft.choices.once_in(4) {
            body.push(draft.basic(Basic::barrier(Orders::All)));
        }
    }
    draft.shared_is_read = uses_shared;
    let depth = sizes.depth;
    while draft.budget > 0 {
        body.push(draft.statement(depth));
    }
    draft.finish(seed, body)
}

impl Draft {
    fn statements(&mut self, n: u32, depth: u32) -> Arc<Op> {
        let mut found = Vec::new();
        for _ in 0..n {
            if self.budget > 0 {
                found.push(self.statement(depth));
            }
        }
        self.op(OpKind::Seq(found))
    }

    fn statement(&mut self, depth: u32) -> Arc<Op> {
        self.budget -= 1;
        match self
            .choices
            .below(if self.sizes.beyond_core { 32 } else { 24 })
        {
            0..=2 if depth > 0 => {
                let cond = match self.choices.below(3) {
                    0 => self.any_value(ScalarType::Bool),
                    _ => self.on_tid(),
                };
                let then = self.statements(2, depth - 1);
                let otherwise = self.statements(1, depth - 1);
                self.op(OpKind::If {
                    cond,
                    then,
                    otherwise,
                })
            }
            3 | 4 if depth > 0 => {
                let bound = if self.choices.once_in(3) {
                    self.tid().cast(Type::I32)
                } else {
                    Expr::i32(1 + self.choices.below(self.sizes.iterations as u64) as i32)
                };
                self.counted(bound, |draft| vec![draft.statements(2, depth - 1)])
            }
            5 | 6 => self.basic(Basic::barrier(Orders::All)),
            7 => self.basic(Basic::Barrier {
                orders: Orders::All,
                met: Met::Anywhere,
                agreed: Vec::new(),
            }),
            8 if self.choices.once_in(2) => self.basic(Basic::Exit),
            9 if self.choices.once_in(2) => {
                let cond = self.any_value(ScalarType::Bool);
                match self.choices.below(3) {
                    0 => self.basic(Basic::Assume { cond }),
                    _ => self.basic(Basic::Assert { cond }),
                }
            }
            10 if self.choices.once_in(3) => {
                let full = Expr::int(ScalarType::U32, u32::MAX as i64);
                let mask = if self.choices.once_in(2) {
                    full
                } else {
                    self.any_value(ScalarType::U32)
                };
                self.basic(Basic::SyncWarp { mask })
            }
            10 => self.any_exchange(Draft::any_value),
            11..=14 if self.sizes.exchanges && self.choices.once_in(2) => {
                self.any_exchange(Draft::any_value)
            }
            11 => {
                let ty = self.function_type;
                let into = self.assignable.iter().find(|(_, of)| *of == ty).copied();
                let args = vec![self.any_value(ty)];
                self.op(OpKind::Call {
                    proc: FUNCTION,
                    args,
                    result: into.map(|(var, _)| var),
                })
            }
            24.. => self.beyond_core(),
            12..=14 => self.any_atomic(),
            15..=17 => {
                let (var, ty) = self.choices.pick(&self.assignable.clone());
                let value = if self.choices.once_in(12) {
                    Expr::no_value(Type::Scalar(ty))
                } else {
                    self.any_value(ty)
                };
                self.basic(Basic::Assign { var, value })
            }
            _ => {
                let array = if self.shared_is_read && self.choices.once_in(2) {
                    self.shared.clone()
                } else {
                    self.output.clone()
                };
                let pointer = self.any_cell(&array);
                let value = self.any_value(array.elem);
                self.basic(Basic::Store { pointer, value })
            }
        }
    }

    fn any_atomic(&mut self) -> Arc<Op> {
        use AtomicFn::*;
        let array = self.totals.clone();
        let function = self
            .choices
            .pick(&[Add, Add, Sub, Min, Max, And, Or, Xor, Exch, Cas]);
        let n_operands = 1 + (function == Cas) as usize;
        let pointer = self.any_cell(&array);
        let operands = (0..n_operands)
            .map(|_| self.any_value(array.elem))
            .collect();
        let into = self.assignable.iter().find(|(_, of)| *of == array.elem);
        let result = into.map(|(var, _)| *var);
        self.basic(Basic::Atomic {
            function,
            scope: Scope::Device,
            pointer,
            operands,
            result,
        })
    }

    /// A value with loads from anywhere in it, and now and then operators that may fail.
    pub(super) fn any_value(&mut self, ty: ScalarType) -> Expr {
        let safety = if self.choices.once_in(6) {
            Safety::Partial
        } else {
            Safety::Total
        };
        let depth = self.choices.below(1 + self.sizes.expression_depth as u64) as u32;
        let mut loads = |draft: &mut Draft, ty: ScalarType| {
            let array = match draft.choices.below(5) {
                0 => draft.input.clone(),
                1 => draft.output.clone(),
                2 => draft.totals.clone(),
                _ if draft.shared_is_read || draft.choices.once_in(16) => draft.shared.clone(),
                _ => draft.output.clone(),
            };
            if array.elem.is_float() && ty.is_integer() {
                return None;
            }
            let pointer = draft.any_cell(&array);
            Expr::load(pointer).map(|load| load.cast(Type::Scalar(ty)))
        };
        self.expression(ty, depth, safety, &mut loads)
    }

    /// Mostly in bounds; often the same cell for several threads.
    pub(super) fn any_cell(&mut self, array: &Reach) -> Expr {
        let n = self.n_threads();
        let index = match self.choices.below(24) {
            0 => Expr::i32(self.choices.below(4) as i32 - 1),
            1 => {
                let next = Expr::binary(BinaryOp::Add, self.tid(), unsigned(1));
                next.cast(Type::I32)
            }
            2..=11 => Expr::i32(self.choices.below(array.extent.min(2)) as i32),
            _ if array.extent < n as u64 => Expr::i32(0),
            12..=17 => {
                let next = Expr::binary(BinaryOp::Add, self.tid(), unsigned(1));
                Expr::binary(BinaryOp::Rem, next, unsigned(n)).cast(Type::I32)
            }
            _ => self.tid().cast(Type::I32),
        };
        Expr::offset(array.base.clone(), index)
    }
}
