//! Expressions to instructions. Operands are computed left to right; only the branch chosen of
//! `?:`, `&&` and `||` runs.

use super::instruction::{Instr, Op1, Op2, Partial, Reg, SlowOp, SlowSite};
use super::operator::{Builder, elem_of};
use super::raw;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

impl Builder<'_> {
    /// The register that holds the value of a scalar expression: the variable's own when it is
    /// one.
    pub fn scalar(&mut self, expr: &Expr) -> Reg {
        match &expr.kind {
            ExprKind::Const(value) => self.constant(raw::from_value(*value)),
            ExprKind::Var(var) => self.read_var(*var),
            ExprKind::Builtin(builtin) => {
                if let Some((_, reg)) = self.builtins.iter().find(|(b, _)| b == builtin) {
                    return *reg;
                }
                let reg = self.new_reg(0);
                self.builtins.push((*builtin, reg));
                reg
            }
            ExprKind::Cast(inner) if cast_is_free(inner.ty, expr.ty) => self.scalar(inner),
            _ => {
                let dst = self.temp();
                self.scalar_into(expr, dst);
                dst
            }
        }
    }

    /// Leaves the value of a scalar expression in `dst`, which operands may be.
    fn scalar_into(&mut self, expr: &Expr, dst: Reg) {
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Var(_) | ExprKind::Builtin(_) => {
                let src = self.scalar(expr);
                self.emit_move(dst, src, expr.ty);
            }
            ExprKind::Unary(op, a) => {
                let ty = a.scalar_type();
                let a = self.scalar(a);
                match unary_code(*op, ty) {
                    Some(code) => self.emit(Instr::Op1 { code, dst, a }),
                    None => self.slow(SlowOp::Unary(*op), vec![(a, ty)], dst, expr),
                }
            }
            ExprKind::Binary(op, a, b) if op.is_logical() => self.short_circuit(*op, a, b, dst),
            ExprKind::Binary(op, a, b) if matches!(a.ty, Type::Pointer(_)) => {
                let a = self.pointer(a);
                let b = self.pointer(b);
                self.emit(Instr::PointerOp { op: *op, dst, a, b });
            }
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (a.scalar_type(), b.scalar_type());
                let a = self.scalar(a);
                let b = self.scalar(b);
                if let Some(code) = binary_code(*op, left) {
                    self.emit(Instr::Op2 { code, dst, a, b });
                } else if let Some(code) = partial_code(*op, left) {
                    self.emit(Instr::Partial { code, dst, a, b });
                } else {
                    self.slow(SlowOp::Binary(*op), vec![(a, left), (b, right)], dst, expr);
                }
            }
            ExprKind::Cast(inner) => self.cast(inner, expr, dst),
            ExprKind::Select(cond, then, otherwise) => {
                self.select(cond, then, otherwise, dst);
            }
            ExprKind::Math(function, args) => self.math(*function, args, expr, dst),
            ExprKind::Load(pointer) => self.load_into(pointer, dst),
            // Pointers: no scalar by well-formedness.
            ExprKind::ArrayBase(_) | ExprKind::Offset(..) => {}
        }
    }

    fn short_circuit(&mut self, op: BinaryOp, a: &Expr, b: &Expr, dst: Reg) {
        // `dst` may be a variable `b` reads, so the left operand must not land there.
        let left = self.temp();
        self.scalar_into(a, left);
        let done = if op == BinaryOp::And {
            self.emit_open(Instr::JumpIfFalse { cond: left, to: 0 })
        } else {
            let undecided = self.emit_open(Instr::JumpIfFalse { cond: left, to: 0 });
            let done = self.emit_open(Instr::Jump { to: 0 });
            self.close(undecided);
            done
        };
        self.scalar_into(b, left);
        self.close(done);
        self.emit_move(dst, left, Type::BOOL);
    }

    fn select(&mut self, cond: &Expr, then: &Expr, otherwise: &Expr, dst: Reg) {
        let cond = self.scalar(cond);
        let split = self.emit_open(Instr::JumpIfFalse { cond, to: 0 });
        self.value_into(then, dst);
        let done = self.emit_open(Instr::Jump { to: 0 });
        self.close(split);
        self.value_into(otherwise, dst);
        self.close(done);
    }

    fn cast(&mut self, inner: &Expr, expr: &Expr, dst: Reg) {
        if matches!(inner.ty, Type::Pointer(_)) {
            let a = self.pointer(inner);
            self.emit(Instr::PointerToBool { dst, a });
            return;
        }
        if cast_is_free(inner.ty, expr.ty) {
            self.scalar_into(inner, dst);
            return;
        }
        let (from, to) = (inner.scalar_type(), expr.scalar_type());
        let a = self.scalar(inner);
        match cast_code(from, to) {
            Some(code) => self.emit(Instr::Op1 { code, dst, a }),
            None => self.slow(SlowOp::Cast, vec![(a, from)], dst, expr),
        }
    }

    fn math(&mut self, function: MathFn, args: &[Expr], expr: &Expr, dst: Reg) {
        if let (MathFn::Aligned(_), [pointer]) = (function, args)
            && pointer.ty.pointer().is_some()
        {
            // Of a pointer's two registers the second is its offset.
            let offset = (self.pointer(pointer) + 1, ScalarType::I64);
            self.slow(SlowOp::Math(function), vec![offset], dst, expr);
            return;
        }
        let operands: Vec<(Reg, ScalarType)> = args
            .iter()
            .map(|arg| (self.scalar(arg), arg.scalar_type()))
            .collect();
        let ty = expr.scalar_type();
        let code = match (function, ty.is_integer(), ty.is_signed()) {
            (MathFn::Min, true, true) => Some(Op2::MinS),
            (MathFn::Max, true, true) => Some(Op2::MaxS),
            (MathFn::Min, true, false) => Some(Op2::MinU),
            (MathFn::Max, true, false) => Some(Op2::MaxU),
            _ => None,
        };
        match (code, operands.as_slice()) {
            (Some(code), [(a, _), (b, _)]) => {
                self.emit(Instr::Op2 {
                    code,
                    dst,
                    a: *a,
                    b: *b,
                });
            }
            _ => self.slow(SlowOp::Math(function), operands, dst, expr),
        }
    }

    fn slow(&mut self, op: SlowOp, operands: Vec<(Reg, ScalarType)>, dst: Reg, expr: &Expr) {
        self.slow.push(SlowSite {
            op,
            operands,
            dst,
            ty: expr.scalar_type(),
        });
        let site = (self.slow.len() - 1) as u32;
        self.emit(Instr::Slow { site });
    }

    /// The register pair of a pointer expression.
    pub fn pointer(&mut self, expr: &Expr) -> Reg {
        match &expr.kind {
            ExprKind::Var(var) => self.read_var(*var),
            ExprKind::ArrayBase(id) => {
                let array = self.declared_array(*id);
                self.pointer_constant(array)
            }
            ExprKind::Const(Value::Pointer(p)) if p.offset == 0 => {
                self.pointer_constant(raw::from_array(p.array))
            }
            ExprKind::Const(_) => self.pointer_constant(0),
            // Between pointers a cast changes qualifiers only; from an integer it makes null.
            ExprKind::Cast(inner) if matches!(inner.ty, Type::Pointer(_)) => self.pointer(inner),
            ExprKind::Cast(inner) => {
                self.scalar(inner);
                self.pointer_constant(0)
            }
            _ => {
                let dst = self.pointer_temp();
                self.pointer_into(expr, dst);
                dst
            }
        }
    }

    fn pointer_into(&mut self, expr: &Expr, dst: Reg) {
        match &expr.kind {
            ExprKind::Offset(pointer, elements) => {
                let ptr = self.pointer(pointer);
                let elements = self.scalar(elements);
                self.emit(Instr::Offset { dst, ptr, elements });
            }
            ExprKind::Select(cond, then, otherwise) => self.select(cond, then, otherwise, dst),
            _ => {
                let src = self.pointer(expr);
                self.emit_move(dst, src, expr.ty);
            }
        }
    }

    pub fn value(&mut self, expr: &Expr) -> Reg {
        match expr.ty {
            Type::Scalar(_) => self.scalar(expr),
            Type::Pointer(_) => self.pointer(expr),
        }
    }

    pub fn value_into(&mut self, expr: &Expr, dst: Reg) {
        match expr.ty {
            Type::Scalar(_) => self.scalar_into(expr, dst),
            Type::Pointer(_) => self.pointer_into(expr, dst),
        }
    }

    /// A pointer as base and number of elements, as accesses take it.
    pub fn address(&mut self, pointer: &Expr) -> (Reg, Reg) {
        match &pointer.kind {
            ExprKind::Offset(base, elements) => {
                let ptr = self.pointer(base);
                (ptr, self.scalar(elements))
            }
            _ => {
                let ptr = self.pointer(pointer);
                (ptr, self.constant(0))
            }
        }
    }

    pub fn load_into(&mut self, pointer: &Expr, dst: Reg) {
        let (ptr, elements) = self.address(pointer);
        let elem = elem_of(pointer);
        self.emit(Instr::Load {
            dst,
            ptr,
            elements,
            elem,
        });
    }
}

