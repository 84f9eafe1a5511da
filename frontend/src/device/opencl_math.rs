//! OpenCL C's functions whose accuracy an implementation chooses (`exp`, `mad`, `native_…`, `dot`), and exact ones
//! composed of others (`add_sat`, `mix`, `isnan`). The former are treated like CUDA's ([`crate::device::math_call`]):
//! a run computes one value, a proof knows only that equal operands give equal results.

use crate::constant;
use crate::device::math_call::{number, of, saturated};
use gridlock_semantics::algebra::elementary::Elementary;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// The name without the prefix for the accuracy (`native_`, `half_`).
fn stem(name: &str) -> &str {
    let prefixes = ["native_", "half_", "fast_"];
    let found = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix));
    found.unwrap_or(name)
}

/// Whether an implementation may give something else than the functions that are put in its place, each rounded once.
pub(crate) fn is_approximate(name: &str) -> bool {
    let composed = ["mad", "rsqrt", "mix", "smoothstep", "degrees", "radians"];
    stem(name) != name || composed.contains(&name) || is_geometric(name)
}

fn elementary(name: &str) -> Option<Elementary> {
    let name = match name {
        "powr" | "pown" => "pow",
        _ => name,
    };
    Elementary::ALL.iter().find(|f| f.name() == name).copied()
}

/// Whether [`element`] knows the function, for some operands.
pub(crate) fn is_element_wise(name: &str) -> bool {
    let name = stem(name);
    let is_composed = matches!(
        name,
        "mad"
            | "rsqrt"
            | "recip"
            | "divide"
            | "ldexp"
            | "fdim"
            | "mix"
            | "step"
            | "smoothstep"
            | "sign"
            | "degrees"
            | "radians"
            | "isnan"
            | "isinf"
            | "isfinite"
            | "signbit"
            | "isequal"
            | "isnotequal"
            | "isgreater"
            | "isgreaterequal"
            | "isless"
            | "islessequal"
            | "add_sat"
            | "sub_sat"
            | "hadd"
            | "rhadd"
            | "mul_hi"
            | "mad_hi"
            | "abs_diff"
            | "bitselect"
            | "ctz"
    );
    is_composed || elementary(name).is_some()
}

fn math(function: MathFn, args: Vec<Expr>) -> Expr {
    let ty = args.first().map_or(Type::F64, |a| a.ty);
    Expr::new(ty, ExprKind::Math(function, args))
}

fn binary(op: BinaryOp, a: &Expr, b: &Expr) -> Expr {
    Expr::binary(op, a.clone(), b.clone())
}

/// One element of a function's result; operands may occur several times in it. `is_vector`: for vectors true is -1.
pub(crate) fn element(
    name: &str,
    args: &[Expr],
    result: ScalarType,
    is_vector: bool,
) -> Option<Expr> {
    let name = stem(name);
    let ty = Type::Scalar(result);
    let x = args.first()?;
    if let Some(holds) = relation(name, args) {
        let yes = if is_vector { -1 } else { 1 };
        return (result.is_integer())
            .then(|| Expr::select(holds, Expr::int(result, yes), Expr::int(result, 0)));
    }
    let is_real = x.ty.scalar().is_some_and(ScalarType::is_float);
    match is_real {
        true => real(name, args).filter(|value| value.ty == ty),
        false => whole(name, args, result),
    }
}

/// Comparisons that are functions.
fn relation(name: &str, args: &[Expr]) -> Option<Expr> {
    let x = args.first()?;
    let magnitude = || math(MathFn::Abs, vec![x.clone()]);
    let infinity = || number(x, f64::INFINITY);
    let is_real = x.ty.scalar().is_some_and(ScalarType::is_float);
    if !is_real {
        return None;
    }
    Some(match (name, args) {
        ("isnan", [_]) => binary(BinaryOp::Ne, x, x),
        ("isinf", [_]) => Expr::binary(BinaryOp::Eq, magnitude(), infinity()),
        ("isfinite", [_]) => Expr::binary(BinaryOp::Lt, magnitude(), infinity()),
        ("signbit", [_]) => {
            let sign = of(Elementary::Copysign, vec![number(x, 1.0), x.clone()]);
            Expr::binary(BinaryOp::Lt, sign, number(x, 0.0))
        }
        ("isequal", [_, y]) => binary(BinaryOp::Eq, x, y),
        ("isnotequal", [_, y]) => binary(BinaryOp::Ne, x, y),
        ("isgreater", [_, y]) => binary(BinaryOp::Gt, x, y),
        ("isgreaterequal", [_, y]) => binary(BinaryOp::Ge, x, y),
        ("isless", [_, y]) => binary(BinaryOp::Lt, x, y),
        ("islessequal", [_, y]) => binary(BinaryOp::Le, x, y),
        _ => return None,
    })
}

