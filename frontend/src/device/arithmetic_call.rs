//! Calls of arithmetic functions whose results IEEE 754 or integer arithmetic fixes.

use crate::body::Body;
use crate::body::operands::Operand;
use crate::refusal::Result;
use crate::storage::pointers::same_bits;
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;

enum Arithmetic {
    Function(MathFn),
    Operator(BinaryOp),
    /// A function of the bits of its operand, whose result C gives another type.
    Bits(MathFn),
    /// The same bits as a value of another type.
    Same(ScalarType),
    /// The low 32 bits of the product of the low 24 bits of two operands.
    Product24,
}

fn arithmetic(name: &str) -> Option<(Arithmetic, usize)> {
    use Arithmetic::{Bits, Function, Operator, Product24, Same};
    Some(match name {
        "min" | "umin" | "llmin" | "ullmin" | "fmin" | "fminf" => (Function(MathFn::Min), 2),
        "max" | "umax" | "llmax" | "ullmax" | "fmax" | "fmaxf" => (Function(MathFn::Max), 2),
        "abs" | "labs" | "llabs" | "fabs" | "fabsf" => (Function(MathFn::Abs), 1),
        "sqrt" | "sqrtf" | "__fsqrt_rn" | "__dsqrt_rn" => (Function(MathFn::Sqrt), 1),
        "floor" | "floorf" => (Function(MathFn::Floor), 1),
        "ceil" | "ceilf" => (Function(MathFn::Ceil), 1),
        "trunc" | "truncf" => (Function(MathFn::Trunc), 1),
        "fma" | "fmaf" | "__fmaf_rn" | "__fma_rn" => (Function(MathFn::Fma), 3),
        "__fadd_rn" | "__dadd_rn" => (Operator(BinaryOp::Add), 2),
        "__fsub_rn" | "__dsub_rn" => (Operator(BinaryOp::Sub), 2),
        "__fmul_rn" | "__dmul_rn" => (Operator(BinaryOp::Mul), 2),
        "__fdiv_rn" | "__ddiv_rn" => (Operator(BinaryOp::Div), 2),
        "__mul24" | "__umul24" | "mul24" | "umul24" => (Product24, 2),
        "__popc" | "__popcll" => (Bits(MathFn::PopCount), 1),
        "__ffs" | "__ffsll" => (Bits(MathFn::FindFirstSet), 1),
        "__clz" | "__clzll" => (Bits(MathFn::CountLeadingZeros), 1),
        "__brev" | "__brevll" => (Bits(MathFn::ReverseBits), 1),
        "__float_as_int" => (Same(ScalarType::I32), 1),
        "__float_as_uint" => (Same(ScalarType::U32), 1),
        "__int_as_float" | "__uint_as_float" => (Same(ScalarType::F32), 1),
        "__double_as_longlong" => (Same(ScalarType::I64), 1),
        "__longlong_as_double" => (Same(ScalarType::F64), 1),
        _ => return None,
    })
}

/// What `INFINITY` and `NAN` of `<math.h>` stand for.
pub(crate) fn named_constant(name: &str) -> Option<Value> {
    Some(match name {
        "__builtin_inff" | "__builtin_huge_valf" => Value::f32(f32::INFINITY),
        "__builtin_inf" | "__builtin_huge_val" => Value::f64(f64::INFINITY),
        "__builtin_nanf" => Value::f32(f32::NAN),
        "__builtin_nan" => Value::f64(f64::NAN),
        _ => return None,
    })
}

/// The low 24 bits of an integer of 32, extended by its sign if it has one.
fn low_24_bits(value: Expr) -> Expr {
    let unsigned = Expr::int(ScalarType::U32, 0xff_ffff);
    if value.ty != gridlock_semantics::algebra::types::Type::I32 {
        return Expr::binary(BinaryOp::BitAnd, value, unsigned);
    }
    let by = || Expr::i32(8);
    let up = Expr::binary(BinaryOp::Shl, value, by());
    Expr::binary(BinaryOp::Shr, up, by())
}

impl Body<'_, '_> {
    /// The value of such a call; `None` for any other call.
    pub(crate) fn arithmetic_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<Option<Expr>> {
        if let Some(value) = named_constant(name) {
            return Ok(Some(Expr::constant(value)));
        }
        let Some((what, arity)) = arithmetic(name) else {
            return Ok(None);
        };
        let operands: Vec<Operand<'_>> = arguments.iter().map(|a| Operand::Value(a)).collect();
        let mut args = self.operands(&operands)?;
        let ty = self.value_type(node)?;
        if let (Arithmetic::Bits(function), [arg]) = (&what, args.as_slice()) {
            let whole = Expr::new(arg.ty, ExprKind::Math(*function, args.clone()));
            return Ok(Some(whole.cast(ty)));
        }
        if let (Arithmetic::Same(to), [arg]) = (&what, args.as_slice()) {
            return match same_bits(arg.clone(), *to) {
                Some(value) => Ok(Some(value)),
                None => self.refuse(node, format!("this call of `{name}`")),
            };
        }
        let fits = ty.scalar().is_some_and(|s| s != ScalarType::Bool);
        // `min(unsigned, int)`: as C's arithmetic has it.
        if matches!(what, Arithmetic::Function(MathFn::Min | MathFn::Max)) && fits {
            for arg in &mut args {
                *arg = crate::constant::convert(arg.clone(), ty);
            }
        }
        if args.len() != arity || !fits || args.iter().any(|a| a.ty != ty) {
            return self.refuse(node, format!("this call of `{name}`"));
        }
        Ok(Some(match what {
            Arithmetic::Function(function) | Arithmetic::Bits(function) => {
                Expr::new(ty, ExprKind::Math(function, args))
            }
            Arithmetic::Same(_) => return self.refuse(node, format!("this call of `{name}`")),
            Arithmetic::Product24 => {
                let parts = args.into_iter().map(low_24_bits);
                match parts.reduce(|a, b| Expr::binary(BinaryOp::Mul, a, b)) {
                    Some(product) => product,
                    None => return self.refuse(node, format!("this call of `{name}`")),
                }
            }
            Arithmetic::Operator(op) => {
                let (right, left) = (args.pop(), args.pop());
                match (left, right) {
                    (Some(left), Some(right)) => Expr::binary(op, left, right),
                    _ => return self.refuse(node, format!("this call of `{name}`")),
                }
            }
        }))
    }
}
