//! Calls of the functions of `math.h` and of CUDA's floating point intrinsics. Functions that the algebra lacks are
//! composed of those it has. The fast intrinsics (`__expf`) are treated like the functions they approximate, which is
//! assumed ([`Assumed::Approximated`]).

use crate::assumed::Assumed;
use crate::body::Body;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::syntax::Node;
use crate::types::ctype::CType;
use gridlock_semantics::algebra::elementary::Elementary;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// The functions that have a fast kind.
const FAST: &[&str] = &[
    "__expf", "__exp10f", "__logf", "__log2f", "__log10f", "__sinf", "__cosf", "__tanf", "__powf",
    "__tanhf",
];

/// Others that a device approximates: it gives something else than the functions that are put in their place, each
/// rounded once.
const APPROXIMATE: &[&str] = &[
    "__exp2f",
    "__fdividef",
    "__sincosf",
    "rsqrt",
    "rsqrtf",
    "__frsqrt_rn",
    "rcbrt",
    "rcbrtf",
    "rhypot",
    "rhypotf",
    "norm3d",
    "norm3df",
    "rnorm3d",
    "rnorm3df",
    "normcdf",
    "normcdff",
];

fn is_approximate(name: &str) -> bool {
    FAST.contains(&name) || APPROXIMATE.contains(&name)
}

fn elementary(name: &str) -> Option<Elementary> {
    let name = match name {
        "nearbyint" | "nearbyintf" => "rint",
        _ if FAST.contains(&name) => name.trim_start_matches('_'),
        _ => name,
    };
    let is_it = |f: &&Elementary| name == f.name() || name.strip_suffix('f') == Some(f.name());
    Elementary::ALL.iter().find(is_it).copied()
}

/// A conversion that rounds: `__float2int_rn`.
fn rounded(name: &str) -> Option<MathFn> {
    let (from, mode) = name.strip_prefix("__")?.rsplit_once('_')?;
    let (from, to) = from.split_once('2')?;
    let is_known =
        matches!(from, "float" | "double") && matches!(to, "int" | "uint" | "ll" | "ull");
    match mode {
        _ if !is_known => None,
        "rn" => Some(MathFn::Elementary(Elementary::Rint)),
        "rz" => Some(MathFn::Trunc),
        "ru" => Some(MathFn::Ceil),
        "rd" => Some(MathFn::Floor),
        _ => None,
    }
}

/// A conversion that is C's own, to nearest.
fn is_nearest(name: &str) -> bool {
    matches!(
        name,
        "__int2float_rn"
            | "__uint2float_rn"
            | "__ll2float_rn"
            | "__ull2float_rn"
            | "__int2double_rn"
            | "__uint2double_rn"
            | "__ll2double_rn"
            | "__ull2double_rn"
            | "__double2float_rn"
    )
}

fn math(function: MathFn, args: Vec<Expr>) -> Expr {
    let ty = args.first().map_or(Type::F64, |a| a.ty);
    Expr::new(ty, ExprKind::Math(function, args))
}

pub(crate) fn of(function: Elementary, args: Vec<Expr>) -> Expr {
    math(MathFn::Elementary(function), args)
}

/// A number of the same floating point type as `like`.
pub(crate) fn number(like: &Expr, value: f64) -> Expr {
    Expr::constant(match like.ty {
        Type::F32 => Value::f32(value as f32),
        _ => Value::f64(value),
    })
}

/// Conversion to an integer type: a value out of range becomes the nearest in range, and a NaN becomes `of_nan`. (In C this
/// is undefined.)
pub(crate) fn saturated(value: Expr, to: ScalarType, of_nan: i128) -> Expr {
    let (least, most) = to.range();
    let compare = |op, bound: f64| Expr::binary(op, value.clone(), number(&value, bound));
    let constant = |n| Expr::constant(Value::int(to, n));
    // Both bounds are powers of two, so that they are numbers of either type.
    let too_large = compare(BinaryOp::Ge, (most + 1) as f64);
    let too_small = compare(BinaryOp::Le, least as f64);
    let is_number = Expr::binary(BinaryOp::Eq, value.clone(), value.clone());
    let fitting = value.clone().cast(Type::Scalar(to));
    let fitting = Expr::select(is_number, fitting, constant(of_nan));
    let above = Expr::select(too_small, constant(least), fitting);
    Expr::select(too_large, constant(most), above)
}

