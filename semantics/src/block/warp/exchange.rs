//! The result of an exchange for each of its lanes.
//!
//! Shuffles are those of PTX `shfl.sync`, with the segments that `width` makes of the warp. In a
//! warp of 32 lanes the distance or the bits of a lane's number count modulo 32 and the lane named
//! by `__shfl_sync` modulo the width; in a smaller warp, modulo its size.

use crate::algebra::expr::{BinaryOp, MathFn};
use crate::algebra::operator::{ShuffleMode, WarpFn};
use crate::algebra::value::Value;
use crate::evaluation::arithmetic;
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;

/// Whether a lane of a warp of `size` may bring these operands: the width of a shuffle is a power
/// of two up to the size of the warp, or that size.
pub fn check(function: WarpFn, size: u32, operands: &[Value]) -> Result<(), FaultKind> {
    let (WarpFn::Shuffle(_), [_, _, width]) = (function, operands) else {
        return Ok(());
    };
    let width = width.integer() as i64;
    let size = size as i64;
    let fits = width == size || (1..=size).contains(&width) && width.count_ones() == 1;
    match decided(Premise::WidthFits, fits) {
        true => Ok(()),
        false => Err(FaultKind::BadWarpWidth { width }),
    }
}

/// The result of each participant; `lanes` are the operands by lane, `None` for lanes that take
/// no part. A shuffle that reads from one of those gives `Undef`.
pub fn results(function: WarpFn, lanes: &[Option<Vec<Value>>]) -> Vec<Value> {
    let operands = || lanes.iter().flatten();
    match function {
        WarpFn::Shuffle(mode) => {
            let each = (0..).zip(lanes);
            each.map(|(lane, own)| match own.as_deref() {
                Some(own @ [value, ..]) => match source(mode, lane, lanes.len() as u32, own) {
                    None => *value,
                    Some(from) => given(lanes, from),
                },
                _ => Value::Undef,
            })
            .collect()
        }
        WarpFn::Ballot => {
            let set = set_of(lanes, |own| own.first() == Some(&Value::Bool(true)));
            of_everyone(lanes, |_| {
                Value::int(crate::algebra::types::ScalarType::U32, set as i128)
            })
        }
        WarpFn::All => {
            let all = operands().all(|own| own.first() == Some(&Value::Bool(true)));
            of_everyone(lanes, |_| Value::i32(all as i32))
        }
        WarpFn::Any => {
            let any = operands().any(|own| own.first() == Some(&Value::Bool(true)));
            of_everyone(lanes, |_| Value::i32(any as i32))
        }
        // Values are compared by their bits.
        WarpFn::MatchAny => of_everyone(lanes, |own| {
            let set = set_of(lanes, |other| other.first() == own.first());
            Value::int(crate::algebra::types::ScalarType::U32, set as i128)
        }),
        WarpFn::ReduceAdd => reduce(lanes, |a, b| arithmetic::binary(BinaryOp::Add, a, b)),
        WarpFn::ReduceAnd => reduce(lanes, |a, b| arithmetic::binary(BinaryOp::BitAnd, a, b)),
        WarpFn::ReduceOr => reduce(lanes, |a, b| arithmetic::binary(BinaryOp::BitOr, a, b)),
        WarpFn::ReduceXor => reduce(lanes, |a, b| arithmetic::binary(BinaryOp::BitXor, a, b)),
        WarpFn::ReduceMin => reduce(lanes, |a, b| arithmetic::math(MathFn::Min, &[a, b])),
        WarpFn::ReduceMax => reduce(lanes, |a, b| arithmetic::math(MathFn::Max, &[a, b])),
    }
}

fn of_everyone(lanes: &[Option<Vec<Value>>], result: impl Fn(&[Value]) -> Value) -> Vec<Value> {
    lanes
        .iter()
        .map(|own| own.as_deref().map_or(Value::Undef, &result))
        .collect()
}

fn set_of(lanes: &[Option<Vec<Value>>], is_in: impl Fn(&[Value]) -> bool) -> u32 {
    let members = (0..)
        .zip(lanes)
        .filter(|(_, own)| own.as_deref().is_some_and(&is_in));
    members.fold(0, |set, (lane, _): (u32, _)| set | 1 << lane)
}

fn reduce(
    lanes: &[Option<Vec<Value>>],
    combine: impl Fn(Value, Value) -> Result<Value, FaultKind>,
) -> Vec<Value> {
    let values = lanes
        .iter()
        .flatten()
        .filter_map(|own| own.first().copied());
    // None of these functions can fail on integers of one type.
    let all = values.reduce(|a, b| combine(a, b).unwrap_or(Value::Undef));
    of_everyone(lanes, |_| all.unwrap_or(Value::Undef))
}

/// What a shuffle reads from a lane.
fn given(lanes: &[Option<Vec<Value>>], from: u32) -> Value {
    let operands = lanes.get(from as usize).and_then(|own| own.as_ref());
    decided(Premise::SourceTakesPart, operands.is_some());
    operands
        .and_then(|own| own.first())
        .copied()
        .unwrap_or(Value::Undef)
}

/// The lane a shuffle reads from; `None` where that would leave the segment, and the caller gets
/// its own value. `operands` are value, lane (or distance, or bits) and width.
pub fn source(mode: ShuffleMode, lane: u32, size: u32, operands: &[Value]) -> Option<u32> {
    let [_, which, width] = operands else {
        return None;
    };
    let width = width.integer().clamp(1, size as i128);
    let which = which.integer();
    let (lane, size) = (lane as i128, size as i128);
    let (first, last) = (lane - lane % width, lane - lane % width + width - 1);
    let from = match mode {
        ShuffleMode::Index => first + which.rem_euclid(width),
        ShuffleMode::Up => lane - which.rem_euclid(size),
        ShuffleMode::Down => lane + which.rem_euclid(size),
        // Earlier segments can be reached, later ones cannot.
        ShuffleMode::Xor => lane ^ which.rem_euclid(size),
    };
    let inside = match mode {
        ShuffleMode::Up => from >= first,
        _ => from <= last,
    };
    inside.then_some(from as u32)
}