/// Of floating point numbers.
fn real(name: &str, args: &[Expr]) -> Option<Expr> {
    use BinaryOp::{Add, Div, Gt, Lt, Mul, Sub};
    let x = args.first()?;
    let one = number(x, 1.0);
    if let Some(function) = elementary(name) {
        let like = |arg: &Expr| constant::convert(arg.clone(), x.ty);
        let fits = args.len() == function.arity();
        return fits.then(|| of(function, args.iter().map(like).collect()));
    }
    let linear = |a: &Expr, b: &Expr, c: &Expr| Expr::binary(Add, binary(Mul, a, b), c.clone());
    Some(match (name, args) {
        ("mad", [_, y, z]) => linear(x, y, z),
        ("rsqrt", [_]) => Expr::binary(Div, one, math(MathFn::Sqrt, vec![x.clone()])),
        ("recip", [_]) => Expr::binary(Div, one, x.clone()),
        ("divide", [_, y]) => binary(Div, x, y),
        ("ldexp", [_, n]) => {
            let n = constant::convert(n.clone(), x.ty);
            of(Elementary::Scale, vec![x.clone(), n])
        }
        // A comparison with a NaN is false, and a difference with one is a NaN again.
        ("fdim", [_, y]) => {
            let below = Expr::binary(BinaryOp::Le, x.clone(), y.clone());
            Expr::select(below, number(x, 0.0), binary(Sub, x, y))
        }
        ("mix", [_, y, a]) => linear(&binary(Sub, y, x), a, x),
        ("step", [edge, y]) => Expr::select(binary(Lt, y, edge), number(x, 0.0), one),
        ("smoothstep", [low, high, y]) => {
            let part = Expr::binary(Div, binary(Sub, y, low), binary(Sub, high, low));
            let least = math(MathFn::Max, vec![part, number(x, 0.0)]);
            let t = math(MathFn::Min, vec![least, one]);
            let slope = Expr::binary(
                Sub,
                number(x, 3.0),
                Expr::binary(Mul, number(x, 2.0), t.clone()),
            );
            Expr::binary(Mul, Expr::binary(Mul, t.clone(), t), slope)
        }
        ("sign", [_]) => {
            let zero = number(x, 0.0);
            let is_number = binary(BinaryOp::Eq, x, x);
            let rest = Expr::select(is_number, x.clone(), zero.clone());
            let negative = Expr::select(binary(Lt, x, &zero), number(x, -1.0), rest);
            Expr::select(binary(Gt, x, &zero), one, negative)
        }
        ("degrees", [_]) => Expr::binary(Mul, number(x, 180.0 / std::f64::consts::PI), x.clone()),
        ("radians", [_]) => Expr::binary(Mul, number(x, std::f64::consts::PI / 180.0), x.clone()),
        _ => return None,
    })
}

