//! OpenCL C's arithmetic functions, on scalars and element by element on vectors. The results of those in this file
//! are exact; for the others see [`crate::device::opencl_math`].

use crate::assumed::Assumed;
use crate::body::Body;
use crate::body::operands::Operand;
use crate::body::source::Source;
use crate::device::arithmetic_call::named_constant;
use crate::device::opencl_math;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

fn math(function: MathFn, args: Vec<Expr>) -> Option<Expr> {
    let ty = args.first()?.ty;
    let fits = ty.scalar().is_some_and(|s| function.is_defined_on(s));
    let same = args.iter().all(|arg| arg.ty == ty);
    (fits && same && args.len() == function.arity())
        .then(|| Expr::new(ty, ExprKind::Math(function, args)))
}

/// The low 24 bits, extended by the sign. (OpenCL leaves the result of wider operands open.)
fn low_24_bits(value: Expr) -> Expr {
    if value.ty != Type::I32 {
        return Expr::binary(
            BinaryOp::BitAnd,
            value,
            Expr::int(ScalarType::U32, 0xff_ffff),
        );
    }
    let up = Expr::binary(BinaryOp::Shl, value, Expr::i32(8));
    Expr::binary(BinaryOp::Shr, up, Expr::i32(8))
}

fn unsigned(scalar: ScalarType) -> ScalarType {
    match scalar {
        ScalarType::I8 => ScalarType::U8,
        ScalarType::I16 => ScalarType::U16,
        ScalarType::I32 => ScalarType::U32,
        ScalarType::I64 => ScalarType::U64,
        other => other,
    }
}

