//! The values that instructions of PTX compute.

use crate::body::Body;
use crate::constant;
use crate::device::instruction::{Assembly, math};
use crate::refusal::Result;
use crate::types::layout::unsigned;
use crate::unit::ptx::{Instruction, Operand, scalar};
use gridlock_semantics::algebra::elementary::Elementary;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

fn word(n: u32) -> Expr {
    Expr::int(ScalarType::U32, i64::from(n))
}

impl Body<'_, '_> {
    /// The value of an instruction that computes one.
    pub(super) fn instruction_value(
        &mut self,
        assembly: &Assembly<'_>,
        instruction: &Instruction,
    ) -> Result<Expr> {
        let words: Vec<&str> = instruction.words.iter().map(String::as_str).collect();
        let operands = instruction.operands.get(1..).unwrap_or_default().to_vec();
        let Some(ty) = words.last().and_then(|w| scalar(w)) else {
            return self.unread(assembly, instruction);
        };
        let span = assembly.span;
        let number = |b: &mut Self, index: usize, ty: ScalarType| match operands.get(index) {
            Some(operand) => {
                let value = b.number_of(assembly, operand, ty)?;
                Ok(match value.kind {
                    ExprKind::Var(_) | ExprKind::Const(_) => value,
                    _ => b.keep(value, span),
                })
            }
            None => b.unread(assembly, instruction),
        };
        let integer = !ty.is_float() && ty != ScalarType::Bool;
        let bits = ty.bits() as i64;
        let unsigned_own = unsigned(ty.size());
        let int = |n: i64| Expr::int(ty, n);
        let wide = match (ty.bits(), ty.is_signed()) {
            (16, true) => Some(ScalarType::I32),
            (16, false) => Some(ScalarType::U32),
            (32, true) => Some(ScalarType::I64),
            (32, false) => Some(ScalarType::U64),
            _ => None,
        };
        let widened = |e: Expr, to: ScalarType| constant::convert(e, Type::Scalar(to));
        // The operators of C with a name here.
        let simple = match words[0] {
            "add" => Some(BinaryOp::Add),
            "sub" => Some(BinaryOp::Sub),
            "and" => Some(BinaryOp::BitAnd),
            "or" => Some(BinaryOp::BitOr),
            "xor" => Some(BinaryOp::BitXor),
            "div" => Some(BinaryOp::Div),
            "rem" => Some(BinaryOp::Rem),
            _ => None,
        };
        let rounds = |ws: &[&str]| ws.iter().all(|w| *w == "rn");
        Ok(match words.as_slice() {
            ["mov", _] | ["mov", "volatile", _] => number(self, 0, ty)?,
            ["and" | "or" | "xor", "pred"] => {
                let (a, b) = (number(self, 0, ty)?, number(self, 1, ty)?);
                match words[0] {
                    "and" => Expr::binary(BinaryOp::And, a, b),
                    "or" => Expr::binary(BinaryOp::Or, a, b),
                    _ => Expr::binary(BinaryOp::Ne, a, b),
                }
            }
            ["not", "pred"] => constant::not(number(self, 0, ty)?),
            [_, _] if simple.is_some() && integer => {
                let (a, b) = (number(self, 0, ty)?, number(self, 1, ty)?);
                Expr::binary(simple.unwrap_or(BinaryOp::Add), a, b)
            }
            ["add" | "sub" | "div", modifiers @ .., "f32" | "f64"] if rounds(modifiers) => {
                let (a, b) = (number(self, 0, ty)?, number(self, 1, ty)?);
                Expr::binary(simple.unwrap_or(BinaryOp::Add), a, b)
            }
            ["mul", modifiers @ .., "f32" | "f64"] if rounds(modifiers) => {
                Expr::binary(BinaryOp::Mul, number(self, 0, ty)?, number(self, 1, ty)?)
            }
            ["fma", "rn", "f32" | "f64"] | ["mad", "rn", "f32" | "f64"] => {
                let given = vec![
                    number(self, 0, ty)?,
                    number(self, 1, ty)?,
                    number(self, 2, ty)?,
                ];
                math(MathFn::Fma, given)
            }
            ["mul", "lo", _] | ["mad", "lo", _] if integer => {
                let product =
                    Expr::binary(BinaryOp::Mul, number(self, 0, ty)?, number(self, 1, ty)?);
                match words[0] {
                    "mad" => Expr::binary(BinaryOp::Add, product, number(self, 2, ty)?),
                    _ => product,
                }
            }
            ["mul" | "mad", how @ ("hi" | "wide"), _] if integer && let Some(wide) = wide => {
                let (a, b) = (number(self, 0, ty)?, number(self, 1, ty)?);
                let product = Expr::binary(BinaryOp::Mul, widened(a, wide), widened(b, wide));
                match *how {
                    "wide" if words[0] == "mad" => {
                        Expr::binary(BinaryOp::Add, product, number(self, 2, wide)?)
                    }
                    "wide" => product,
                    _ => {
                        let high = Expr::binary(BinaryOp::Shr, product, Expr::i32(bits as i32));
                        let high = widened(high, ty);
                        match words[0] {
                            "mad" => Expr::binary(BinaryOp::Add, high, number(self, 2, ty)?),
                            _ => high,
                        }
                    }
                }
            }
            ["min" | "max", _] => {
                let function = if words[0] == "min" {
                    MathFn::Min
                } else {
                    MathFn::Max
                };
                math(function, vec![number(self, 0, ty)?, number(self, 1, ty)?])
            }
            ["abs", _] => math(MathFn::Abs, vec![number(self, 0, ty)?]),
            ["neg", _] => Expr::unary(UnaryOp::Neg, number(self, 0, ty)?),
            ["not", _] if integer => Expr::unary(UnaryOp::BitNot, number(self, 0, ty)?),
            ["popc", _] => math(MathFn::PopCount, vec![number(self, 0, ty)?]),
            ["clz", _] => math(MathFn::CountLeadingZeros, vec![number(self, 0, ty)?]),
            ["brev", _] => math(MathFn::ReverseBits, vec![number(self, 0, ty)?]),
            // Amounts beyond the width leave nothing but the sign.
            ["shl" | "shr", _] if integer => {
                let a = number(self, 0, ty)?;
                let by = number(self, 1, ScalarType::U32)?;
                let fits = Expr::binary(BinaryOp::Lt, by.clone(), word(bits as u32));
                let (op, beyond) = match words[0] {
                    "shl" => (BinaryOp::Shl, int(0)),
                    _ if ty.is_signed() => {
                        let all = Expr::i32(bits as i32 - 1);
                        (BinaryOp::Shr, Expr::binary(BinaryOp::Shr, a.clone(), all))
                    }
                    _ => (BinaryOp::Shr, int(0)),
                };
                Expr::select(fits, Expr::binary(op, a, by), beyond)
            }
            ["shf", way @ ("l" | "r"), how @ ("wrap" | "clamp"), "b32"] => {
                let low = number(self, 0, ScalarType::U32)?;
                let high = number(self, 1, ScalarType::U32)?;
                let by = number(self, 2, ScalarType::U32)?;
                let by = match *how {
                    "wrap" => Expr::binary(BinaryOp::BitAnd, by, word(31)),
                    _ => math(MathFn::Min, vec![by, word(32)]),
                };
                let high =
                    Expr::binary(BinaryOp::Shl, widened(high, ScalarType::U64), Expr::i32(32));
                let both = Expr::binary(BinaryOp::BitOr, high, widened(low, ScalarType::U64));
                let moved = match *way {
                    "l" => {
                        let moved = Expr::binary(BinaryOp::Shl, both, by);
                        Expr::binary(BinaryOp::Shr, moved, Expr::i32(32))
                    }
                    _ => Expr::binary(BinaryOp::Shr, both, by),
                };
                widened(moved, ScalarType::U32)
            }
            ["bfe", "u32" | "s32"] => {
                let a = number(self, 0, ty)?;
                let low_byte = |e: Expr| Expr::binary(BinaryOp::BitAnd, e, word(255));
                let from = low_byte(number(self, 1, ScalarType::U32)?);
                let len = low_byte(number(self, 2, ScalarType::U32)?);
                let (from, len) = (self.keep(from, span), self.keep(len, span));
                // In 64 bits, so that what lies beyond the top is the sign or zero.
                let (wide, at_most) = match ty.is_signed() {
                    true => (ScalarType::I64, 32),
                    false => (ScalarType::U64, 32),
                };
                let from = math(MathFn::Min, vec![from, word(32)]);
                let len = math(MathFn::Min, vec![len, word(at_most)]);
                let moved = Expr::binary(BinaryOp::Shr, widened(a, wide), from);
                let rest = Expr::binary(BinaryOp::Sub, word(64), len.clone());
                let is_none = Expr::binary(BinaryOp::Eq, len, word(0));
                let up = Expr::binary(BinaryOp::Shl, moved, rest.clone());
                let field = Expr::binary(BinaryOp::Shr, up, rest);
                Expr::select(is_none, int(0), widened(field, ty))
            }
            ["bfi", "b32"] => {
                let a = number(self, 0, ScalarType::U32)?;
                let b = number(self, 1, ScalarType::U32)?;
                let low_byte = |e: Expr| Expr::binary(BinaryOp::BitAnd, e, word(255));
                let from = low_byte(number(self, 2, ScalarType::U32)?);
                let len = low_byte(number(self, 3, ScalarType::U32)?);
                let from = math(MathFn::Min, vec![from, word(32)]);
                let len = math(MathFn::Min, vec![len, word(32)]);
                let wide = ScalarType::U64;
                let one = Expr::int(wide, 1);
                let ones = Expr::binary(
                    BinaryOp::Sub,
                    Expr::binary(BinaryOp::Shl, one.clone(), len),
                    one,
                );
                let mask = Expr::binary(BinaryOp::Shl, ones, from.clone());
                let mask = self.keep(widened(mask, ScalarType::U32), span);
                let placed = widened(
                    Expr::binary(BinaryOp::Shl, widened(a, wide), from),
                    ScalarType::U32,
                );
                let placed = Expr::binary(BinaryOp::BitAnd, placed, mask.clone());
                let kept = Expr::binary(BinaryOp::BitAnd, b, Expr::unary(UnaryOp::BitNot, mask));
                Expr::binary(BinaryOp::BitOr, placed, kept)
            }
            ["lop3", "b32"] => {
                let a = number(self, 0, ScalarType::U32)?;
                let b = number(self, 1, ScalarType::U32)?;
                let c = number(self, 2, ScalarType::U32)?;
                let table = operands.get(3).cloned();
                let table = match table {
                    Some(Operand::Integer(n)) => Some(n),
                    Some(operand) => {
                        let value = self.number_of(assembly, &operand, ScalarType::I64)?;
                        constant::evaluate(&value).and_then(Value::as_integer)
                    }
                    None => None,
                };
                let Some(table) = table.filter(|n| (0..256).contains(n)) else {
                    return self.unread(assembly, instruction);
                };
                let not = |e: &Expr| Expr::unary(UnaryOp::BitNot, e.clone());
                let terms = (0..8).filter(|row| table >> row & 1 == 1).map(|row: u32| {
                    let pick = |bit: u32, e: &Expr| {
                        if row >> bit & 1 == 1 {
                            e.clone()
                        } else {
                            not(e)
                        }
                    };
                    let ab = Expr::binary(BinaryOp::BitAnd, pick(2, &a), pick(1, &b));
                    Expr::binary(BinaryOp::BitAnd, ab, pick(0, &c))
                });
                terms
                    .reduce(|x, y| Expr::binary(BinaryOp::BitOr, x, y))
                    .unwrap_or(word(0))
            }
            ["prmt", "b32"] => {
                let a = number(self, 0, ScalarType::U32)?;
                let b = number(self, 1, ScalarType::U32)?;
                let s = number(self, 2, ScalarType::U32)?;
                let wide = ScalarType::U64;
                let high = Expr::binary(BinaryOp::Shl, widened(b, wide), Expr::i32(32));
                let both = Expr::binary(BinaryOp::BitOr, high, widened(a, wide));
                let both = self.keep(both, span);
                let mut whole = word(0);
                for byte in 0..4u32 {
                    let nibble = Expr::binary(BinaryOp::Shr, s.clone(), Expr::i32(4 * byte as i32));
                    let which = Expr::binary(BinaryOp::BitAnd, nibble.clone(), word(7));
                    let at = Expr::binary(BinaryOp::Mul, which, word(8));
                    let found = widened(
                        Expr::binary(BinaryOp::Shr, both.clone(), at),
                        ScalarType::U32,
                    );
                    let found = Expr::binary(BinaryOp::BitAnd, found, word(255));
                    let found = self.keep(found, span);
                    // The highest bit of the nibble: the sign, in every bit.
                    let sign = Expr::binary(BinaryOp::BitAnd, found.clone(), word(128));
                    let is_set = Expr::binary(BinaryOp::Ne, sign, word(0));
                    let signs = Expr::select(is_set, word(255), word(0));
                    let asked = Expr::binary(BinaryOp::BitAnd, nibble, word(8));
                    let asked = Expr::binary(BinaryOp::Ne, asked, word(0));
                    let chosen = Expr::select(asked, signs, found);
                    let placed = Expr::binary(BinaryOp::Shl, chosen, Expr::i32(8 * byte as i32));
                    whole = Expr::binary(BinaryOp::BitOr, whole, placed);
                }
                whole
            }
            ["sad", "u32" | "s32"] => {
                let (a, b) = (number(self, 0, ty)?, number(self, 1, ty)?);
                let most = math(MathFn::Max, vec![a.clone(), b.clone()]);
                let least = math(MathFn::Min, vec![a, b]);
                let apart = Expr::binary(BinaryOp::Sub, most, least);
                Expr::binary(BinaryOp::Add, apart, number(self, 2, ty)?)
            }
            ["selp", _] => {
                let (a, b) = (number(self, 0, ty)?, number(self, 1, ty)?);
                Expr::select(number(self, 2, ScalarType::Bool)?, a, b)
            }
            ["setp", comparison, _] if ty != ScalarType::Bool => {
                let op = match (*comparison, ty.is_float()) {
                    ("eq", _) => BinaryOp::Eq,
                    ("ne", false) => BinaryOp::Ne,
                    ("lt", _) | ("lo", false) => BinaryOp::Lt,
                    ("le", _) | ("ls", false) => BinaryOp::Le,
                    ("gt", _) | ("hi", false) => BinaryOp::Gt,
                    ("ge", _) | ("hs", false) => BinaryOp::Ge,
                    _ => return self.unread(assembly, instruction),
                };
                Expr::binary(op, number(self, 0, ty)?, number(self, 1, ty)?)
            }
            ["cvt", to, _] if integer && scalar(to).is_some_and(|to| !to.is_float()) => {
                let value = number(self, 0, ty)?;
                widened(value, scalar(to).unwrap_or(ty))
            }
            ["cvt", "rn", "f32", _] if integer => widened(number(self, 0, ty)?, ScalarType::F32),
            ["cvt", "rn", "f64", _] if integer => widened(number(self, 0, ty)?, ScalarType::F64),
            ["cvt", "f64", "f32"] => widened(number(self, 0, ty)?, ScalarType::F64),
            ["cvt", "rn", "f32", "f64"] => widened(number(self, 0, ty)?, ScalarType::F32),
            ["sqrt", "rn" | "approx", modifiers @ .., "f32" | "f64"] if is_flush(modifiers) => {
                math(MathFn::Sqrt, vec![number(self, 0, ty)?])
            }
            [name, "approx", modifiers @ .., "f32"] if is_flush(modifiers) => {
                let x = number(self, 0, ty)?;
                let of = |function| math(MathFn::Elementary(function), vec![x.clone()]);
                match *name {
                    "ex2" => of(Elementary::Exp2),
                    "lg2" => of(Elementary::Log2),
                    "sin" => of(Elementary::Sin),
                    "cos" => of(Elementary::Cos),
                    "tanh" => of(Elementary::Tanh),
                    _ => return self.unread(assembly, instruction),
                }
            }
            // The carry is a register of its own.
            ["add" | "addc", rest @ .., "u32" | "s32"]
                if matches!(rest, ["cc"] | []) && (words[0] == "addc" || !rest.is_empty()) =>
            {
                let wide = ScalarType::U64;
                let (a, b) = (
                    number(self, 0, unsigned_own)?,
                    number(self, 1, unsigned_own)?,
                );
                let Some(carry) = assembly.carry else {
                    return self.unread(assembly, instruction);
                };
                let mut sum = Expr::binary(BinaryOp::Add, widened(a, wide), widened(b, wide));
                if words[0] == "addc" {
                    let old = widened(Expr::var(carry, Type::U32), wide);
                    sum = Expr::binary(BinaryOp::Add, sum, old);
                }
                let sum = self.keep(sum, span);
                if !rest.is_empty() {
                    let high = Expr::binary(BinaryOp::Shr, sum.clone(), Expr::i32(32));
                    let value = widened(high, ScalarType::U32);
                    self.emit(Basic::Assign { var: carry, value }, span);
                }
                widened(sum, ScalarType::U32)
            }
            _ => return self.unread(assembly, instruction),
        })
    }
}

fn is_flush(modifiers: &[&str]) -> bool {
    matches!(modifiers, [] | ["ftz"])
}
