//! Which private variables certainly have a value. Structured control makes it one walk.

use crate::operator::{Basic, Op, OpKind};
use crate::program::VarId;
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

    /// What holds after either of two branches.
    pub fn meet(self, other: Assigned) -> Assigned {
        match (self, other) {
            (Assigned::Unreachable, set) | (set, Assigned::Unreachable) => set,
            (Assigned::These(a), Assigned::These(b)) => {
                Assigned::These(a.intersection(&b).copied().collect())
            }
        }
    }

    /// What holds after `op`, which starts where `self` holds. The result of a call counts as
    /// unassigned: a function may end without giving one.
    pub fn after(self, op: &Arc<Op>) -> Assigned {
        match &op.kind {
            OpKind::Skip | OpKind::Call { .. } => self,
            OpKind::Seq(ops) => ops.iter().fold(self, Assigned::after),
            OpKind::If {
                then, otherwise, ..
            } => self.clone().after(then).meet(self.after(otherwise)),
            // The body may run no time at all.
            OpKind::While { .. } | OpKind::Par(..) => self,
            OpKind::Basic(basic) => self.after_basic(basic),
        }
    }

    fn after_basic(mut self, basic: &Basic) -> Assigned {
        match basic {
            Basic::Assign { var, .. } | Basic::Load { var, .. } | Basic::Alloc { var, .. } => {
                self.insert(*var);
            }
            Basic::Atomic {
                result: Some(var), ..
            } => self.insert(*var),
            Basic::Exit => self = Assigned::Unreachable,
            _ => {}
        }
        self
    }
}
