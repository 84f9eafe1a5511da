//! Values as raw 64-bit registers. The type is known statically, so a register holds only bits:
//! `Bool` 0 or 1; signed integers sign-extended; unsigned integers zero-extended; floats by their
//! bits, every NaN canonical. A pointer is two registers: its array, and its offset.

use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::{ArrayRef, Value};

/// The register of a scalar; `Undef` and pointers (which take two registers) give 0.
pub fn from_value(value: Value) -> u64 {
    match value {
        Value::Bool(b) => b as u64,
        Value::Int(..) => value.integer() as u64,
        Value::F32(bits) => bits as u64,
        Value::F64(bits) => bits,
        Value::Pointer(_) | Value::Undef => 0,
    }
}

/// The scalar of type `ty` in a register.
pub fn to_value(raw: u64, ty: ScalarType) -> Value {
    match ty {
        ScalarType::Bool => Value::Bool(raw != 0),
        ScalarType::F32 => Value::F32(raw as u32),
        ScalarType::F64 => Value::F64(raw),
        int => Value::int(int, raw as i64 as i128),
    }
}

/// Wraps an integer to the width of `ty` and extends it again.
pub fn wrap(raw: u64, ty: ScalarType) -> u64 {
    match ty {
        ScalarType::Bool => (raw != 0) as u64,
        ScalarType::I8 => raw as i8 as u64,
        ScalarType::I16 => raw as i16 as u64,
        ScalarType::I32 => raw as i32 as u64,
        ScalarType::U8 => raw as u8 as u64,
        ScalarType::U16 => raw as u16 as u64,
        ScalarType::U32 | ScalarType::F32 => raw as u32 as u64,
        ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => raw,
    }
}

/// Which kind of array a pointer register names; the number is in the low half.
pub const NULL: u32 = 0;
pub const SHARED: u32 = 1;
pub const PRIVATE: u32 = 2;
pub const GLOBAL: u32 = 3;
pub const HOST: u32 = 4;

/// The array register of a pointer.
pub fn from_array(array: ArrayRef) -> u64 {
    let (tag, number) = match array {
        ArrayRef::Null => (NULL, 0),
        ArrayRef::Shared(ArrayId(n)) => (SHARED, n),
        ArrayRef::Private(ArrayId(n)) => (PRIVATE, n),
        ArrayRef::Global(n) => (GLOBAL, n),
        ArrayRef::Host(n) => (HOST, n),
    };
    (tag as u64) << 32 | number as u64
}

/// The array a pointer's array register names.
pub fn to_array(raw: u64) -> ArrayRef {
    let number = raw as u32;
    match (raw >> 32) as u32 {
        SHARED => ArrayRef::Shared(ArrayId(number)),
        PRIVATE => ArrayRef::Private(ArrayId(number)),
        GLOBAL => ArrayRef::Global(number),
        HOST => ArrayRef::Host(number),
        _ => ArrayRef::Null,
    }
}
