//! Types of expressions and memory cells.

use serde::{Deserialize, Serialize};

/// The scalar types a memory cell can have. Sizes and wrap-around are those of CUDA on LP64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ScalarType {
    /// `bool`, one byte in memory.
    Bool,
    /// Signed, 8 bits.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// IEEE 754, 32 bits.
    F32,
    /// IEEE 754, 64 bits.
    F64,
}

impl ScalarType {
    /// Size in bytes.
    pub const fn size(self) -> u64 {
        match self {
            ScalarType::Bool | ScalarType::I8 | ScalarType::U8 => 1,
            ScalarType::I16 | ScalarType::U16 => 2,
            ScalarType::I32 | ScalarType::U32 | ScalarType::F32 => 4,
            ScalarType::I64 | ScalarType::U64 | ScalarType::F64 => 8,
        }
    }

    /// Width in bits; 1 for `Bool`.
    pub const fn bits(self) -> u32 {
        match self {
            ScalarType::Bool => 1,
            other => other.size() as u32 * 8,
        }
    }

    /// Whether it is `F32` or `F64`.
    pub const fn is_float(self) -> bool {
        matches!(self, ScalarType::F32 | ScalarType::F64)
    }

    /// Integer types, `Bool` not among them.
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, ScalarType::Bool)
    }

    /// Whether it is a signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(
            self,
            ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64
        )
    }

    /// Least and greatest value of an integer type.
    pub const fn range(self) -> (i128, i128) {
        let bits = self.bits();
        match self.is_signed() {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        }
    }

    /// The spelling in C and CUDA C++.
    pub const fn c_name(self) -> &'static str {
        match self {
            ScalarType::Bool => "bool",
            ScalarType::I8 => "signed char",
            ScalarType::I16 => "short",
            ScalarType::I32 => "int",
            ScalarType::I64 => "long long",
            ScalarType::U8 => "unsigned char",
            ScalarType::U16 => "unsigned short",
            ScalarType::U32 => "unsigned int",
            ScalarType::U64 => "unsigned long long",
            ScalarType::F32 => "float",
            ScalarType::F64 => "double",
        }
    }

    /// What messages call it. Two of C's types are the signed byte; most who use one write `char`.
    pub const fn usual_name(self) -> &'static str {
        match self {
            ScalarType::I8 => "char",
            other => other.c_name(),
        }
    }
}

/// Type of a pointer: its element, and the qualifiers of what it points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PointerType {
    /// Type of the cell it points to.
    pub elem: ScalarType,
    /// `const T *`: not written through this pointer.
    pub is_const: bool,
    /// `volatile T *`: accesses are neither merged nor moved by a compiler. Orders nothing.
    pub is_volatile: bool,
}

impl PointerType {
    /// Without qualifiers.
    pub const fn to(elem: ScalarType) -> PointerType {
        PointerType {
            elem,
            is_const: false,
            is_volatile: false,
        }
    }
}

/// Type of an expression or a private variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Type {
    /// Of a value that a memory cell can hold.
    Scalar(ScalarType),
    /// Of a pointer, which no memory cell can hold.
    Pointer(PointerType),
}

impl Type {
    /// [`ScalarType::Bool`]
    pub const BOOL: Type = Type::Scalar(ScalarType::Bool);
    /// [`ScalarType::I32`]
    pub const I32: Type = Type::Scalar(ScalarType::I32);
    /// [`ScalarType::U32`]
    pub const U32: Type = Type::Scalar(ScalarType::U32);
    /// [`ScalarType::I64`]
    pub const I64: Type = Type::Scalar(ScalarType::I64);
    /// [`ScalarType::U64`]
    pub const U64: Type = Type::Scalar(ScalarType::U64);
    /// [`ScalarType::F32`]
    pub const F32: Type = Type::Scalar(ScalarType::F32);
    /// [`ScalarType::F64`]
    pub const F64: Type = Type::Scalar(ScalarType::F64);

    /// Of a pointer without qualifiers.
    pub fn pointer_to(elem: ScalarType) -> Type {
        Type::Pointer(PointerType::to(elem))
    }

    /// The scalar type; `None` of a pointer.
    pub fn scalar(self) -> Option<ScalarType> {
        match self {
            Type::Scalar(scalar) => Some(scalar),
            Type::Pointer(_) => None,
        }
    }

    /// The pointer type; `None` of a scalar.
    pub fn pointer(self) -> Option<PointerType> {
        match self {
            Type::Pointer(pointer) => Some(pointer),
            Type::Scalar(_) => None,
        }
    }

    /// Equal up to qualifiers of the pointee.
    pub fn same_shape(self, other: Type) -> bool {
        match (self, other) {
            (Type::Scalar(a), Type::Scalar(b)) => a == b,
            (Type::Pointer(a), Type::Pointer(b)) => a.elem == b.elem,
            _ => false,
        }
    }
}
