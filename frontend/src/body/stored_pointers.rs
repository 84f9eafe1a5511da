//! The pointers that a procedure reads from memory and writes there, recorded while it is read
//! (`places/stored_pointer.rs`).

use crate::types::ctype::QualifiedType;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The uses of pointers in memory by a procedure.
#[derive(Clone, Default)]
pub(crate) struct StoredPointers {
    /// Parameters whose variable keeps the argument: those that live in memory, and those that never change.
    pub steady: HashSet<VarId>,
    /// All parameters that are pointers.
    pub given: Vec<VarId>,
    /// The values of other pointers that never change.
    pub origins: HashMap<VarId, Expr>,
    /// Temporaries that hold numbers read from memory, for the pointers made of them.
    pub temporaries: HashSet<VarId>,
    /// The memories that pointers written point into.
    pub written: BTreeMap<i64, Target>,
    /// The memories that pointers read could point into, by the type of the cells.
    pub read: Vec<(ScalarType, usize, HashSet<i64>, Span)>,
    /// The writes of pointers of which only is known that a single memory fits.
    pub only: Vec<(QualifiedType, HashSet<i64>, Span)>,
}

/// Memory that a pointer may point into: a pointer to its start for each group.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub pointers: Vec<Expr>,
    /// Its address space; `None` for memory to which an argument points.
    pub space: Option<Space>,
}
