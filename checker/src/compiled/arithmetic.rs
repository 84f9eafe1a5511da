//! Operations on raw registers: the same table as `semantics::arithmetic`, made fast, and held
//! to it by tests.

use crate::compiled::instruction::{Op1, Op2, Partial, Reg, SlowOp, SlowSite};
use crate::compiled::raw;
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::evaluation::arithmetic;
use gridlock_semantics::evaluation::atomic::add_narrow;
use gridlock_semantics::transition::fault::FaultKind;

fn f32_of(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits)
}

fn from_f32(x: f32) -> u64 {
    if x.is_nan() {
        0x7fc0_0000
    } else {
        x.to_bits() as u64
    }
}

fn from_f64(x: f64) -> u64 {
    if x.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        x.to_bits()
    }
}

#[inline(always)]
pub fn op1(code: Op1, a: u64) -> u64 {
    match code {
        Op1::NegI32 => (a as i32).wrapping_neg() as u64,
        Op1::NegU32 => (a as u32).wrapping_neg() as u64,
        Op1::Neg64 => a.wrapping_neg(),
        Op1::NegF32 => from_f32(-f32_of(a)),
        Op1::NegF64 => from_f64(-f64_of(a)),
        Op1::Not => (a == 0) as u64,
        Op1::BitNotSigned | Op1::BitNotU64 => !a,
        Op1::BitNotU32 => !(a as u32) as u64,
        Op1::ToBool => (a != 0) as u64,
        Op1::ToI8 => a as i8 as u64,
        Op1::ToI16 => a as i16 as u64,
        Op1::ToI32 => a as i32 as u64,
        Op1::ToU8 => a as u8 as u64,
        Op1::ToU16 => a as u16 as u64,
        Op1::ToU32 => a as u32 as u64,
        Op1::SignedToF32 => from_f32(a as i64 as f32),
        Op1::SignedToF64 => from_f64(a as i64 as f64),
        Op1::UnsignedToF32 => from_f32(a as f32),
        Op1::UnsignedToF64 => from_f64(a as f64),
        Op1::F32ToF64 => from_f64(f32_of(a) as f64),
        Op1::F64ToF32 => from_f32(f64_of(a) as f32),
    }
}

#[inline(always)]
pub fn op2(code: Op2, a: u64, b: u64) -> u64 {
    match code {
        Op2::AddI32 => (a as i32).wrapping_add(b as i32) as u64,
        Op2::SubI32 => (a as i32).wrapping_sub(b as i32) as u64,
        Op2::MulI32 => (a as i32).wrapping_mul(b as i32) as u64,
        Op2::AddU32 => (a as u32).wrapping_add(b as u32) as u64,
        Op2::SubU32 => (a as u32).wrapping_sub(b as u32) as u64,
        Op2::MulU32 => (a as u32).wrapping_mul(b as u32) as u64,
        Op2::Add64 => a.wrapping_add(b),
        Op2::Sub64 => a.wrapping_sub(b),
        Op2::Mul64 => a.wrapping_mul(b),
        Op2::And => a & b,
        Op2::Or => a | b,
        Op2::Xor => a ^ b,
        Op2::Eq => (a == b) as u64,
        Op2::Ne => (a != b) as u64,
        Op2::LtS => ((a as i64) < b as i64) as u64,
        Op2::LeS => (a as i64 <= b as i64) as u64,
        Op2::GtS => (a as i64 > b as i64) as u64,
        Op2::GeS => (a as i64 >= b as i64) as u64,
        Op2::LtU => (a < b) as u64,
        Op2::LeU => (a <= b) as u64,
        Op2::GtU => (a > b) as u64,
        Op2::GeU => (a >= b) as u64,
        Op2::MinS => (a as i64).min(b as i64) as u64,
        Op2::MaxS => (a as i64).max(b as i64) as u64,
        Op2::MinU => a.min(b),
        Op2::MaxU => a.max(b),
        Op2::AddF32 => from_f32(f32_of(a) + f32_of(b)),
        Op2::SubF32 => from_f32(f32_of(a) - f32_of(b)),
        Op2::MulF32 => from_f32(f32_of(a) * f32_of(b)),
        Op2::DivF32 => from_f32(f32_of(a) / f32_of(b)),
        Op2::AddF64 => from_f64(f64_of(a) + f64_of(b)),
        Op2::SubF64 => from_f64(f64_of(a) - f64_of(b)),
        Op2::MulF64 => from_f64(f64_of(a) * f64_of(b)),
        Op2::DivF64 => from_f64(f64_of(a) / f64_of(b)),
        Op2::EqF32 => (f32_of(a) == f32_of(b)) as u64,
        Op2::NeF32 => (f32_of(a) != f32_of(b)) as u64,
        Op2::LtF32 => (f32_of(a) < f32_of(b)) as u64,
        Op2::LeF32 => (f32_of(a) <= f32_of(b)) as u64,
        Op2::GtF32 => (f32_of(a) > f32_of(b)) as u64,
        Op2::GeF32 => (f32_of(a) >= f32_of(b)) as u64,
        Op2::EqF64 => (f64_of(a) == f64_of(b)) as u64,
        Op2::NeF64 => (f64_of(a) != f64_of(b)) as u64,
        Op2::LtF64 => (f64_of(a) < f64_of(b)) as u64,
        Op2::LeF64 => (f64_of(a) <= f64_of(b)) as u64,
        Op2::GtF64 => (f64_of(a) > f64_of(b)) as u64,
        Op2::GeF64 => (f64_of(a) >= f64_of(b)) as u64,
    }
}

