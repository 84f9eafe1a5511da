//! Calls of CUDA's integer intrinsics and of clang's builtins, composed of the algebra's operators.

use crate::body::Body;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// Intrinsics by name, with the type their operands are computed in.
fn operand_type(name: &str) -> Option<(ScalarType, usize)> {
    use ScalarType::{I32, I64, U32, U64};
    Some(match name {
        "__mulhi" => (I32, 2),
        "__umulhi" => (U32, 2),
        "__mul64hi" => (I64, 2),
        "__umul64hi" => (U64, 2),
        "__sad" => (I32, 2),
        "__usad" => (U32, 2),
        "__hadd" | "__rhadd" => (I32, 2),
        "__uhadd" | "__urhadd" => (U32, 2),
        "__byte_perm" => (U32, 3),
        "__funnelshift_l" | "__funnelshift_lc" | "__funnelshift_r" | "__funnelshift_rc" => (U32, 3),
        "__dp4a" => (I32, 3),
        "__builtin_popcount" | "__builtin_clz" | "__builtin_ctz" | "__builtin_ffs" => (U32, 1),
        "__builtin_popcountl"
        | "__builtin_popcountll"
        | "__builtin_clzll"
        | "__builtin_clzl"
        | "__builtin_ctzll"
        | "__builtin_ctzl"
        | "__builtin_ffsll" => (U64, 1),
        _ => return None,
    })
}

fn cast(value: Expr, to: ScalarType) -> Expr {
    constant::convert(value, Type::Scalar(to))
}

fn int(ty: ScalarType, n: i64) -> Expr {
    Expr::int(ty, n)
}

fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

fn bits(function: MathFn, x: &Expr) -> Expr {
    Expr::new(x.ty, ExprKind::Math(function, vec![x.clone()]))
}

/// `high:low` as one number of 64 bits.
fn joined(high: &Expr, low: &Expr) -> Expr {
    use ScalarType::{U32, U64};
    let high = op(BinaryOp::Shl, cast(high.clone(), U64), int(U32, 32));
    op(BinaryOp::BitOr, high, cast(low.clone(), U64))
}

/// The upper 64 bits of the product of two unsigned numbers of 64.
fn high_product(a: &Expr, b: &Expr) -> Expr {
    use ScalarType::U32;
    let low = |e: &Expr| {
        op(
            BinaryOp::BitAnd,
            e.clone(),
            int(ScalarType::U64, 0xffff_ffff),
        )
    };
    let high = |e: &Expr| op(BinaryOp::Shr, e.clone(), int(U32, 32));
    let times = |a: Expr, b: Expr| op(BinaryOp::Mul, a, b);
    let plus = |a: Expr, b: Expr| op(BinaryOp::Add, a, b);
    let lowest = times(low(a), low(b));
    let first = plus(times(high(a), low(b)), high(&lowest));
    let second = plus(times(low(a), high(b)), low(&first));
    plus(plus(times(high(a), high(b)), high(&first)), high(&second))
}

/// Byte `at` of a number of 32 bits, by its sign if `signed`.
fn byte(value: &Expr, at: i64, signed: bool) -> Expr {
    use ScalarType::{I8, I32, U8, U32};
    let shifted = op(BinaryOp::Shr, cast(value.clone(), U32), int(U32, 8 * at));
    let narrow = cast(shifted, if signed { I8 } else { U8 });
    cast(narrow, if signed { I32 } else { U32 })
}

