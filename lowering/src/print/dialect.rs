//! Where the C dialects differ in spelling.

use gridlock_semantics::algebra::expr::{Axis, Builtin};
use gridlock_semantics::algebra::types::ScalarType;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// CUDA C++20: device code, and host code of the same file.
    Cuda,
    /// OpenCL C 1.2 and newer.
    OpenCl,
    /// C11 with `<stdbool.h>`.
    C,
    /// C#, with pointers.
    CSharp,
}

impl Dialect {
    /// Name of a scalar type.
    pub(crate) const fn scalar(self, ty: ScalarType) -> &'static str {
        match self {
            Dialect::OpenCl => match ty {
                ScalarType::Bool => "bool",
                ScalarType::I8 => "char",
                ScalarType::I16 => "short",
                ScalarType::I32 => "int",
                ScalarType::I64 => "long",
                ScalarType::U8 => "uchar",
                ScalarType::U16 => "ushort",
                ScalarType::U32 => "uint",
                ScalarType::U64 => "ulong",
                ScalarType::F32 => "float",
                ScalarType::F64 => "double",
            },
            Dialect::CSharp => match ty {
                ScalarType::Bool => "bool",
                ScalarType::I8 => "sbyte",
                ScalarType::I16 => "short",
                ScalarType::I32 => "int",
                ScalarType::I64 => "long",
                ScalarType::U8 => "byte",
                ScalarType::U16 => "ushort",
                ScalarType::U32 => "uint",
                ScalarType::U64 => "ulong",
                ScalarType::F32 => "float",
                ScalarType::F64 => "double",
            },
            Dialect::Cuda | Dialect::C => match ty {
                ScalarType::U32 => "unsigned",
                other => other.c_name(),
            },
        }
    }

    /// Name of the type of a memory cell. OpenCL C has no `bool` in memory that is shared with
    /// the host.
    pub(crate) const fn cell(self, ty: ScalarType) -> &'static str {
        match (self, ty) {
            (Dialect::OpenCl, ScalarType::Bool) => "uchar",
            _ => self.scalar(ty),
        }
    }

    /// Type of `true` and of comparisons.
    pub(crate) const fn truth(self) -> ScalarType {
        match self {
            Dialect::Cuda | Dialect::CSharp => ScalarType::Bool,
            Dialect::OpenCl | Dialect::C => ScalarType::I32,
        }
    }

    /// Suffix of a 64-bit literal.
    pub(crate) const fn long_suffix(self) -> &'static str {
        match self {
            Dialect::OpenCl | Dialect::CSharp => "L",
            Dialect::Cuda | Dialect::C => "LL",
        }
    }

    pub(crate) const fn null(self) -> &'static str {
        match self {
            Dialect::Cuda => "nullptr",
            Dialect::OpenCl | Dialect::C => "NULL",
            Dialect::CSharp => "null",
        }
    }

    /// Spelling and C type of a built-in variable; `None` where the dialect has none.
    pub(crate) fn builtin(self, builtin: Builtin) -> Option<(String, ScalarType)> {
        let axis = |axis| match axis {
            Axis::X => ('x', 0),
            Axis::Y => ('y', 1),
            Axis::Z => ('z', 2),
        };
        match self {
            Dialect::Cuda => Some(match builtin {
                Builtin::ThreadIdx(a) => (format!("threadIdx.{}", axis(a).0), ScalarType::U32),
                Builtin::BlockIdx(a) => (format!("blockIdx.{}", axis(a).0), ScalarType::U32),
                Builtin::BlockDim(a) => (format!("blockDim.{}", axis(a).0), ScalarType::U32),
                Builtin::GridDim(a) => (format!("gridDim.{}", axis(a).0), ScalarType::U32),
                Builtin::WarpSize => ("warpSize".to_owned(), ScalarType::I32),
            }),
            // `size_t`: 64 bits on every device we print for; its value is that of the `uint`.
            Dialect::OpenCl => match builtin {
                Builtin::ThreadIdx(a) => Some(format!("get_local_id({})", axis(a).1)),
                Builtin::BlockIdx(a) => Some(format!("get_group_id({})", axis(a).1)),
                Builtin::BlockDim(a) => Some(format!("get_local_size({})", axis(a).1)),
                Builtin::GridDim(a) => Some(format!("get_num_groups({})", axis(a).1)),
                Builtin::WarpSize => None,
            }
            .map(|text| (text, ScalarType::U64)),
            Dialect::C | Dialect::CSharp => None,
        }
    }
}