#[inline(always)]
pub fn partial(code: Partial, a: u64, b: u64) -> Result<u64, FaultKind> {
    use FaultKind::{DivisionByZero, UndefinedArithmetic};
    // A negative amount, sign-extended, is larger than any width.
    let amount = |bits: u64| {
        if b < bits {
            Ok(b as u32)
        } else {
            Err(UndefinedArithmetic)
        }
    };
    Ok(match code {
        Partial::DivI32 | Partial::RemI32 | Partial::DivI64 | Partial::RemI64 if b == 0 => {
            return Err(DivisionByZero);
        }
        Partial::DivU | Partial::RemU if b == 0 => return Err(DivisionByZero),
        Partial::DivI32 => (a as i32)
            .checked_div(b as i32)
            .ok_or(UndefinedArithmetic)? as u64,
        Partial::RemI32 => (a as i32)
            .checked_rem(b as i32)
            .ok_or(UndefinedArithmetic)? as u64,
        Partial::DivI64 => (a as i64)
            .checked_div(b as i64)
            .ok_or(UndefinedArithmetic)? as u64,
        Partial::RemI64 => (a as i64)
            .checked_rem(b as i64)
            .ok_or(UndefinedArithmetic)? as u64,
        Partial::DivU => a / b,
        Partial::RemU => a % b,
        Partial::ShlI32 => ((a as i32) << amount(32)?) as u64,
        Partial::ShlU32 => ((a as u32) << amount(32)?) as u64,
        Partial::Shl64 => a << amount(64)?,
        Partial::ShrI32 => ((a as i32) >> amount(32)?) as u64,
        Partial::ShrI64 => ((a as i64) >> amount(64)?) as u64,
        Partial::ShrU32 => ((a as u32) >> amount(32)?) as u64,
        Partial::ShrU64 => a >> amount(64)?,
    })
}

/// An operation through the reference.
#[cold]
pub fn slow(site: &SlowSite, regs: &[u64]) -> Result<u64, FaultKind> {
    slow_of(site, |reg| regs[reg as usize])
}

/// The same with registers kept otherwise.
pub fn slow_of(site: &SlowSite, read: impl Fn(Reg) -> u64) -> Result<u64, FaultKind> {
    let value = |(reg, ty): (Reg, ScalarType)| raw::to_value(read(reg), ty);
    let result = match (site.op, site.operands.as_slice()) {
        (SlowOp::Unary(op), [a]) => arithmetic::unary(op, value(*a))?,
        (SlowOp::Binary(op), [a, b]) => arithmetic::binary(op, value(*a), value(*b))?,
        (SlowOp::Cast, [a]) => arithmetic::cast(value(*a), Type::Scalar(site.ty))?,
        (SlowOp::Math(function), operands) => {
            let values: Vec<Value> = operands.iter().map(|a| value(*a)).collect();
            arithmetic::math(function, &values)?
        }
        _ => Value::Undef,
    };
    Ok(raw::from_value(result))
}