/// One element of a function's result. `is_vector`: for vectors true is -1, and the highest bit
/// decides a choice.
fn element(name: &str, args: Vec<Expr>, result: ScalarType, is_vector: bool) -> Option<Expr> {
    if opencl_math::is_element_wise(name) {
        return opencl_math::element(name, &args, result, is_vector);
    }
    let ty = Type::Scalar(result);
    match (name, <[Expr; 3]>::try_from(args)) {
        ("clamp", Ok([x, low, high])) => {
            math(MathFn::Min, vec![math(MathFn::Max, vec![x, low])?, high])
        }
        ("fma", Ok(args)) => math(MathFn::Fma, args.to_vec()),
        ("mad24", Ok([a, b, c])) => {
            let product = Expr::binary(BinaryOp::Mul, low_24_bits(a), low_24_bits(b));
            (product.ty == c.ty && c.ty == ty).then(|| Expr::binary(BinaryOp::Add, product, c))
        }
        ("select", Ok([no, yes, by])) => {
            let zero = Expr::constant(Value::zero(by.ty.scalar()?));
            let cond = match (is_vector, by.ty.scalar()?) {
                (false, _) => Expr::binary(BinaryOp::Ne, by, zero),
                (true, scalar) => highest_bit(by, scalar),
            };
            Some(Expr::select(cond, yes, no))
        }
        (_, Err(args)) => match (name, <[Expr; 2]>::try_from(args)) {
            ("min" | "fmin", Ok(args)) => math(MathFn::Min, args.to_vec()),
            ("max" | "fmax", Ok(args)) => math(MathFn::Max, args.to_vec()),
            ("mul24", Ok([a, b])) => {
                let product = Expr::binary(BinaryOp::Mul, low_24_bits(a), low_24_bits(b));
                (product.ty == ty).then_some(product)
            }
            ("rotate", Ok([x, by])) => Some(rotated(x, by)),
            (_, Err(args)) => match (name, <[Expr; 1]>::try_from(args)) {
                (_, Ok([x])) => of_one(name, x, result),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn highest_bit(value: Expr, scalar: ScalarType) -> Expr {
    match scalar.is_signed() {
        true => Expr::binary(BinaryOp::Lt, value, Expr::constant(Value::zero(scalar))),
        false => {
            let bit = Value::int(scalar, 1i128 << (scalar.bits() - 1));
            Expr::binary(BinaryOp::Ge, value, Expr::constant(bit))
        }
    }
}

fn of_one(name: &str, x: Expr, result: ScalarType) -> Option<Expr> {
    let ty = Type::Scalar(result);
    let own = x.ty.scalar()?;
    match name {
        "fabs" => math(MathFn::Abs, vec![x]),
        "sqrt" => math(MathFn::Sqrt, vec![x]),
        "floor" => math(MathFn::Floor, vec![x]),
        "ceil" => math(MathFn::Ceil, vec![x]),
        "trunc" => math(MathFn::Trunc, vec![x]),
        "abs" if unsigned(own) == own => Some(x),
        "abs" => Some(math(MathFn::Abs, vec![x])?.cast(ty)),
        "clz" => math(MathFn::CountLeadingZeros, vec![x]),
        "popcount" => math(MathFn::PopCount, vec![x]),
        _ => converted(name, x, own, result),
    }
}

/// `rotate(x, by)`: to the left, modulo the width.
fn rotated(x: Expr, by: Expr) -> Expr {
    let (Some(own), ty) = (x.ty.scalar(), x.ty) else {
        return x;
    };
    let bits = unsigned(own);
    let mask = || Expr::int(bits, i64::from(own.bits()) - 1);
    let (x, by) = (x.cast(Type::Scalar(bits)), by.cast(Type::Scalar(bits)));
    let left = Expr::binary(BinaryOp::BitAnd, by.clone(), mask());
    let back = Expr::binary(BinaryOp::Sub, Expr::int(bits, 0), by);
    let right = Expr::binary(BinaryOp::BitAnd, back, mask());
    let high = Expr::binary(BinaryOp::Shl, x.clone(), left);
    let low = Expr::binary(BinaryOp::Shr, x, right);
    Expr::binary(BinaryOp::BitOr, high, low).cast(ty)
}

/// `convert_int`, `convert_uchar_sat`, `convert_float_rte` (OpenCL C 3.0, 6.4.3), where the result
/// is the one C's cast gives, or that within the type's range.
fn converted(name: &str, x: Expr, from: ScalarType, to: ScalarType) -> Option<Expr> {
    let target = Type::Scalar(to);
    let mut words = name.strip_prefix("convert_")?.split('_').skip(1);
    let (mut saturates, mut rounding) = (false, None);
    for word in words.by_ref() {
        match word {
            "sat" => saturates = true,
            word => rounding = Some(word),
        }
    }
    if from.is_float() && to.is_integer() {
        return match saturates {
            true => opencl_math::saturated_real(x, rounding, to),
            false => opencl_math::rounded_real(x, rounding).map(|whole| whole.cast(target)),
        };
    }
    let rounds_so = match (from.is_float(), to.is_float()) {
        (true, true) | (false, true) => matches!(rounding, None | Some("rte")),
        (_, false) => true,
    };
    if !rounds_so {
        return None;
    }
    if !saturates || to.is_float() {
        return Some(x.cast(target));
    }
    let (low, high) = range(to)?;
    let (least, most) = range(from)?;
    let constant = |ty, n| Expr::constant(Value::int(ty, n));
    let mut value = x.clone().cast(target);
    if most > high {
        let above = Expr::binary(BinaryOp::Gt, x.clone(), constant(from, high));
        value = Expr::select(above, constant(to, high), value);
    }
    if least < low {
        let below = Expr::binary(BinaryOp::Lt, x, constant(from, low));
        value = Expr::select(below, constant(to, low), value);
    }
    Some(value)
}

/// The least and the greatest value of an integer type.
fn range(scalar: ScalarType) -> Option<(i128, i128)> {
    let bits = scalar.bits();
    match (scalar.is_integer(), scalar.is_signed()) {
        (false, _) => None,
        (true, true) => Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)),
        (true, false) => Some((0, (1i128 << bits) - 1)),
    }
}

impl Source<'_, '_> {
    fn any_or_all(&mut self, node: &Node, name: &str, args: Vec<Vec<Expr>>) -> Result<Expr> {
        let op = match name {
            "any" => BinaryOp::Or,
            _ => BinaryOp::And,
        };
        let bits = args.into_iter().flatten().map(|value| {
            let scalar = value.ty.scalar().filter(|s| s.is_integer())?;
            Some(highest_bit(value, scalar))
        });
        let bits: Option<Vec<Expr>> = bits.collect();
        let whole = bits.and_then(|bits| bits.into_iter().reduce(|a, b| Expr::binary(op, a, b)));
        match whole {
            Some(cond) => Ok(cond.cast(Type::I32)),
            None => self.refuse(node, format!("this call of `{name}`")),
        }
    }
}

impl Body<'_, '_> {
    /// Arguments part by part, none of which reads memory: functions may use them twice or never.
    fn numbers(&mut self, node: &Node, arguments: &[&Node]) -> Result<Vec<Vec<Expr>>> {
        let span = self.span(node);
        let lengths: Vec<usize> = arguments
            .iter()
            .map(|a| self.type_of(a).vector().map_or(1, |(_, n)| n))
            .collect();
        let operands: Vec<Operand<'_>> = arguments.iter().map(|a| Operand::Parts(a)).collect();
        let mut values = self.operands(&operands)?.into_iter();
        let mut all = Vec::new();
        for length in lengths {
            let part: Vec<Expr> = values.by_ref().take(length).collect();
            let kept = part.into_iter().map(|value| match value.has_load() {
                true => self.keep(value, span),
                false => value,
            });
            all.push(kept.collect());
        }
        Ok(all)
    }

    /// The same, for functions made of others, in which operands occur several times.
    fn numbers_of(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Vec<Vec<Expr>>> {
        if opencl_math::is_approximate(name) {
            self.assume(Assumed::Approximated(name.to_owned()));
        }
        let all = self.numbers(node, arguments)?;
        if !opencl_math::is_composed(name) {
            return Ok(all);
        }
        let span = self.span(node);
        let is_simple = |e: &Expr| matches!(e.kind, ExprKind::Var(_) | ExprKind::Const(_));
        let keep = |value: Expr| match is_simple(&value) {
            true => value,
            false => self.keep(value, span),
        };
        let mut keep = keep;
        let kept = all
            .into_iter()
            .map(|part| part.into_iter().map(&mut keep).collect());
        Ok(kept.collect())
    }

    /// `fract(x, p)` and its kin, which leave a second result where a pointer points to.
    fn with_rest_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Vec<Expr>>> {
        let [x, pointer] = arguments else {
            return Ok(None);
        };
        if !opencl_math::leaves_rest(name)
            || !matches!(self.type_of(pointer).decayed().ty, CType::Pointer(_))
        {
            return Ok(None);
        }
        let span = self.span(node);
        let mut values = self.operands(&[Operand::Parts(x), Operand::Value(pointer)])?;
        let Some(pointer) = values.pop() else {
            return self.refuse(node, format!("this call of `{name}`"));
        };
        let pointer = self.steady_pointer(pointer, span);
        let elem = pointer.ty.pointer().map(|p| Type::Scalar(p.elem));
        let (mut given, mut left) = (Vec::new(), Vec::new());
        for x in values {
            let x = self.keep(x, span);
            match opencl_math::with_rest(name, &x) {
                Some((value, rest)) if Some(rest.ty) == elem => {
                    given.push(self.keep(value, span));
                    left.push(rest);
                }
                _ => return self.refuse(node, format!("this call of `{name}`")),
            }
        }
        for (lane, value) in left.into_iter().enumerate() {
            let lane = Expr::int(ScalarType::I64, lane as i64);
            let pointer = moved(pointer.clone(), lane, 1);
            self.emit(Basic::Store { pointer, value }, span);
        }
        Ok(Some(given))
    }

    /// The value of such a call with a scalar result; `None` for any other call.
    pub(crate) fn opencl_arithmetic(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        if let Some(value) = named_constant(name) {
            return Ok(Some(Expr::constant(value)));
        }
        if let Some(given) = self.with_rest_call(node, name, arguments)? {
            return match <[Expr; 1]>::try_from(given) {
                Ok([value]) => Ok(Some(value)),
                Err(_) => self.refuse(node, format!("this call of `{name}`")),
            };
        }
        let is_choice = matches!(name, "any" | "all") && arguments.len() == 1;
        let is_geometric = opencl_math::is_geometric(name);
        if !is_choice && !is_geometric && !is_known(name) {
            return Ok(None);
        }
        let Some(result) = self.type_of(node).scalar() else {
            return Ok(None);
        };
        let args = self.numbers_of(node, name, arguments)?;
        if is_choice {
            return self.any_or_all(node, name, args).map(Some);
        }
        if is_geometric {
            let given = opencl_math::geometric(name, &args).map(<[Expr; 1]>::try_from);
            return match given {
                Some(Ok([value])) => Ok(Some(value)),
                _ => self.refuse(node, format!("this call of `{name}`")),
            };
        }
        if args.iter().any(|arg| arg.len() != 1) {
            return self.refuse(node, format!("this call of `{name}`"));
        }
        match element(name, args.into_iter().flatten().collect(), result, false) {
            Some(value) if value.ty == Type::Scalar(result) => Ok(Some(value)),
            _ => self.refuse(node, format!("this call of `{name}`")),
        }
    }

    /// The elements of the vector that such a call returns; `None` for any other call.
    pub(crate) fn vector_call(
        &mut self,
        node: &Node,
        name: &str,
        (elem, n): (ScalarType, usize),
    ) -> Result<Option<Vec<Expr>>> {
        let arguments: Vec<&Node> = node.arguments().iter().collect();
        if let Some(values) = self.vector_load(node, name, (elem, n), &arguments)? {
            return Ok(Some(values));
        }
        if let Some(values) = self.with_rest_call(node, name, &arguments)? {
            return Ok(Some(values));
        }
        let is_whole = opencl_math::is_geometric(name) || opencl_math::is_shuffle(name);
        if !is_whole && !is_known(name) {
            return self.refuse(node, format!("a call of `{name}`"));
        }
        let args = self.numbers_of(node, name, &arguments)?;
        if is_whole {
            let given = match opencl_math::is_shuffle(name) {
                true => opencl_math::shuffled(name, &args),
                false => opencl_math::geometric(name, &args),
            };
            return match given.filter(|given| given.len() == n) {
                Some(given) => Ok(Some(given)),
                None => self.refuse(node, format!("this call of `{name}`")),
            };
        }
        let mut values = Vec::with_capacity(n);
        for lane in 0..n {
            // A scalar among vectors stands for each of its elements.
            let own: Option<Vec<Expr>> = args
                .iter()
                .map(|arg| {
                    arg.get(lane)
                        .or(arg.first().filter(|_| arg.len() == 1))
                        .cloned()
                })
                .collect();
            let value = own.and_then(|own| element(name, own, elem, true));
            match value {
                Some(value) if value.ty == Type::Scalar(elem) => values.push(value),
                _ => return self.refuse(node, format!("this call of `{name}`")),
            }
        }
        Ok(Some(values))
    }
}

/// Whether the function has a meaning, for some operands.
fn is_known(name: &str) -> bool {
    matches!(
        name,
        "min"
            | "max"
            | "fmin"
            | "fmax"
            | "clamp"
            | "fma"
            | "mad24"
            | "mul24"
            | "select"
            | "rotate"
            | "fabs"
            | "sqrt"
            | "floor"
            | "ceil"
            | "trunc"
            | "abs"
            | "clz"
            | "popcount"
    ) || name.starts_with("convert_")
        || opencl_math::is_element_wise(name)
}
