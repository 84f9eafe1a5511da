//! What operators and builtin values are called.

use crate::algebra::expr::{Axis, Builtin};
use crate::algebra::operator::{AllocSpace, ShuffleMode, WarpFn};

pub(super) fn alloc_space(space: AllocSpace) -> &'static str {
    match space {
        AllocSpace::Host => "host",
        AllocSpace::Pinned => "pinned",
        AllocSpace::Global => "global",
        AllocSpace::Managed => "managed",
        AllocSpace::New => "new",
        AllocSpace::Owned => "owned",
    }
}

pub(super) fn builtin_name(builtin: Builtin) -> String {
    let (name, axis) = match builtin {
        Builtin::ThreadIdx(axis) => ("threadIdx", axis),
        Builtin::BlockIdx(axis) => ("blockIdx", axis),
        Builtin::BlockDim(axis) => ("blockDim", axis),
        Builtin::GridDim(axis) => ("gridDim", axis),
        Builtin::WarpSize => return "warpSize".to_string(),
    };
    let axis = match axis {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    format!("{name}.{axis}")
}

pub(super) fn warp_function(function: WarpFn) -> &'static str {
    match function {
        WarpFn::Shuffle(ShuffleMode::Index) => "shuffle",
        WarpFn::Shuffle(ShuffleMode::Up) => "shuffle_up",
        WarpFn::Shuffle(ShuffleMode::Down) => "shuffle_down",
        WarpFn::Shuffle(ShuffleMode::Xor) => "shuffle_xor",
        WarpFn::Ballot => "ballot",
        WarpFn::All => "all",
        WarpFn::Any => "any",
        WarpFn::MatchAny => "match_any",
        WarpFn::ReduceAdd => "reduce_add",
        WarpFn::ReduceMin => "reduce_min",
        WarpFn::ReduceMax => "reduce_max",
        WarpFn::ReduceAnd => "reduce_and",
        WarpFn::ReduceOr => "reduce_or",
        WarpFn::ReduceXor => "reduce_xor",
    }
}