/// Whether a cell that holds `old` is only read: a compare-and-swap that fails.
pub fn fails(function: AtomicFn, old: u64, operands: &[u64]) -> bool {
    function == AtomicFn::Cas && operands.first().is_some_and(|compare| *compare != old)
}

/// What an atomic leaves in the cell that held `old`.
pub fn atomic(function: AtomicFn, elem: ScalarType, old: u64, operands: &[u64]) -> u64 {
    let operand = operands.first().copied().unwrap_or(0);
    let arithmetic = |op: BinaryOp| {
        let (a, b) = (raw::to_value(old, elem), raw::to_value(operand, elem));
        arithmetic::binary(op, a, b).map_or(old, raw::from_value)
    };
    match function {
        AtomicFn::Add if elem.is_float() => arithmetic(BinaryOp::Add),
        AtomicFn::Sub if elem.is_float() => arithmetic(BinaryOp::Sub),
        AtomicFn::Min | AtomicFn::Max if elem.is_float() => {
            use gridlock_semantics::algebra::expr::MathFn;
            let min_or_max = if function == AtomicFn::Min {
                MathFn::Min
            } else {
                MathFn::Max
            };
            let args = [raw::to_value(old, elem), raw::to_value(operand, elem)];
            arithmetic::math(min_or_max, &args).map_or(old, raw::from_value)
        }
        AtomicFn::Add => raw::wrap(old.wrapping_add(operand), elem),
        AtomicFn::Sub => raw::wrap(old.wrapping_sub(operand), elem),
        AtomicFn::Min if elem.is_signed() => (old as i64).min(operand as i64) as u64,
        AtomicFn::Max if elem.is_signed() => (old as i64).max(operand as i64) as u64,
        AtomicFn::Min => old.min(operand),
        AtomicFn::Max => old.max(operand),
        AtomicFn::And => old & operand,
        AtomicFn::Or => old | operand,
        AtomicFn::Xor => old ^ operand,
        AtomicFn::Exch => operand,
        AtomicFn::Cas if old == operand => operands.get(1).copied().unwrap_or(old),
        AtomicFn::Cas => old,
        AtomicFn::Inc if old >= operand => 0,
        AtomicFn::Inc => old + 1,
        AtomicFn::Dec if old == 0 || old > operand => operand,
        AtomicFn::Dec => old - 1,
        AtomicFn::AddHalf | AtomicFn::AddBfloat => {
            add_narrow(function, old as u16, operand as u16).into()
        }
    }
}

/// Pointers compare by array and offset; ordering and difference need one array.
pub fn pointer_op(op: BinaryOp, regs: &[u64], a: Reg, b: Reg) -> Result<u64, FaultKind> {
    let pointer = |reg: Reg| (regs[reg as usize], regs[reg as usize + 1] as i64);
    let ((left, i), (right, j)) = (pointer(a), pointer(b));
    Ok(match op {
        BinaryOp::Eq => (left == right && i == j) as u64,
        BinaryOp::Ne => (left != right || i != j) as u64,
        _ if left != right => return Err(FaultKind::UndefinedArithmetic),
        BinaryOp::PtrDiff => i.wrapping_sub(j) as u64,
        BinaryOp::Lt => (i < j) as u64,
        BinaryOp::Le => (i <= j) as u64,
        BinaryOp::Gt => (i > j) as u64,
        BinaryOp::Ge => (i >= j) as u64,
        _ => 0,
    })
}

/// A variable that has no value is used.
#[cold]
pub fn unassigned(var: VarId) -> FaultKind {
    FaultKind::UnsetVariable { var }
}

/// An assertion is false.
#[cold]
pub fn failed_assertion(aligned: bool) -> FaultKind {
    match aligned {
        true => FaultKind::MisalignedAccess,
        false => FaultKind::AssertionFailed,
    }
}
