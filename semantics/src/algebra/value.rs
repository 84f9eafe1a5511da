//! Values: what variables and memory cells hold.

use crate::algebra::ids::ArrayId;
use crate::algebra::types::ScalarType;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Identity of an array at run time.
///
/// `Shared` and `Private` name a declaration; which instance is meant follows from the block or
/// thread that uses the pointer (such a pointer is meaningless elsewhere, and cannot be stored
/// in memory). `Global` and `Host` number the arrays of a run: first the declared ones and the
/// arrays bound to the entry's pointer parameters, then those that `Alloc` made, in that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ArrayRef {
    /// The null pointer's.
    Null,
    /// A declared shared array: the instance of the block that uses the pointer.
    Shared(ArrayId),
    /// A declared private array: the instance of the thread that uses the pointer.
    Private(ArrayId),
    /// An array of a device's global or constant memory.
    Global(u32),
    /// An array of the host's memory.
    Host(u32),
}

impl ArrayRef {
    /// Whether it is the host's: its memory, or a private array in host code.
    pub const fn is_hosts(self) -> bool {
        matches!(self, ArrayRef::Host(_) | ArrayRef::Private(_))
    }
}

/// A pointer: an array and an offset in elements of that array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pointer {
    /// What it points into.
    pub array: ArrayRef,
    /// In elements; may lie outside of the array until it is used.
    pub offset: i64,
}

/// A value. Floats are kept by their bits so that values compare and hash exactly; every NaN is
/// computed as the canonical quiet NaN (IEEE 754 leaves payloads open). The bits of an integer seen as a
/// float may be those of another NaN: they are kept as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
// What a value holds lies at a multiple of eight bytes: copied from one, it is copied slowly.
#[repr(C)]
pub enum Value {
    /// `Bool`
    Bool(bool),
    /// An integer: its type and its bits, zero-extended to 64 bits.
    Int(ScalarType, u64),
    /// `f32` by its bits.
    F32(u32),
    /// `f64` by its bits.
    F64(u64),
    /// To a cell of an array.
    Pointer(Pointer),
    /// Never written, or not determined.
    Undef,
}

impl Value {
    /// An integer of type `ty`, wrapped to its width.
    pub fn int(ty: ScalarType, value: i128) -> Value {
        debug_assert!(ty.is_integer());
        let mask = if ty.bits() == 64 {
            u64::MAX
        } else {
            (1u64 << ty.bits()) - 1
        };
        Value::Int(ty, value as u64 & mask)
    }

    /// Of type `I32`.
    pub fn i32(value: i32) -> Value {
        Value::int(ScalarType::I32, value as i128)
    }

    /// A NaN becomes the canonical one.
    pub fn f32(value: f32) -> Value {
        Value::F32(if value.is_nan() {
            0x7fc0_0000
        } else {
            value.to_bits()
        })
    }

    /// A NaN becomes the canonical one.
    pub fn f64(value: f64) -> Value {
        Value::F64(if value.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            value.to_bits()
        })
    }

    /// The zero of a scalar type.
    pub fn zero(ty: ScalarType) -> Value {
        match ty {
            ScalarType::Bool => Value::Bool(false),
            ScalarType::F32 => Value::f32(0.0),
            ScalarType::F64 => Value::f64(0.0),
            int => Value::int(int, 0),
        }
    }

    /// The mathematical value of an integer or boolean.
    pub fn as_integer(self) -> Option<i128> {
        match self {
            Value::Bool(b) => Some(b as i128),
            Value::Int(ty, bits) if ty.is_signed() => {
                let shift = 64 - ty.bits();
                Some((((bits << shift) as i64) >> shift) as i128)
            }
            Value::Int(_, bits) => Some(bits as i128),
            _ => None,
        }
    }

    /// The mathematical value of what a well-formed program has as an integer or a boolean.
    ///
    /// # Panics
    /// It is something else.
    pub fn integer(self) -> i128 {
        let number = self.as_integer();
        number.unwrap_or_else(|| panic!("{self:?}: well-formedness asks for an integer here"))
    }

    /// Whether there is none.
    pub const fn is_undef(self) -> bool {
        matches!(self, Value::Undef)
    }

    /// The scalar type; `None` for pointers and `Undef`.
    pub fn scalar_type(self) -> Option<ScalarType> {
        match self {
            Value::Bool(_) => Some(ScalarType::Bool),
            Value::Int(ty, _) => Some(ty),
            Value::F32(_) => Some(ScalarType::F32),
            Value::F64(_) => Some(ScalarType::F64),
            Value::Pointer(_) | Value::Undef => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(..) => write!(f, "{}", self.integer()),
            Value::F32(bits) => write!(f, "{:?}", f32::from_bits(*bits)),
            Value::F64(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Value::Pointer(Pointer {
                array: ArrayRef::Null,
                ..
            }) => write!(f, "null"),
            Value::Pointer(p) => write!(f, "&{:?}[{}]", p.array, p.offset),
            Value::Undef => write!(f, "undef"),
        }
    }
}