fn composed(name: &str, args: &[Expr], signed: bool) -> Option<Expr> {
    use ScalarType::{I64, U32, U64};
    let wide = |e: &Expr, to| cast(e.clone(), to);
    Some(match (name, args) {
        ("__mulhi", [a, b]) => {
            let product = op(BinaryOp::Mul, wide(a, I64), wide(b, I64));
            op(BinaryOp::Shr, product, int(U32, 32))
        }
        ("__umulhi", [a, b]) => {
            let product = op(BinaryOp::Mul, wide(a, U64), wide(b, U64));
            op(BinaryOp::Shr, product, int(U32, 32))
        }
        ("__umul64hi", [a, b]) => high_product(a, b),
        ("__mul64hi", [a, b]) => {
            // The product of the bits, less what a negative factor counts too much.
            let unsigned = high_product(&wide(a, U64), &wide(b, U64));
            let less = |sign: &Expr, by: &Expr| {
                let negative = op(BinaryOp::Lt, sign.clone(), int(I64, 0));
                Expr::select(negative, wide(by, U64), int(U64, 0))
            };
            let once = op(BinaryOp::Sub, unsigned, less(a, b));
            op(BinaryOp::Sub, once, less(b, a))
        }
        ("__sad" | "__usad", [a, b, c]) => {
            let least = Expr::new(
                a.ty,
                ExprKind::Math(MathFn::Min, vec![a.clone(), b.clone()]),
            );
            let most = Expr::new(
                a.ty,
                ExprKind::Math(MathFn::Max, vec![a.clone(), b.clone()]),
            );
            let apart = op(BinaryOp::Sub, wide(&most, U32), wide(&least, U32));
            op(BinaryOp::Add, apart, wide(c, U32))
        }
        ("__hadd" | "__uhadd" | "__rhadd" | "__urhadd", [a, b]) => {
            let sum = op(BinaryOp::Add, wide(a, I64), wide(b, I64));
            let sum = match name.contains("rh") {
                true => op(BinaryOp::Add, sum, int(I64, 1)),
                false => sum,
            };
            op(BinaryOp::Shr, sum, int(U32, 1))
        }
        ("__byte_perm", [x, y, s]) => {
            let all = joined(y, x);
            let chosen = |at: i64| {
                let selector = op(BinaryOp::Shr, s.clone(), int(U32, 4 * at));
                let selector = op(BinaryOp::BitAnd, selector, int(U32, 7));
                let by = op(BinaryOp::Mul, selector, int(U32, 8));
                let byte = op(BinaryOp::Shr, all.clone(), by);
                let byte = op(BinaryOp::BitAnd, byte, int(U64, 0xff));
                op(BinaryOp::Shl, byte, int(U32, 8 * at))
            };
            (0..4)
                .map(chosen)
                .reduce(|a, b| op(BinaryOp::BitOr, a, b))?
        }
        (_, [low, high, by]) if name.starts_with("__funnelshift_") => {
            let by = match name.ends_with('c') {
                true => Expr::new(
                    by.ty,
                    ExprKind::Math(MathFn::Min, vec![by.clone(), int(U32, 32)]),
                ),
                false => op(BinaryOp::BitAnd, by.clone(), int(U32, 31)),
            };
            let all = joined(high, low);
            match name.starts_with("__funnelshift_l") {
                true => {
                    let shifted = op(BinaryOp::Shl, all, by);
                    op(BinaryOp::Shr, shifted, int(U32, 32))
                }
                false => op(BinaryOp::Shr, all, by),
            }
        }
        ("__dp4a", [a, b, c]) => {
            let product = |at| {
                let product = op(BinaryOp::Mul, byte(a, at, signed), byte(b, at, signed));
                wide(&product, U32)
            };
            let sum = (0..4).map(product).reduce(|a, b| op(BinaryOp::Add, a, b))?;
            op(BinaryOp::Add, sum, wide(c, U32))
        }
        (_, [x]) if name.starts_with("__builtin_popcount") => bits(MathFn::PopCount, x),
        (_, [x]) if name.starts_with("__builtin_ffs") => bits(MathFn::FindFirstSet, x),
        (_, [x]) if name.starts_with("__builtin_clz") => bits(MathFn::CountLeadingZeros, x),
        (_, [x]) if name.starts_with("__builtin_ctz") => {
            let lowest = Expr::unary(UnaryOp::Neg, x.clone());
            let lowest = op(BinaryOp::BitAnd, x.clone(), lowest);
            let below = op(BinaryOp::Sub, lowest, cast(int(U32, 1), x.ty.scalar()?));
            bits(MathFn::PopCount, &below)
        }
        _ => return None,
    })
}

impl Body<'_, '_> {
    /// The value of such a call; `None` when it is none.
    pub(crate) fn integer_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        if let ("__builtin_expect" | "__builtin_assume_aligned", [value, ..]) = (name, arguments) {
            return self.value(value).map(Some);
        }
        let Some((computed, n_alike)) = operand_type(name) else {
            return Ok(None);
        };
        let span = self.span(node);
        let operands: Vec<Operand<'_>> = arguments.iter().map(|a| Operand::Value(a)).collect();
        let mut args = self.operands(&operands)?;
        if !args
            .iter()
            .all(|a| a.ty.scalar().is_some_and(|s| s.is_integer()))
        {
            return self.refuse(node, format!("this call of `{name}`"));
        }
        let ty = self.value_type(node)?;
        let signed = ty.scalar().is_some_and(ScalarType::is_signed);
        for (at, arg) in args.iter_mut().enumerate() {
            if at < n_alike {
                *arg = cast(arg.clone(), computed);
            }
            if !matches!(arg.kind, ExprKind::Var(_) | ExprKind::Const(_)) {
                *arg = self.keep(arg.clone(), span);
            }
        }
        match composed(name, &args, signed) {
            Some(value) => Ok(Some(constant::convert(value, ty))),
            None => self.refuse(node, format!("this call of `{name}`")),
        }
    }
}