/// Whether the register of a `from` is already that of the `to` it converts to.
fn cast_is_free(from: Type, to: Type) -> bool {
    let (Type::Scalar(from), Type::Scalar(to)) = (from, to) else {
        return false;
    };
    if from == to {
        return true;
    }
    if from.is_float() || to.is_float() || to == ScalarType::Bool {
        return false;
    }
    // 64-bit targets take the extended bits as they are; others when every value fits.
    to.bits() == 64
        || (!from.is_signed() && from.bits() < to.bits())
        || (from.is_signed() && to.is_signed() && from.bits() < to.bits())
}

fn cast_code(from: ScalarType, to: ScalarType) -> Option<Op1> {
    use ScalarType::*;
    Some(match (from, to) {
        (F32, F64) => Op1::F32ToF64,
        (F64, F32) => Op1::F64ToF32,
        (F32 | F64, _) => return None,
        (U64, F32) => Op1::UnsignedToF32,
        (U64, F64) => Op1::UnsignedToF64,
        (_, F32) => Op1::SignedToF32,
        (_, F64) => Op1::SignedToF64,
        (_, Bool) => Op1::ToBool,
        (_, I8) => Op1::ToI8,
        (_, I16) => Op1::ToI16,
        (_, I32) => Op1::ToI32,
        (_, U8) => Op1::ToU8,
        (_, U16) => Op1::ToU16,
        (_, U32) => Op1::ToU32,
        (_, I64 | U64) => return None,
    })
}

