//! The variables a condition speaks of: what differs from one launch of a kernel to the next.

use gridlock_semantics::algebra::expr::{Axis, Builtin, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::program::Procedure;
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// One coordinate of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    BlockDim(Axis),
    GridDim(Axis),
    /// An integer or truth-valued parameter.
    Scalar(VarId),
    /// Number of elements of the array a pointer parameter points to.
    Extent(VarId),
}

impl Variable {
    /// As the source spells it; the number of elements of an array has no spelling there.
    pub fn name(self, procedure: &Procedure) -> String {
        let axis = |axis: Axis| ["x", "y", "z"][axis as usize];
        match self {
            Variable::BlockDim(a) => format!("blockDim.{}", axis(a)),
            Variable::GridDim(a) => format!("gridDim.{}", axis(a)),
            Variable::Scalar(var) => procedure.vars[var.0 as usize].name.to_string(),
            Variable::Extent(var) => {
                format!("elements of {}", procedure.vars[var.0 as usize].name)
            }
        }
    }

    pub const fn is_of_launch(self) -> bool {
        matches!(self, Variable::BlockDim(_) | Variable::GridDim(_))
    }

    /// The type the variable has in the source.
    pub fn scalar_type(self, procedure: &Procedure) -> ScalarType {
        match self {
            Variable::BlockDim(_) | Variable::GridDim(_) => ScalarType::U32,
            Variable::Scalar(var) => match procedure.vars[var.0 as usize].ty {
                Type::Scalar(scalar) => scalar,
                Type::Pointer(_) => panic!("a condition is about numbers"),
            },
            Variable::Extent(_) => ScalarType::U64,
        }
    }

    /// The variable as an expression of the kernel; `None` where the source has no name for it.
    pub fn expression(self, procedure: &Procedure) -> Option<Expr> {
        Some(match self {
            Variable::BlockDim(axis) => Expr::builtin(Builtin::BlockDim(axis)),
            Variable::GridDim(axis) => Expr::builtin(Builtin::GridDim(axis)),
            Variable::Scalar(var) => Expr::var(var, procedure.vars[var.0 as usize].ty),
            Variable::Extent(_) => return None,
        })
    }
}
