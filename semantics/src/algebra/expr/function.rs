//! The parts of expressions: built-in variables, and functions of one operand, of two, and of more.

use crate::algebra::elementary::Elementary;
use crate::algebra::types::ScalarType;
use serde::{Deserialize, Serialize};

/// A coordinate of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Axis {
    /// The one that runs fastest in linear numbers.
    X,
    /// The second.
    Y,
    /// The slowest.
    Z,
}

/// Built-in variables of a thread; all of type `U32` but `WarpSize` (`I32`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Builtin {
    /// The thread's coordinate in its block.
    ThreadIdx(Axis),
    /// The block's coordinate in the grid.
    BlockIdx(Axis),
    /// Threads of a block along an axis.
    BlockDim(Axis),
    /// Blocks of the grid along an axis.
    GridDim(Axis),
    /// Threads in a warp.
    WarpSize,
}

/// Functions of one operand, which has the type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `-x`: integers wrap.
    Neg,
    /// `~x`
    BitNot,
    /// `!x`, on `Bool`.
    Not,
}

/// Both operands have the same scalar type (the front end inserts the usual conversions), but for
/// shifts, whose right operand is any integer. Comparisons give `Bool`; pointers compare with
/// `Eq`, `Ne` and the orderings when they point into one array. Subtracting pointers: `PtrDiff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BinaryOp {
    /// `+`: integers wrap.
    Add,
    /// `-`: integers wrap.
    Sub,
    /// `*`: integers wrap.
    Mul,
    /// Integer division by zero and `MIN / -1` are faults.
    Div,
    /// `%`, with the sign of the left operand; faults as `Div` does.
    Rem,
    /// Shifting by the width or more, or by a negative amount, is a fault.
    Shl,
    /// `>>`: of a signed integer arithmetic. Faults as `Shl` does.
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// Short-circuit, on `Bool`.
    And,
    /// Short-circuit, on `Bool`.
    Or,
    /// Difference in elements, type `I64`.
    PtrDiff,
}

impl BinaryOp {
    /// Whether it is a comparison, whose result is `Bool` for operands of any type.
    pub const fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Lt | Le | Gt | Ge | Eq | Ne)
    }

    /// Whether it is `And` or `Or`: the right operand may not be evaluated.
    pub const fn is_logical(self) -> bool {
        matches!(self, BinaryOp::And | BinaryOp::Or)
    }

    /// The spelling in C.
    pub const fn c_symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub | PtrDiff => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            BitAnd => "&",
            BitOr => "|",
            BitXor => "^",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            And => "&&",
            Or => "||",
        }
    }
}

/// Functions whose result IEEE 754 or integer arithmetic determines, hence the same on every device; and the
/// elementary functions, whose last bits are left open. All operands have one type, which is also the type of the
/// result, except for `BitsAs` and `Aligned`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MathFn {
    /// The smaller operand; of floats the one that is a number.
    Min,
    /// The larger operand; of floats the one that is a number.
    Max,
    /// The absolute value; of the least integer itself.
    Abs,
    /// The square root, correctly rounded.
    Sqrt,
    /// The nearest whole number below.
    Floor,
    /// The nearest whole number above.
    Ceil,
    /// The nearest whole number towards zero.
    Trunc,
    /// Fused multiply-add, explicit only: the semantics never contracts.
    Fma,
    /// Number of bits that are 1 (`__popc`). This and the three below: integers of 32 or 64 bits.
    PopCount,
    /// Position of the lowest bit that is 1, counted from 1; 0 for 0 (`__ffs`).
    FindFirstSet,
    /// Number of 0 bits above the highest bit that is 1; the width for 0 (`__clz`).
    CountLeadingZeros,
    /// The bits in reverse order (`__brev`).
    ReverseBits,
    /// The value of another type that has the same bits (`__float_as_int`): from a float to an
    /// integer of its size, or back. A NaN that an integer's bits make keeps them until it is
    /// computed with.
    BitsAs(ScalarType),
    /// Whether the offset of a pointer from the start of its array is a multiple of this number of
    /// elements. Arrays begin at multiples of any alignment. Of a number, which a pointer is to be moved
    /// by: whether it is such a multiple.
    Aligned(u32),
    /// A function whose last bits devices may choose.
    Elementary(Elementary),
}

impl MathFn {
    /// Number of operands.
    pub const fn arity(self) -> usize {
        match self {
            MathFn::Min | MathFn::Max => 2,
            MathFn::Fma => 3,
            MathFn::Elementary(function) => function.arity(),
            _ => 1,
        }
    }

    /// Whether there is such a function of operands of this type.
    pub const fn is_defined_on(self, ty: ScalarType) -> bool {
        use MathFn::*;
        match self {
            Min | Max | Abs => ty.is_integer() || ty.is_float(),
            Sqrt | Floor | Ceil | Trunc | Fma | Elementary(_) => ty.is_float(),
            PopCount | FindFirstSet | CountLeadingZeros | ReverseBits => {
                ty.is_integer() && ty.bits() >= 32
            }
            BitsAs(to) => ty.size() == to.size() && ty.is_float() != to.is_float(),
            // And of a pointer.
            Aligned(_) => matches!(ty, ScalarType::I64),
        }
    }

    /// The type of the result on operands of a type it is defined on.
    pub const fn result(self, ty: ScalarType) -> ScalarType {
        match self {
            MathFn::BitsAs(to) => to,
            MathFn::Aligned(_) => ScalarType::Bool,
            _ => ty,
        }
    }
}