/// Of integers.
fn whole(name: &str, args: &[Expr], result: ScalarType) -> Option<Expr> {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Gt, Shr, Sub};
    let x = args.first()?;
    let own = x.ty.scalar().filter(|s| s.is_integer())?;
    let ty = Type::Scalar(result);
    let alike = args.iter().all(|arg| arg.ty == x.ty);
    if name == "abs_diff" && alike && args.len() == 2 {
        let (x, y) = (x.clone().cast(ty), args[1].clone().cast(ty));
        let less = binary(Gt, &args[1], &args[0]);
        return Some(Expr::select(less, binary(Sub, &y, &x), binary(Sub, &x, &y)));
    }
    if !alike || x.ty != ty {
        return None;
    }
    let wide = Type::Scalar(ScalarType::I64);
    Some(match (name, args) {
        ("add_sat" | "sub_sat", [_, y]) => {
            let op = if name == "add_sat" { Add } else { Sub };
            match own {
                ScalarType::I64 | ScalarType::U64 => saturating(op, x, y, own),
                _ => {
                    let sum = Expr::binary(op, x.clone().cast(wide), y.clone().cast(wide));
                    let (least, most) = own.range();
                    let bound = |n: i128| Expr::int(ScalarType::I64, n as i64);
                    let above = math(MathFn::Max, vec![sum, bound(least)]);
                    math(MathFn::Min, vec![above, bound(most)]).cast(ty)
                }
            }
        }
        // Without overflow: (x & y) + ((x ^ y) >> 1).
        ("hadd", [_, y]) => {
            let half = Expr::binary(Shr, binary(BitXor, x, y), Expr::int(own, 1));
            Expr::binary(Add, binary(BitAnd, x, y), half)
        }
        ("rhadd", [_, y]) => {
            let half = Expr::binary(Shr, binary(BitXor, x, y), Expr::int(own, 1));
            Expr::binary(Sub, binary(BitOr, x, y), half)
        }
        ("mul_hi" | "mad_hi", [_, y, ..]) if own.bits() <= 32 => {
            let wide = match own.is_signed() {
                true => wide,
                false => Type::Scalar(ScalarType::U64),
            };
            let product = Expr::binary(BinaryOp::Mul, x.clone().cast(wide), y.clone().cast(wide));
            let bits = Expr::int(wide.scalar()?, i64::from(own.bits()));
            let high = Expr::binary(Shr, product, bits).cast(ty);
            match (name, args) {
                ("mul_hi", [_, _]) => high,
                ("mad_hi", [_, _, z]) => Expr::binary(Add, high, z.clone()),
                _ => return None,
            }
        }
        ("bitselect", [_, y, mask]) => {
            let kept = Expr::binary(
                BitAnd,
                x.clone(),
                Expr::unary(UnaryOp::BitNot, mask.clone()),
            );
            Expr::binary(BitOr, kept, binary(BitAnd, y, mask))
        }
        ("ctz", [_]) => {
            let below = Expr::binary(Sub, x.clone(), Expr::int(own, 1));
            let trailing = Expr::binary(BitAnd, Expr::unary(UnaryOp::BitNot, x.clone()), below);
            let count = math(MathFn::PopCount, vec![trailing]);
            count.cast(ty)
        }
        _ => return None,
    })
}

/// A sum or difference of 64 bits, or the nearest number of the type.
fn saturating(op: BinaryOp, x: &Expr, y: &Expr, own: ScalarType) -> Expr {
    let ty = Type::Scalar(own);
    let bits = Type::Scalar(ScalarType::U64);
    let wrapped = Expr::binary(op, x.clone().cast(bits), y.clone().cast(bits)).cast(ty);
    let (least, most) = own.range();
    let constant = |n| Expr::constant(Value::int(own, n));
    if !own.is_signed() {
        let (beyond, bound) = match op {
            BinaryOp::Add => (BinaryOp::Lt, most),
            _ => (BinaryOp::Gt, least),
        };
        return Expr::select(binary(beyond, &wrapped, x), constant(bound), wrapped);
    }
    // Signs: of a sum that of both operands is lost, of a difference that of the first beside another.
    let first = binary(BinaryOp::BitXor, x, &wrapped);
    let second = match op {
        BinaryOp::Add => binary(BinaryOp::BitXor, y, &wrapped),
        _ => binary(BinaryOp::BitXor, x, y),
    };
    let signs = binary(BinaryOp::BitAnd, &first, &second);
    let is_lost = Expr::binary(BinaryOp::Lt, signs, constant(0));
    let is_negative = binary(BinaryOp::Lt, x, &constant(0));
    let bound = Expr::select(is_negative, constant(least), constant(most));
    Expr::select(is_lost, bound, wrapped)
}

/// A floating point number without its fraction, as a conversion to integers rounds it.
pub(crate) fn rounded_real(x: Expr, rounding: Option<&str>) -> Option<Expr> {
    let function = match rounding {
        None | Some("rtz") => MathFn::Trunc,
        Some("rte") => MathFn::Elementary(Elementary::Rint),
        Some("rtp") => MathFn::Ceil,
        Some("rtn") => MathFn::Floor,
        Some(_) => return None,
    };
    Some(math(function, vec![x]))
}

/// `convert_int_sat`, `convert_uchar_sat_rte` of a floating point number.
pub(crate) fn saturated_real(x: Expr, rounding: Option<&str>, to: ScalarType) -> Option<Expr> {
    Some(saturated(rounded_real(x, rounding)?, to, 0))
}

/// Whether [`geometric`] knows the function.
pub(crate) fn is_geometric(name: &str) -> bool {
    matches!(
        stem(name),
        "dot" | "length" | "distance" | "normalize" | "cross"
    )
}

pub(crate) fn is_shuffle(name: &str) -> bool {
    matches!(name, "shuffle" | "shuffle2")
}

/// Whether operands occur several times in the result of a function.
pub(crate) fn is_composed(name: &str) -> bool {
    let once = elementary(stem(name)).is_some() || matches!(name, "mad" | "divide");
    is_element_wise(name) && !once
        || is_geometric(name)
        || is_shuffle(name)
        || name.starts_with("convert_")
}