/// What PTX's `cvt` makes of a NaN: 0 between types of at most 32 bits, else the top bit alone.
fn of_nan(from: Type, to: ScalarType) -> i128 {
    match from == Type::F32 && to.bits() <= 32 {
        true => 0,
        false if to.range().0 < 0 => to.range().0,
        false => 1 << (to.bits() - 1),
    }
}

impl Body<'_, '_> {
    /// The value of such a call; `None` for any other call.
    pub(crate) fn math_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Option<Expr>>> {
        if !is_math(name) {
            return Ok(None);
        }
        if is_approximate(name) {
            self.assume(Assumed::Approximated(name.to_owned()));
        }
        let span = self.span(node);
        let operands: Vec<Operand<'_>> = arguments.iter().map(|a| Operand::Value(a)).collect();
        let mut args = self.operands(&operands)?;
        // Composed functions name their operands more than once.
        let is_simple = |e: &Expr| matches!(e.kind, ExprKind::Var(_) | ExprKind::Const(_));
        let is_composed = elementary(name).is_none() && !is_nearest(name);
        for arg in &mut args {
            if is_composed && !is_simple(arg) {
                *arg = self.keep(arg.clone(), span);
            }
        }
        if let Some(done) = self.math_with_stores(node, name, arguments, &args)? {
            return Ok(Some(done));
        }
        let ty = self.value_type(node)?;
        let is_real = |e: &Expr| e.ty.scalar().is_some_and(ScalarType::is_float);
        let result = composed(name, &args, ty);
        let fits =
            is_nearest(name) || elementary(name).is_some() || args.first().is_some_and(is_real);
        match result {
            Some(value) if fits => Ok(Some(Some(constant::convert(value, ty)))),
            _ => self.refuse(node, format!("this call of `{name}`")),
        }
    }

    /// Functions that store results through pointers.
    fn math_with_stores(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
        args: &[Expr],
    ) -> Result<Option<Option<Expr>>> {
        use Elementary::{Cos, CosPi, Exponent, Fraction, Sin, SinPi};
        let span = self.span(node);
        let (stored, value) = match (name.trim_start_matches('_').trim_end_matches('f'), args) {
            ("sincos", [x, sin, cos]) => {
                let (sine, cosine) = (of(Sin, vec![x.clone()]), of(Cos, vec![x.clone()]));
                (vec![(sin, sine), (cos, cosine)], None)
            }
            ("sincospi", [x, sin, cos]) => {
                let sine = of(SinPi, vec![x.clone()]);
                let cosine = of(CosPi, vec![x.clone()]);
                (vec![(sin, sine), (cos, cosine)], None)
            }
            ("mod", [x, whole]) => {
                let part = math(MathFn::Trunc, vec![x.clone()]);
                let rest = Expr::binary(BinaryOp::Sub, x.clone(), part.clone());
                (vec![(whole, part)], Some(rest))
            }
            ("frexp", [x, exponent]) => {
                let power = of(Exponent, vec![x.clone()]);
                (vec![(exponent, power)], Some(of(Fraction, vec![x.clone()])))
            }
            _ => return Ok(None),
        };
        for ((pointer, value), &argument) in stored.into_iter().zip(&arguments[1..]) {
            let CType::Pointer(to) = self.type_of(argument).decayed().ty else {
                return self.refuse(node, format!("this call of `{name}`"));
            };
            let place = Place::Cell(pointer.clone(), *to);
            self.write(&place, value, span, node)?;
        }
        Ok(Some(value))
    }
}

/// Whether a name is one of those this file is about.
fn is_math(name: &str) -> bool {
    elementary(name).is_some()
        || rounded(name).is_some()
        || is_nearest(name)
        || is_approximate(name)
        || matches!(
            name,
            "__frcp_rn"
                | "__drcp_rn"
                | "fdividef"
                | "__saturatef"
                | "isnan"
                | "__isnan"
                | "__isnanf"
                | "isinf"
                | "__isinf"
                | "__isinff"
                | "isfinite"
                | "__finite"
                | "__finitef"
                | "signbit"
                | "__signbit"
                | "__signbitf"
                | "lrint"
                | "lrintf"
                | "llrint"
                | "llrintf"
                | "lround"
                | "lroundf"
                | "llround"
                | "llroundf"
                | "ldexp"
                | "ldexpf"
                | "scalbn"
                | "scalbnf"
                | "sincos"
                | "sincosf"
                | "sincospi"
                | "sincospif"
                | "modf"
                | "modff"
                | "frexp"
                | "frexpf"
        )
}

