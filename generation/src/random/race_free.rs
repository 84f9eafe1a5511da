//! Race-free by construction. The kernel is a sequence of *phases* with a barrier between any
//! two. In a phase an array is either open (read by all) or owned (each cell of the block's part
//! belongs to one thread, by a rotation of the thread numbers). `in` is never written; `acc` is
//! only touched by one commutative atomic operation whose result is not used.

use super::draft::{Draft, FUNCTION, Reach, unsigned};
use super::expressions::Safety;
use super::{Generated, Sizes};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::sync::Arc;

/// How `out` and `s` may be used between two barriers.
#[derive(Clone, Copy)]
struct Phase {
    output_is_owned: bool,
    shared_is_owned: bool,
    /// Thread `t` owns cell `(t + rotation) mod threads`.
    rotation: u32,
}

pub(super) fn generate(seed: u64, sizes: &Sizes) -> Generated {
    let mut draft = Draft::new(seed, sizes);
    let mut body = Vec::new();
    for _ in 0..2 {
        let ty = draft.any_type();
        let name = format!("x{}", draft.readable.len());
        let var = draft.declare(&name, Type::Scalar(ty));
        let value = draft.constant(ty);
        body.push(draft.basic(Basic::Assign { var, value }));
        draft.readable.push((var, ty));
        draft.assignable.push((var, ty));
    }
    // Those who return early do so before they write anything: others could not read it, since an
    // exit orders nothing.
    if sizes.early_return && draft.choices.once_in(3) {
        draft.shared_stays_owned = true;
        let cond = draft.on_tid();
        let then = draft.basic(Basic::Exit);
        body.push(draft.op(OpKind::If {
            cond,
            then,
            otherwise: Op::skip(),
        }));
    }
    // Every shared cell gets a value from its owner.
    let first = Phase {
        output_is_owned: true,
        shared_is_owned: true,
        rotation: 0,
    };
    let shared = draft.shared.clone();
    let value = draft.value(&first, shared.elem);
    let pointer = draft.own_cell(&first, &shared);
    body.push(draft.basic(Basic::Store { pointer, value }));
    while draft.budget > 0 {
        body.push(draft.basic(Basic::barrier(Orders::All)));
        if draft.choices.once_in(5) {
            let bound = Expr::i32(1 + draft.choices.below(draft.sizes.iterations as u64) as i32);
            let looped = draft.counted(bound, |draft| {
                let mut inside = draft.phase();
                inside.push(draft.basic(Basic::barrier(Orders::All)));
                if draft.choices.once_in(2) {
                    inside.extend(draft.phase());
                    inside.push(draft.basic(Basic::barrier(Orders::All)));
                }
                inside
            });
            body.push(looped);
        } else {
            let phase = draft.phase();
            body.extend(phase);
        }
    }
    draft.finish(seed, body)
}

impl Draft {
    fn phase(&mut self) -> Vec<Arc<Op>> {
        let n = self.n_threads() as u64;
        let output_is_owned = self.choices.below(3) > 0;
        let shared_is_owned = self.choices.once_in(2) || self.shared_stays_owned;
        let rotation = self.choices.below(n) as u32;
        let phase = Phase {
            output_is_owned,
            shared_is_owned,
            rotation: if self.shared_stays_owned { 0 } else { rotation },
        };
        let n_statements = 1 + self.choices.below(3) as u32;
        let depth = self.sizes.depth;
        let mut found = self.owned_statements(&phase, n_statements, depth);
        // A lane that has returned has no value to give.
        if self.sizes.exchanges && !self.sizes.early_return {
            found.push(self.clean_exchange(|draft, ty| draft.value(&phase, ty)));
            found.extend(self.owned_statements(&phase, n_statements, depth));
        }
        found
    }

    fn owned_statements(&mut self, phase: &Phase, n: u32, depth: u32) -> Vec<Arc<Op>> {
        let mut found = Vec::new();
        for _ in 0..n {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            found.push(self.owned_statement(phase, depth));
        }
        found
    }

