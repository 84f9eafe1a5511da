//! Which private variables certainly have a value. After a branch this holds for the variables that
//! have one on both sides. The body of a loop may not run at all; and at the head of a loop a
//! variable that the body may leave without a value does not certainly have one.
//!
//! An under-approximation: a variable that is not in the set may still have a value whenever it
//! is read.

use crate::algebra::expr::ExprKind;
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::operator::{Basic, Op, OpKind, WarpFn};
use crate::algebra::program::Program;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A set of variables that certainly have been assigned; after code that never ends, all have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assigned {
    /// These variables.
    These(BTreeSet<VarId>),
    /// This place is not reached.
    Unreachable,
}

impl Assigned {
    /// Whether a variable has been assigned on every way here.
    pub fn contains(&self, var: VarId) -> bool {
        match self {
            Assigned::These(vars) => vars.contains(&var),
            Assigned::Unreachable => true,
        }
    }

    /// After an assignment of a variable.
    pub fn insert(&mut self, var: VarId) {
        if let Assigned::These(vars) = self {
            vars.insert(var);
        }
    }

    /// After a variable has lost its value.
    pub fn remove(&mut self, var: VarId) {
        if let Assigned::These(vars) = self {
            vars.remove(&var);
        }
    }

    /// What holds at the head of a loop that is entered with this: the variables that have a value
    /// on entry and still have one after every path through the body.
    pub fn at_loop_head(mut self, program: &Program, body: &Arc<Op>) -> Assigned {
        for var in may_unassign(program, body) {
            self.remove(var);
        }
        // An assignment that copies a variable without a value leaves its target without one.
        while let Assigned::These(before) = &self {
            let n_before = before.len();
            let after = self.clone().through(program, body, &mut |_, _| {});
            let head = self.clone().meet(after);
            match &head {
                Assigned::These(vars) if vars.len() < n_before => self = head,
                _ => break,
            }
        }
        self
    }

    /// What holds after a branch: what holds after both sides of it.
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
            let copied = match basic {
                Basic::Assign { value, .. } => value.copied_var(),
                _ => None,
            };
            if may_give_none(basic) || copied.is_some_and(|copied| !self.contains(copied)) {
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

    /// What holds after `op`. `unassigned` is called with each variable used where it does not
    /// certainly have a value, and the operator that uses it. (Copies are no use.)
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
        for (number, expr) in op.expressions().into_iter().enumerate() {
            if is_copied(op, number) && expr.copied_var().is_some() {
                continue;
            }
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

/// Whether an operator only copies what its expression of that number gives.
fn is_copied(op: &Op, number: usize) -> bool {
    match &op.kind {
        OpKind::Basic(Basic::Assign { .. }) => number == 0,
        OpKind::Basic(Basic::Warp { function, .. }) => function.handed_on() == Some(number),
        _ => false,
    }
}

/// Whether a basic operator may assign no value. (A shuffle that reads from a lane that does not
/// take part gives no value.)
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

/// The variables that some operator inside `op` leaves without a value, whatever values the other variables have.
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
