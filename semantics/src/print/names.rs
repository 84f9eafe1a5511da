//! What operators and builtin values are called.

use crate::algebra::expr::MathFn;
use crate::algebra::expr::{Axis, Builtin};
use crate::algebra::operator::{AllocSpace, ShuffleMode, WarpFn};
use crate::algebra::types::{PointerType, ScalarType, Type};
use crate::algebra::value::Value;

pub(super) fn alloc_space(space: AllocSpace) -> &'static str {
    match space {
        AllocSpace::Host => "host",
        AllocSpace::Pinned => "pinned",
        AllocSpace::Global => "global",
        AllocSpace::Managed => "managed",
        AllocSpace::New => "new",
        AllocSpace::Owned => "owned",
        AllocSpace::OwnedGlobal => "owned_global",
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

pub(super) fn function_name(function: MathFn) -> String {
    let name = match function {
        MathFn::Min => "min",
        MathFn::Max => "max",
        MathFn::Abs => "abs",
        MathFn::Sqrt => "sqrt",
        MathFn::Floor => "floor",
        MathFn::Ceil => "ceil",
        MathFn::Trunc => "trunc",
        MathFn::Fma => "fma",
        MathFn::PopCount => "popcount",
        MathFn::FindFirstSet => "ffs",
        MathFn::CountLeadingZeros => "clz",
        MathFn::ReverseBits => "brev",
        MathFn::Elementary(function) => function.name(),
        MathFn::BitsAs(to) => return format!("bits<{}>", type_name(Type::Scalar(to))),
        MathFn::Aligned(n) => return format!("aligned<{n}>"),
    };
    name.to_owned()
}

pub(super) fn type_name(ty: Type) -> String {
    declaration(ty, "").trim_end().to_string()
}

pub(super) fn declaration(ty: Type, name: &str) -> String {
    match ty {
        Type::Scalar(scalar) => format!("{} {name}", scalar.c_name()),
        Type::Pointer(PointerType {
            elem,
            is_const,
            is_volatile,
        }) => {
            let is_const = if is_const { "const " } else { "" };
            let is_volatile = if is_volatile { "volatile " } else { "" };
            format!("{is_const}{is_volatile}{} *{name}", elem.c_name())
        }
    }
}

pub(super) fn constant(value: Value) -> String {
    match value {
        Value::Int(ScalarType::U32, _) => format!("{value}u"),
        Value::Int(ScalarType::I64, _) => format!("{value}ll"),
        Value::Int(ScalarType::U64, _) => format!("{value}ull"),
        Value::Int(ScalarType::I32, _) => format!("{value}"),
        Value::Int(ty, _) => format!("({}){value}", ty.c_name()),
        Value::F32(_) => format!("{value}f"),
        _ => format!("{value}"),
    }
}
