//! What evaluating an operand reads and changes, and whether the order of two operands that the language leaves
//! unordered could make a difference.
//!
//! Variables are compared at once. Memory needs the whole program (which arrays a pointer can point into, what a
//! called procedure does), so this comparison is made after all procedures have been read:
//! [`crate::order::memory_order`].

use crate::storage::place::Place;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Effect, Op, OpKind};
use gridlock_semantics::algebra::span::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an evaluation reads and changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    read: BTreeSet<VarId>,
    assigned: BTreeSet<VarId>,
    pub memory: MemoryUse,
}

/// The accesses of an evaluation to memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct MemoryUse {
    /// Pointers to the cells that are read.
    pub loads: Vec<Expr>,
    /// Pointers to the cells that are changed.
    pub stores: Vec<Expr>,
    pub calls: Vec<(ProcId, Vec<Expr>)>,
    /// Whether it has a barrier or a fence, which orders accesses, or a host operation on memory.
    pub is_ordering: bool,
}

/// Two operands without an order of which one changes memory.
#[derive(Clone, Debug)]
pub(crate) struct Unordered {
    pub span: Span,
    pub left: MemoryUse,
    pub right: MemoryUse,
}

impl MemoryUse {
    fn changes(&self) -> bool {
        !self.stores.is_empty() || !self.calls.is_empty() || self.is_ordering
    }

    fn is_empty(&self) -> bool {
        self.loads.is_empty() && !self.changes()
    }

    /// Whether the rest of the program is needed to decide that the order does not matter.
    pub fn may_interfere(&self, other: &MemoryUse) -> bool {
        (self.changes() && !other.is_empty()) || (other.changes() && !self.is_empty())
    }

    /// Pointers to the cells accessed, and whether they are changed.
    pub fn accessed(&self) -> impl Iterator<Item = (&Expr, bool)> {
        let loads = self.loads.iter().map(|pointer| (pointer, false));
        loads.chain(self.stores.iter().map(|pointer| (pointer, true)))
    }

    /// The effects of an operator, including the operators inside it.
    pub fn of(op: &Arc<Op>) -> MemoryUse {
        let mut found = Footprint::default();
        found.add(op);
        found.memory
    }
}

impl Footprint {
    /// The footprint of running `ops` and then evaluating `values`.
    pub fn new<'e>(ops: &[Arc<Op>], values: impl IntoIterator<Item = &'e Expr>) -> Footprint {
        let mut found = Footprint::default();
        ops.iter().for_each(|op| found.add(op));
        values.into_iter().for_each(|value| found.evaluate(value));
        found
    }

    fn add(&mut self, op: &Arc<Op>) {
        op.walk(&mut |op| {
            for expr in op.expressions() {
                self.evaluate(expr);
            }
            match &op.kind {
                OpKind::Call { proc, args, result } => {
                    self.assigned.extend(*result);
                    self.memory.calls.push((*proc, args.clone()));
                }
                OpKind::Basic(basic) => {
                    self.assigned.extend(basic.assigned());
                    self.add_basic(basic);
                }
                _ => {}
            }
        });
    }

    fn add_basic(&mut self, basic: &Basic) {
        match basic {
            Basic::Load { pointer, .. } => self.memory.loads.push(pointer.clone()),
            // A bit-field next to the assigned one does not change.
            basic if basic.writes_back() => {}
            Basic::Store { pointer, .. } => self.memory.stores.push(pointer.clone()),
            Basic::Atomic { pointer, .. } => self.memory.stores.push(pointer.clone()),
            // Memory that no other code can access, and handles.
            Basic::Alloc { .. } | Basic::StreamCreate { .. } | Basic::EventCreate { .. } => {}
            Basic::Beyond => {}
            _ if matches!(basic.effect(), Effect::Private | Effect::Exchanges) => {}
            _ => self.memory.is_ordering = true,
        }
    }

    fn evaluate(&mut self, value: &Expr) {
        value.walk(&mut |e| match &e.kind {
            ExprKind::Var(var) => {
                self.read.insert(*var);
            }
            ExprKind::Load(pointer) => self.memory.loads.push((**pointer).clone()),
            _ => {}
        });
    }

    /// A variable that one changes and the other reads or changes.
    pub fn shared_variable(&self, other: &Footprint) -> Option<VarId> {
        let touched = |f: &Footprint, var: &VarId| f.read.contains(var) || f.assigned.contains(var);
        let by_self = self.assigned.iter().find(|var| touched(other, var));
        let by_other = || other.assigned.iter().find(|var| touched(self, var));
        by_self.or_else(by_other).copied()
    }

    /// The variables that an evaluation changes itself, not in calls.
    pub fn changes(self) -> Footprint {
        Footprint {
            assigned: self.assigned,
            memory: MemoryUse {
                stores: self.memory.stores,
                ..MemoryUse::default()
            },
            ..Footprint::default()
        }
    }

    /// A place is given a value.
    pub fn assign(&mut self, place: &Place) {
        match place {
            Place::Var(var, _) => drop(self.assigned.insert(*var)),
            // Members of one union are held in the same variables.
            Place::Parts(vars, _) | Place::Overlaid(vars, _) | Place::Chosen(vars, ..) => {
                self.assigned.extend(vars);
            }
            Place::Sliced(sliced) => self.assigned.extend(sliced.slices.iter().map(|(v, _)| v)),
            Place::Bits(bits) => self.assign(&bits.own),
            Place::Cell(..) | Place::Cells(..) => self.memory.stores.extend(place.addresses()),
            _ => {}
        }
    }

    /// A place's value is read.
    pub fn read(&mut self, place: &Place) {
        match place {
            Place::Var(var, _) => drop(self.read.insert(*var)),
            Place::Parts(vars, _) | Place::Overlaid(vars, _) | Place::Chosen(vars, ..) => {
                self.read.extend(vars);
            }
            Place::Sliced(sliced) => self.read.extend(sliced.slices.iter().map(|(v, _)| v)),
            Place::Bits(bits) => self.read(&bits.own),
            Place::Cell(..) | Place::Cells(..) => self.memory.loads.extend(place.addresses()),
            _ => {}
        }
    }
}