fn unary_code(op: UnaryOp, ty: ScalarType) -> Option<Op1> {
    use ScalarType::*;
    Some(match (op, ty) {
        (UnaryOp::Not, Bool) => Op1::Not,
        (UnaryOp::Neg, I32) => Op1::NegI32,
        (UnaryOp::Neg, U32) => Op1::NegU32,
        (UnaryOp::Neg, I64 | U64) => Op1::Neg64,
        (UnaryOp::Neg, F32) => Op1::NegF32,
        (UnaryOp::Neg, F64) => Op1::NegF64,
        (UnaryOp::BitNot, I8 | I16 | I32 | I64) => Op1::BitNotSigned,
        (UnaryOp::BitNot, U32) => Op1::BitNotU32,
        (UnaryOp::BitNot, U64) => Op1::BitNotU64,
        _ => return None,
    })
}

fn binary_code(op: BinaryOp, ty: ScalarType) -> Option<Op2> {
    use BinaryOp::*;
    use ScalarType::*;
    Some(match (op, ty) {
        (Add, I32) => Op2::AddI32,
        (Sub, I32) => Op2::SubI32,
        (Mul, I32) => Op2::MulI32,
        (Add, U32) => Op2::AddU32,
        (Sub, U32) => Op2::SubU32,
        (Mul, U32) => Op2::MulU32,
        (Add, I64 | U64) => Op2::Add64,
        (Sub, I64 | U64) => Op2::Sub64,
        (Mul, I64 | U64) => Op2::Mul64,
        (Add, F32) => Op2::AddF32,
        (Sub, F32) => Op2::SubF32,
        (Mul, F32) => Op2::MulF32,
        (Div, F32) => Op2::DivF32,
        (Add, F64) => Op2::AddF64,
        (Sub, F64) => Op2::SubF64,
        (Mul, F64) => Op2::MulF64,
        (Div, F64) => Op2::DivF64,
        (Eq, F32) => Op2::EqF32,
        (Ne, F32) => Op2::NeF32,
        (Lt, F32) => Op2::LtF32,
        (Le, F32) => Op2::LeF32,
        (Gt, F32) => Op2::GtF32,
        (Ge, F32) => Op2::GeF32,
        (Eq, F64) => Op2::EqF64,
        (Ne, F64) => Op2::NeF64,
        (Lt, F64) => Op2::LtF64,
        (Le, F64) => Op2::LeF64,
        (Gt, F64) => Op2::GtF64,
        (Ge, F64) => Op2::GeF64,
        (_, F32 | F64) => return None,
        (BitAnd, _) => Op2::And,
        (BitOr, _) => Op2::Or,
        (BitXor, _) => Op2::Xor,
        (Eq, _) => Op2::Eq,
        (Ne, _) => Op2::Ne,
        (Lt, int) if int.is_signed() => Op2::LtS,
        (Le, int) if int.is_signed() => Op2::LeS,
        (Gt, int) if int.is_signed() => Op2::GtS,
        (Ge, int) if int.is_signed() => Op2::GeS,
        (Lt, _) => Op2::LtU,
        (Le, _) => Op2::LeU,
        (Gt, _) => Op2::GtU,
        (Ge, _) => Op2::GeU,
        _ => return None,
    })
}

fn partial_code(op: BinaryOp, ty: ScalarType) -> Option<Partial> {
    use BinaryOp::*;
    use ScalarType::*;
    Some(match (op, ty) {
        (Div, I32) => Partial::DivI32,
        (Div, I64) => Partial::DivI64,
        (Div, U8 | U16 | U32 | U64) => Partial::DivU,
        (Rem, I32) => Partial::RemI32,
        (Rem, I64) => Partial::RemI64,
        (Rem, U8 | U16 | U32 | U64) => Partial::RemU,
        (Shl, I32) => Partial::ShlI32,
        (Shl, U32) => Partial::ShlU32,
        (Shl, I64 | U64) => Partial::Shl64,
        (Shr, I32) => Partial::ShrI32,
        (Shr, I64) => Partial::ShrI64,
        (Shr, U32) => Partial::ShrU32,
        (Shr, U64) => Partial::ShrU64,
        _ => return None,
    })
}
