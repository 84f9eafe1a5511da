//! Calls of clang's integer builtins. CUDA's intrinsics that are made of other operators stand in
//! `stand-ins/gridlock_integer.h`.

use crate::body::Body;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// Builtins by name, with the type of their operand.
fn operand_type(name: &str) -> Option<ScalarType> {
    Some(match name {
        "__builtin_popcount" | "__builtin_clz" | "__builtin_ctz" | "__builtin_ffs" => {
            ScalarType::U32
        }
        "__builtin_popcountl"
        | "__builtin_popcountll"
        | "__builtin_clzll"
        | "__builtin_clzl"
        | "__builtin_ctzll"
        | "__builtin_ctzl"
        | "__builtin_ffsll" => ScalarType::U64,
        _ => return None,
    })
}

fn bits(function: MathFn, x: Expr) -> Expr {
    Expr::new(x.ty, ExprKind::Math(function, vec![x]))
}

fn counted(name: &str, x: Expr) -> Option<Expr> {
    let what = name.strip_prefix("__builtin_")?;
    Some(match what.trim_end_matches('l') {
        "popcount" => bits(MathFn::PopCount, x),
        "ffs" => bits(MathFn::FindFirstSet, x),
        "clz" => bits(MathFn::CountLeadingZeros, x),
        "ctz" => {
            let one = constant::convert(Expr::int(ScalarType::U32, 1), x.ty);
            let lowest = Expr::unary(UnaryOp::Neg, x.clone());
            let lowest = Expr::binary(BinaryOp::BitAnd, x, lowest);
            bits(MathFn::PopCount, Expr::binary(BinaryOp::Sub, lowest, one))
        }
        _ => return None,
    })
}

impl Body<'_, '_> {
    /// The value of such a call; `None` for any other call.
    pub(crate) fn integer_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        if let ("__builtin_expect" | "__builtin_assume_aligned", [value, ..]) = (name, arguments) {
            return self.value(value).map(Some);
        }
        let Some(computed) = operand_type(name) else {
            return Ok(None);
        };
        let span = self.span(node);
        let operands: Vec<Operand<'_>> = arguments.iter().map(|a| Operand::Value(a)).collect();
        let given = <[Expr; 1]>::try_from(self.operands(&operands)?);
        let is_integer = |x: &Expr| x.ty.scalar().is_some_and(ScalarType::is_integer);
        let Some([x]) = given.ok().filter(|[x]| is_integer(x)) else {
            return self.refuse(node, format!("this call of `{name}`"));
        };
        let ty = self.value_type(node)?;
        let x = match constant::convert(x, Type::Scalar(computed)) {
            x if matches!(x.kind, ExprKind::Var(_) | ExprKind::Const(_)) => x,
            x => self.keep(x, span),
        };
        match counted(name, x) {
            Some(value) => Ok(Some(constant::convert(value, ty))),
            None => self.refuse(node, format!("this call of `{name}`")),
        }
    }
}
