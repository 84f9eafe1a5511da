//! What lanes of a warp do together.

use serde::{Deserialize, Serialize};

/// From which lane of its segment a shuffle takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ShuffleMode {
    /// `__shfl_sync`: the lane named.
    Index,
    /// `__shfl_up_sync`: the lane so many below.
    Up,
    /// `__shfl_down_sync`: the lane so many above.
    Down,
    /// `__shfl_xor_sync`: the lane whose number differs in these bits.
    Xor,
}

/// Operations of the threads a mask names, which wait for one another and exchange values. They
/// order no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WarpFn {
    /// Operands: value, lane (or distance, or bits), width (`I32`). The result has the value's
    /// type.
    Shuffle(ShuffleMode),
    /// Operand: a condition. The result is the set of lanes on which it holds (`U32`).
    Ballot,
    /// Operand: a condition. The result is `I32`, 0 or 1.
    All,
    /// Operand: a condition. The result is `I32`, 0 or 1.
    Any,
    /// Operand: a value. The result is the set of lanes that gave the same (`U32`).
    MatchAny,
    /// `__reduce_…_sync`: operand and result are `I32` or `U32`.
    ReduceAdd,
    /// The least of the operands.
    ReduceMin,
    /// The greatest of the operands.
    ReduceMax,
    /// The bitwise ones are `U32` only.
    ReduceAnd,
    /// Bitwise or of the operands.
    ReduceOr,
    /// Bitwise exclusive or of the operands.
    ReduceXor,
}

impl WarpFn {
    /// Number, among the expressions of the operator ([`super::Basic::expressions`]: the mask is 0), of what a lane
    /// only hands on to others. It need have no value: see [`crate::evaluation::eval::copied`].
    pub const fn handed_on(self) -> Option<usize> {
        match self {
            WarpFn::Shuffle(_) => Some(1),
            _ => None,
        }
    }
}