/// A function composed of others.
fn composed(name: &str, args: &[Expr], ty: Type) -> Option<Expr> {
    use Elementary::{Cbrt, Copysign, Erfc, Exp2, Hypot, Rint, Round, Scale};
    let x = args.first()?.clone();
    let one = || number(&x, 1.0);
    let over = |a: Expr, b: Expr| Expr::binary(BinaryOp::Div, a, b);
    let root = |x: Expr| math(MathFn::Sqrt, vec![x]);
    let magnitude = || math(MathFn::Abs, vec![x.clone()]);
    let infinity = || number(&x, f64::INFINITY);
    if let Some(function) = elementary(name) {
        let like = |arg: &Expr| constant::convert(arg.clone(), x.ty);
        if name.starts_with("ldexp") {
            return Some(of(Scale, args.iter().map(like).collect()));
        }
        let is_real = ty.scalar().is_some_and(ScalarType::is_float);
        let fits = args.len() == function.arity() && is_real;
        let exact = |arg: &Expr| constant::convert(arg.clone(), ty);
        return fits.then(|| of(function, args.iter().map(exact).collect()));
    }
    if let (Some(function), Some(to)) = (rounded(name), ty.scalar()) {
        return Some(saturated(
            math(function, vec![x.clone()]),
            to,
            of_nan(x.ty, to),
        ));
    }
    if is_nearest(name) {
        return Some(x);
    }
    Some(match (name, args) {
        ("rsqrt" | "rsqrtf" | "__frsqrt_rn", [_]) => over(one(), root(x.clone())),
        ("rcbrt" | "rcbrtf", [_]) => over(one(), of(Cbrt, vec![x.clone()])),
        ("rhypot" | "rhypotf", [_, _]) => over(one(), of(Hypot, args.to_vec())),
        ("norm3d" | "norm3df" | "rnorm3d" | "rnorm3df", [_, _, _]) => {
            let squares = args
                .iter()
                .map(|a| Expr::binary(BinaryOp::Mul, a.clone(), a.clone()));
            let sum = squares.reduce(|a, b| Expr::binary(BinaryOp::Add, a, b))?;
            match name.starts_with('r') {
                true => over(one(), root(sum)),
                false => root(sum),
            }
        }
        ("__frcp_rn" | "__drcp_rn", [_]) => over(one(), x.clone()),
        ("fdividef" | "__fdividef", [_, y]) => over(x.clone(), y.clone()),
        ("__exp2f", [_]) => of(Exp2, vec![x.clone()]),
        ("__saturatef", [_]) => {
            let least = math(MathFn::Max, vec![x.clone(), number(&x, 0.0)]);
            math(MathFn::Min, vec![least, one()])
        }
        ("isnan" | "__isnan" | "__isnanf", [_]) => Expr::binary(BinaryOp::Ne, x.clone(), x.clone()),
        ("isinf" | "__isinf" | "__isinff", [_]) => {
            Expr::binary(BinaryOp::Eq, magnitude(), infinity())
        }
        ("isfinite" | "__finite" | "__finitef", [_]) => {
            Expr::binary(BinaryOp::Lt, magnitude(), infinity())
        }
        ("signbit" | "__signbit" | "__signbitf", [_]) => {
            let sign = of(Copysign, vec![one(), x.clone()]);
            Expr::binary(BinaryOp::Lt, sign, number(&x, 0.0))
        }
        ("lrint" | "lrintf" | "llrint" | "llrintf", [_]) => of(Rint, vec![x.clone()]),
        ("lround" | "lroundf" | "llround" | "llroundf", [_]) => of(Round, vec![x.clone()]),
        ("scalbn" | "scalbnf", [_, n]) => {
            of(Scale, vec![x.clone(), constant::convert(n.clone(), x.ty)])
        }
        ("normcdf" | "normcdff", [_]) => {
            let scaled = number(&x, std::f64::consts::FRAC_1_SQRT_2);
            let negated = Expr::unary(UnaryOp::Neg, x.clone());
            let argument = Expr::binary(BinaryOp::Mul, negated, scaled);
            let tail = of(Erfc, vec![argument]);
            Expr::binary(BinaryOp::Mul, number(&x, 0.5), tail)
        }
        _ => return None,
    })
}
