//! The pointers that a procedure reads from memory and writes there, recorded while it is read
//! (`places/stored_pointer.rs`).

use crate::types::ctype::QualifiedType;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What a procedure does with pointers in memory.
#[derive(Clone, Default)]
pub(crate) struct StoredPointers {
    /// Parameters that keep what they are given, or that never change.
    pub steady: HashSet<VarId>,
    /// All parameters that are pointers.
    pub given: Vec<VarId>,
    /// Of other pointers that never change, what they were made of.
    pub origins: HashMap<VarId, Expr>,
    /// Temporaries that hold what was read from memory, for the pointer made of it.
    pub temporaries: HashSet<VarId>,
    /// The memories that pointers written point into.
    pub written: BTreeMap<i64, Target>,
    /// The memories that pointers read could point into, by the type of the cells.
    pub read: Vec<(ScalarType, usize, HashSet<i64>, Span)>,
    /// Where a pointer was written of which is known only that there is one memory for it.
    pub only: Vec<(QualifiedType, HashSet<i64>, Span)>,
}

/// Memory that a pointer may point into: a pointer to its start for each group.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub pointers: Vec<Expr>,
    /// Where it lies; `None`: where an argument points to.
    pub space: Option<Space>,
}