/// Functions of whole vectors: the elements of their results.
pub(crate) fn geometric(name: &str, args: &[Vec<Expr>]) -> Option<Vec<Expr>> {
    use BinaryOp::{Add, Div, Mul, Sub};
    let each = |op, a: &[Expr], b: &[Expr]| -> Vec<Expr> {
        a.iter().zip(b).map(|(a, b)| binary(op, a, b)).collect()
    };
    let dot = |a: &[Expr], b: &[Expr]| {
        let products = each(Mul, a, b).into_iter();
        products.reduce(|sum, one| Expr::binary(Add, sum, one))
    };
    let length = |a: &[Expr]| Some(math(MathFn::Sqrt, vec![dot(a, a)?]));
    let real = |e: &Expr| e.ty.scalar().is_some_and(ScalarType::is_float);
    if !args.iter().flatten().all(real) {
        return None;
    }
    Some(match (stem(name), args) {
        ("dot", [a, b]) if a.len() == b.len() => vec![dot(a, b)?],
        ("length", [a]) => vec![length(a)?],
        ("distance", [a, b]) if a.len() == b.len() => vec![length(&each(Sub, a, b))?],
        ("normalize", [a]) => {
            let length = length(a)?;
            a.iter().map(|e| binary(Div, e, &length)).collect()
        }
        ("cross", [a, b]) if matches!((a.len(), b.len()), (3, 3) | (4, 4)) => {
            let part = |i: usize, j: usize| {
                Expr::binary(Sub, binary(Mul, &a[i], &b[j]), binary(Mul, &a[j], &b[i]))
            };
            let mut parts = vec![part(1, 2), part(2, 0), part(0, 1)];
            parts.extend((a.len() == 4).then(|| number(&a[0], 0.0)));
            parts
        }
        _ => return None,
    })
}

/// `shuffle(x, mask)` and `shuffle2(x, y, mask)` (OpenCL C 3.0, 6.15.14): of the mask's numbers the low bits
/// count.
pub(crate) fn shuffled(name: &str, args: &[Vec<Expr>]) -> Option<Vec<Expr>> {
    let (from, mask): (Vec<Expr>, &Vec<Expr>) = match (name, args) {
        ("shuffle", [x, mask]) => (x.clone(), mask),
        ("shuffle2", [x, y, mask]) => (x.iter().chain(y).cloned().collect(), mask),
        _ => return None,
    };
    if !from.len().is_power_of_two() {
        return None;
    }
    let pick = |lane: &Expr| -> Option<Expr> {
        let own = lane.ty.scalar().filter(|s| s.is_integer())?;
        let low = Expr::int(own, from.len() as i64 - 1);
        let lane = Expr::binary(BinaryOp::BitAnd, lane.clone(), low);
        if let Some(known) = constant::evaluate(&lane).and_then(Value::as_integer) {
            return from.get(known as usize).cloned();
        }
        let mut all = from.iter().enumerate().rev();
        let (_, last) = all.next()?;
        Some(all.fold(last.clone(), |rest, (number, value)| {
            let here = binary(BinaryOp::Eq, &lane, &Expr::int(own, number as i64));
            Expr::select(here, value.clone(), rest)
        }))
    };
    mask.iter().map(pick).collect()
}

pub(crate) fn leaves_rest(name: &str) -> bool {
    matches!(name, "sincos" | "fract" | "modf" | "frexp")
}

/// Functions that give one value and leave another behind their last argument: both, of one element. Of
/// `frexp` what is left is an `int`.
pub(crate) fn with_rest(name: &str, x: &Expr) -> Option<(Expr, Expr)> {
    let floor = || math(MathFn::Floor, vec![x.clone()]);
    let real = x.ty.scalar().filter(|s| s.is_float())?;
    Some(match name {
        "sincos" => (
            of(Elementary::Sin, vec![x.clone()]),
            of(Elementary::Cos, vec![x.clone()]),
        ),
        "fract" => {
            let below_one = match real {
                ScalarType::F32 => f64::from(f32::from_bits(0x3f7f_ffff)),
                _ => f64::from_bits(0x3fef_ffff_ffff_ffff),
            };
            let part = Expr::binary(BinaryOp::Sub, x.clone(), floor());
            let part = math(MathFn::Min, vec![part, number(x, below_one)]);
            (part, floor())
        }
        "modf" => {
            let whole = math(MathFn::Trunc, vec![x.clone()]);
            (binary(BinaryOp::Sub, x, &whole), whole)
        }
        "frexp" => (
            of(Elementary::Fraction, vec![x.clone()]),
            of(Elementary::Exponent, vec![x.clone()]).cast(Type::I32),
        ),
        _ => return None,
    })
}
