//! Operations of the lanes of a warp, in CUDA C++.

use crate::print::expression::{Printer, Unprintable};
use gridlock_semantics::algebra::expr::{Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{ShuffleMode, WarpFn};

/// The call. CUDA has overloads for the types of 32 and 64 bits; narrower values become `int` on
/// the way and are narrowed again where the result is kept.
pub(crate) fn call(
    printer: &Printer<'_>,
    function: WarpFn,
    mask: &Expr,
    operands: &[Expr],
) -> Result<String, Unprintable> {
    let name = match function {
        WarpFn::Shuffle(ShuffleMode::Index) => "__shfl_sync",
        WarpFn::Shuffle(ShuffleMode::Up) => "__shfl_up_sync",
        WarpFn::Shuffle(ShuffleMode::Down) => "__shfl_down_sync",
        WarpFn::Shuffle(ShuffleMode::Xor) => "__shfl_xor_sync",
        WarpFn::Ballot => "__ballot_sync",
        WarpFn::All => "__all_sync",
        WarpFn::Any => "__any_sync",
        WarpFn::MatchAny => "__match_any_sync",
        WarpFn::ReduceAdd => "__reduce_add_sync",
        WarpFn::ReduceMin => "__reduce_min_sync",
        WarpFn::ReduceMax => "__reduce_max_sync",
        WarpFn::ReduceAnd => "__reduce_and_sync",
        WarpFn::ReduceOr => "__reduce_or_sync",
        WarpFn::ReduceXor => "__reduce_xor_sync",
    };
    let mut operands = operands;
    // The whole warp is the default.
    if let (WarpFn::Shuffle(_), [others @ .., width]) = (function, operands)
        && width.kind == ExprKind::Builtin(Builtin::WarpSize)
    {
        operands = others;
    }
    let mut args = vec![printer.converted(mask)?.text];
    for operand in operands {
        args.push(printer.converted(operand)?.text);
    }
    Ok(format!("{name}({})", args.join(", ")))
}
