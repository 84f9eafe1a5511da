//! Which private variables certainly have a value, for one walk over structured control
//! ([`crate::atomic_form`]): branches meet, a loop's body may run no time at all.

use crate::operator::Basic;
use crate::program::VarId;
use std::collections::BTreeSet;

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

    /// What holds after a basic operator. (The result of a call never counts as assigned: a
    /// function may end without giving one.)
    pub fn after(mut self, basic: &Basic) -> Assigned {
        if let Some(var) = basic.assigned() {
            self.insert(var);
        }
        if *basic == Basic::Exit {
            self = Assigned::Unreachable;
        }
        self
    }
}
