//! Which private variables certainly have a value: branches meet, a loop's body may run no time
//! at all, and what a loop's body may leave without a value has none for certain at its head.
//!
//! An under-approximation: a variable that is not in the set may still have a value whenever it
//! is read.

use crate::expr::ExprKind;
use crate::operator::{Basic, Op, OpKind, WarpFn};
use crate::program::{ProcId, Program, VarId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A set of variables that certainly have been assigned; after code that never ends, all have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assigned {
    These(BTreeSet<VarId>),
    /// This place is not reached.
    Unreachable,
}

impl Assigned {
    pub fn contains(&self, var: VarId) -> bool {
        match self {
            Assigned::These(vars) => vars.contains(&var),
            Assigned::Unreachable => true,
        }
    }

    pub fn insert(&mut self, var: VarId) {
        if let Assigned::These(vars) = self {
            vars.insert(var);
        }
    }

    pub fn remove(&mut self, var: VarId) {
        if let Assigned::These(vars) = self {
            vars.remove(&var);
        }
    }

    /// What holds at the head of a loop that is entered with this.
    pub fn at_loop_head(mut self, program: &Program, body: &Arc<Op>) -> Assigned {
        for var in may_unassign(program, body) {
            self.remove(var);
        }
        self
    }

    /// What holds after either of two branches.
    pub fn meet(self, other: Assigned) -> Assigned {
        match (self, other) {
            (Assigned::Unreachable, set) | (set, Assigned::Unreachable) => set,
            (Assigned::These(a), Assigned::These(b)) => {
                Assigned::These(a.intersection(&b).copied().collect())
            }
        }
    }

    /// What holds after a basic operator.
    pub fn after(mut self, basic: &Basic) -> Assigned {
        if let Some(var) = basic.assigned() {
            if may_give_none(basic) {
                self.remove(var);
            } else {
                self.insert(var);
            }
        }
        if *basic == Basic::Exit {
            self = Assigned::Unreachable;
        }
        self
    }

    /// What holds after `op`. `unassigned` is called with each variable read where it does not
    /// certainly have a value, and the operator that reads it.
    pub fn through(
        self,
        program: &Program,
        op: &Arc<Op>,
        unassigned: &mut impl FnMut(&Arc<Op>, VarId),
    ) -> Assigned {
        let before = match &op.kind {
            OpKind::While { body, .. } => self.at_loop_head(program, body),
            _ => self,
        };
        for expr in op.expressions() {
            expr.walk(&mut |e| {
                if let ExprKind::Var(var) = e.kind
                    && !before.contains(var)
                {
                    unassigned(op, var);
                }
            });
        }
        match &op.kind {
            OpKind::Skip => before,
            OpKind::Seq(ops) => ops
                .iter()
                .fold(before, |now, op| now.through(program, op, unassigned)),
            OpKind::If {
                then, otherwise, ..
            } => {
                let other = before.clone().through(program, otherwise, unassigned);
                before.through(program, then, unassigned).meet(other)
            }
            OpKind::While { body, .. } => {
                before.clone().through(program, body, unassigned);
                before
            }
            OpKind::Par(a, b) => before
                .through(program, a, unassigned)
                .through(program, b, unassigned),
            OpKind::Call { proc, result, .. } => {
                let mut after = before;
                if let Some(result) = result {
                    if gives_result(program, *proc) {
                        after.insert(*result);
                    } else {
                        after.remove(*result);
                    }
                }
                after
            }
            OpKind::Basic(basic) => before.after(basic),
        }
    }
}

/// Whether what a basic operator assigns may be no value. (A shuffle reads as nothing from a lane
/// that is not there.)
fn may_give_none(basic: &Basic) -> bool {
    match basic {
        Basic::Assign { value, .. } => value.is_no_value(),
        Basic::Warp { function, .. } => matches!(function, WarpFn::Shuffle(_)),
        _ => false,
    }
}

/// Whether a procedure gives its result on every path. (There is no recursion.)
pub fn gives_result(program: &Program, proc: ProcId) -> bool {
    let procedure = program.proc(proc);
    let assigned = Assigned::These(procedure.params.iter().copied().collect());
    let after = assigned.through(program, &procedure.body, &mut |_, _| {});
    procedure
        .result
        .is_some_and(|result| after.contains(result))
}

/// The variables that some operator inside `op` leaves without a value.
pub fn may_unassign(program: &Program, op: &Arc<Op>) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    op.walk(&mut |op| match &op.kind {
        OpKind::Basic(basic) if may_give_none(basic) => found.extend(basic.assigned()),
        OpKind::Call {
            proc,
            result: Some(result),
            ..
        } if !gives_result(program, *proc) => {
            found.insert(*result);
        }
        _ => {}
    });
    found
}
