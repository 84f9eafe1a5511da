//! Which array a term speaks of.

use gridlock_semantics::algebra::ids::{ArrayId, VarId};

/// An array as the kernel knows it. Different keys are taken to be different arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArrayKey {
    Null,
    /// What a pointer parameter of the entry points to.
    Param(VarId),
    Declared(ArrayId),
}
