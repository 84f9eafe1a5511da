//! What the code of a kernel may touch, array by array: a points-to analysis that ignores the
//! order of operators (Andersen 1994, without heap). Over-approximates.

use crate::system::footprint::{AccessClass, MayTouch};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpId, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::analysis::reached::reached;
use gridlock_semantics::setup::context::declared_refs;
use gridlock_semantics::setup::{Arg, Setup};
use gridlock_semantics::transition::AccessMode;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a pointer may point into.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Targets {
    arrays: FxHashSet<ArrayRef>,
    /// Any array in global memory: an argument of a launch that host code makes.
    any_global: bool,
}

impl Targets {
    /// Adds those of `other`; whether that was news.
    fn absorb(&mut self, other: &Targets) -> bool {
        let before = (self.arrays.len(), self.any_global);
        self.arrays.extend(&other.arrays);
        self.any_global |= other.any_global;
        before != (self.arrays.len(), self.any_global)
    }
}

pub struct MayTouchOf<'a> {
    program: &'a Program,
    setup: &'a Setup,
    refs: Vec<ArrayRef>,
}

type Vars = FxHashMap<(ProcId, VarId), Targets>;

impl<'a> MayTouchOf<'a> {
    pub fn new(program: &'a Program, setup: &'a Setup) -> MayTouchOf<'a> {
        MayTouchOf {
            program,
            setup,
            refs: declared_refs(program),
        }
    }

    /// What a launch of `kernel` may touch; `class` says how an operator gets along with others.
    pub fn of_kernel(
        &self,
        kernel: ProcId,
        class: &impl Fn(OpId, AccessMode) -> AccessClass,
    ) -> MayTouch {
        let mut vars = self.arguments(kernel);
        let procs = reached(self.program, kernel);
        loop {
            let mut news = false;
            for &proc in &procs {
                self.program.proc(proc).body.walk(&mut |op| {
                    news |= self.flow(proc, op, &mut vars);
                });
            }
            if !news {
                break;
            }
        }
        let mut touched = MayTouch::default();
        for &proc in &procs {
            self.program.proc(proc).body.walk(&mut |op| {
                self.touch(proc, op, &vars, class, &mut touched);
            });
        }
        touched
    }

    fn arguments(&self, kernel: ProcId) -> Vars {
        let first = self
            .program
            .arrays
            .iter()
            .filter(|array| matches!(array.space, Space::Global | Space::Constant))
            .count() as u32;
        let mut vars = Vars::default();
        for (n, param) in self.program.proc(kernel).params.iter().enumerate() {
            let mut targets = Targets::default();
            if kernel != self.setup.entry {
                targets.any_global = true;
            } else if let Some(Arg::Array(index)) = self.setup.args.get(n) {
                targets
                    .arrays
                    .insert(ArrayRef::Global(first + *index as u32));
            }
            vars.insert((kernel, *param), targets);
        }
        vars
    }

    fn targets(&self, proc: ProcId, expr: &Expr, vars: &Vars) -> Targets {
        let mut targets = Targets::default();
        match &expr.kind {
            ExprKind::Var(var) => {
                targets = vars.get(&(proc, *var)).cloned().unwrap_or_default();
            }
            ExprKind::ArrayBase(array) => {
                targets.arrays.extend(self.refs.get(array.0 as usize));
            }
            ExprKind::Const(Value::Pointer(pointer)) => {
                targets.arrays.insert(pointer.array);
            }
            ExprKind::Offset(pointer, _) | ExprKind::Cast(pointer) => {
                targets = self.targets(proc, pointer, vars);
            }
            ExprKind::Select(_, a, b) => {
                targets = self.targets(proc, a, vars);
                targets.absorb(&self.targets(proc, b, vars));
            }
            // Pointers are not stored in memory.
            _ => {}
        }
        targets
    }

    /// Follows pointers through assignments, calls and results; whether that was news.
    fn flow(&self, proc: ProcId, op: &Arc<Op>, vars: &mut Vars) -> bool {
        let mut news = false;
        match &op.kind {
            OpKind::Basic(Basic::Assign { var, value })
                if value.ty.pointer().is_some() && !value.is_no_value() =>
            {
                let targets = self.targets(proc, value, vars);
                news |= vars.entry((proc, *var)).or_default().absorb(&targets);
            }
            OpKind::Call {
                proc: callee,
                args,
                result,
            } => {
                let given: Vec<Targets> = args
                    .iter()
                    .map(|arg| self.targets(proc, arg, vars))
                    .collect();
                let called = self.program.proc(*callee);
                let returned = called
                    .result
                    .and_then(|var| vars.get(&(*callee, var)).cloned())
                    .unwrap_or_default();
                let mut into = |key: (ProcId, VarId), targets: &Targets| {
                    news |= vars.entry(key).or_default().absorb(targets);
                };
                for (param, targets) in called.params.iter().zip(&given) {
                    into((*callee, *param), targets);
                }
                if let Some(var) = result {
                    into((proc, *var), &returned);
                }
            }
            _ => {}
        }
        news
    }

    fn touch(
        &self,
        proc: ProcId,
        op: &Arc<Op>,
        vars: &Vars,
        class: &impl Fn(OpId, AccessMode) -> AccessClass,
        touched: &mut MayTouch,
    ) {
        let mut add = |pointer: &Expr, mode: AccessMode| {
            let targets = self.targets(proc, pointer, vars);
            let class = class(op.id, mode);
            for array in &targets.arrays {
                touched.add(*array, class);
            }
            if targets.any_global {
                touched.add_any_global(class);
            }
        };
        for expr in op.expressions() {
            expr.walk(&mut |e| {
                if let ExprKind::Load(pointer) = &e.kind {
                    add(pointer, AccessMode::Read);
                }
            });
        }
        match &op.kind {
            OpKind::Basic(Basic::Load { pointer, .. }) => add(pointer, AccessMode::Read),
            OpKind::Basic(Basic::Store { pointer, .. }) => add(pointer, AccessMode::Write),
            OpKind::Basic(Basic::Atomic { pointer, .. }) => add(pointer, AccessMode::Atomic),
            _ => {}
        }
    }
}