    fn owned_statement(&mut self, phase: &Phase, depth: u32) -> Arc<Op> {
        match self.choices.below(10) {
            0 if depth > 0 => {
                let cond = self.on_tid();
                self.owned_branch(phase, cond, depth)
            }
            1 if depth > 0 => {
                let cond = self.value(phase, ScalarType::Bool);
                self.owned_branch(phase, cond, depth)
            }
            2 if depth > 0 => {
                let bound = Expr::i32(1 + self.choices.below(self.sizes.iterations as u64) as i32);
                self.counted(bound, |draft| draft.owned_statements(phase, 2, depth - 1))
            }
            3 => {
                let totals = self.totals.clone();
                let index = Expr::i32(self.choices.below(totals.extent) as i32);
                let operands = vec![self.value(phase, totals.elem)];
                let function = self.total_fn;
                self.basic(Basic::Atomic {
                    function,
                    scope: Scope::Device,
                    pointer: Expr::offset(totals.base, index),
                    operands,
                    result: None,
                })
            }
            4 => {
                let ty = self.function_type;
                let into = self.assignable.iter().find(|(_, of)| *of == ty).copied();
                let args = vec![self.value(phase, ty)];
                self.op(OpKind::Call {
                    proc: FUNCTION,
                    args,
                    result: into.map(|(var, _)| var),
                })
            }
            5 | 6 => {
                let (var, ty) = self.choices.pick(&self.assignable.clone());
                let value = self.value(phase, ty);
                self.basic(Basic::Assign { var, value })
            }
            choice => {
                let target = if phase.shared_is_owned && choice > 7 {
                    self.shared.clone()
                } else if phase.output_is_owned {
                    self.output.clone()
                } else {
                    return self.basic(Basic::Fence {
                        scope: Scope::Block,
                    });
                };
                let value = self.value(phase, target.elem);
                let pointer = self.own_cell(phase, &target);
                self.basic(Basic::Store { pointer, value })
            }
        }
    }

    fn owned_branch(&mut self, phase: &Phase, cond: Expr, depth: u32) -> Arc<Op> {
        let then = self.owned_statements(phase, 2, depth - 1);
        let otherwise = self.owned_statements(phase, 1, depth - 1);
        let then = self.op(OpKind::Seq(then));
        let otherwise = self.op(OpKind::Seq(otherwise));
        self.op(OpKind::If {
            cond,
            then,
            otherwise,
        })
    }

    /// A value that depends on the thread's own cells, on open arrays and on variables.
    fn value(&mut self, phase: &Phase, ty: ScalarType) -> Expr {
        let phase = *phase;
        let depth = self.sizes.expression_depth;
        let mut loads = |draft: &mut Draft, ty: ScalarType| {
            let choice = draft.choices.below(3);
            let array = match choice {
                0 => draft.input.clone(),
                1 => draft.output.clone(),
                _ => draft.shared.clone(),
            };
            if array.elem.is_float() && ty.is_integer() {
                return None;
            }
            let owned = match choice {
                0 => false,
                1 => phase.output_is_owned,
                _ => phase.shared_is_owned,
            };
            // A shared cell has a value only behind the first phase.
            let unwritten = array.is_shared && draft.budget == draft.sizes.statements;
            if unwritten {
                return None;
            }
            let pointer = if owned {
                draft.own_cell(&phase, &array)
            } else {
                draft.open_cell(&array)
            };
            Expr::load(pointer).map(|load| load.cast(Type::Scalar(ty)))
        };
        self.expression(ty, depth, Safety::Total, &mut loads)
    }

    fn own_cell(&self, phase: &Phase, array: &Reach) -> Expr {
        let n = unsigned(self.n_threads());
        let turned = Expr::binary(BinaryOp::Add, self.tid(), unsigned(phase.rotation));
        let cell = Expr::binary(BinaryOp::Rem, turned, n);
        self.in_block(array, cell)
    }

    /// Any cell of the block's part, or of the input.
    fn open_cell(&mut self, array: &Reach) -> Expr {
        let is_input = !array.is_shared && array.base == self.input.base;
        let extent = if is_input {
            array.extent
        } else {
            self.n_threads() as u64
        };
        let cell = if self.choices.once_in(2) {
            unsigned(self.choices.below(extent) as u32)
        } else {
            let shifted = Expr::binary(
                BinaryOp::Add,
                self.tid(),
                unsigned(self.choices.below(3) as u32),
            );
            Expr::binary(BinaryOp::Rem, shifted, unsigned(extent as u32))
        };
        if is_input {
            return Expr::offset(array.base.clone(), cell);
        }
        self.in_block(array, cell)
    }

    fn in_block(&self, array: &Reach, cell: Expr) -> Expr {
        let index = if array.is_shared {
            cell
        } else {
            Expr::binary(BinaryOp::Add, self.slice(), cell)
        };
        Expr::offset(array.base.clone(), index)
    }
}
