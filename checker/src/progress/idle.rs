//! Variables of device code that nothing depends on: a counter of attempts that is never read.
//!
//! A variable is *idle* if it is read in nothing but values assigned to idle variables, by operators
//! that work on any two integers. What a thread does then never depends on what an idle variable holds,
//! only on whether it holds something. So two states that differ in such values alone have the same
//! runs but for them, and a run from the one to the other is a cycle for ever.

use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::State;
use gridlock_semantics::thread::ThreadState;
use std::sync::Arc;

/// The idle variables of a program.
pub struct Idle {
    /// By procedure.
    vars: Vec<Vec<VarId>>,
    any: bool,
}

impl Idle {
    /// `program` in the form that runs.
    pub fn of(program: &Program) -> Idle {
        let vars: Vec<Vec<VarId>> = (0..program.procs.len())
            .map(|number| idle_of(program, number))
            .collect();
        let any = vars.iter().any(|vars| !vars.is_empty());
        Idle { vars, any }
    }

    /// Whether two states are the same but for what idle variables hold.
    pub fn same(&self, a: &State, b: &State) -> bool {
        a == b || self.any && self.forget(a) == self.forget(b)
    }

    /// The state with the same number in each idle variable that holds one.
    pub fn forget(&self, state: &State) -> State {
        let mut state = state.clone();
        if !self.any {
            return state;
        }
        let Some(grid) = &mut state.device else {
            return state;
        };
        for block in grid.blocks.iter_mut() {
            let holds = |thread: &Arc<ThreadState>| {
                let mut frames = thread.frames.iter();
                frames.any(|frame| !self.vars[frame.proc.0 as usize].is_empty())
            };
            if !block.threads.iter().any(holds) {
                continue;
            }
            for thread in Arc::make_mut(block).threads.iter_mut() {
                for frame in &mut Arc::make_mut(thread).frames {
                    for var in &self.vars[frame.proc.0 as usize] {
                        let held = &mut frame.vars[var.0 as usize];
                        if let Some(ty) = held.scalar_type() {
                            *held = Value::int(ty, 0);
                        }
                    }
                }
            }
        }
        state
    }
}

fn idle_of(program: &Program, number: usize) -> Vec<VarId> {
    let proc = &program.procs[number];
    if !matches!(proc.kind, ProcKind::Kernel | ProcKind::Device) {
        return Vec::new();
    }
    let is_int =
        |ty: Type| matches!(ty, Type::Scalar(ty) if ty.is_integer() && ty != ScalarType::Bool);
    let mut idle: Vec<bool> = proc.vars.iter().map(|var| is_int(var.ty)).collect();
    if let Some(result) = proc.result {
        idle[result.0 as usize] = false;
    }
    // What a variable is assigned from.
    let mut from: Vec<(VarId, VarId)> = Vec::new();
    proc.body.walk(&mut |op| {
        if let OpKind::Basic(Basic::Assign { var, value }) = &op.kind
            && works_on_any(value)
        {
            read_in(value, &mut |read| from.push((*var, read)));
            return;
        }
        for expr in op.expressions() {
            read_in(expr, &mut |read| idle[read.0 as usize] = false);
        }
    });
    let mut changed = true;
    while changed {
        changed = false;
        for (to, read) in &from {
            changed |= !idle[to.0 as usize] && std::mem::take(&mut idle[read.0 as usize]);
        }
    }
    let vars = (0..).map(VarId).zip(idle);
    vars.filter_map(|(var, idle)| idle.then_some(var)).collect()
}

fn read_in(expr: &Expr, each: &mut impl FnMut(VarId)) {
    expr.walk(&mut |part| {
        if let ExprKind::Var(var) = part.kind {
            each(var);
        }
    });
}

/// Whether an expression has a value whatever the integers in it are, and reads no memory.
fn works_on_any(expr: &Expr) -> bool {
    use BinaryOp::*;
    let is_int = matches!(expr.ty, Type::Scalar(ty) if ty.is_integer());
    is_int
        && match &expr.kind {
            ExprKind::Const(value) => *value != Value::Undef,
            ExprKind::Var(_) | ExprKind::Builtin(_) => true,
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => works_on_any(a),
            ExprKind::Binary(op, a, b) => {
                let total =
                    op.is_comparison() || matches!(op, Add | Sub | Mul | BitAnd | BitOr | BitXor);
                total && works_on_any(a) && works_on_any(b)
            }
            _ => false,
        }
}
