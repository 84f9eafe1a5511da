//! How tightly the parts of expressions bind; greater binds tighter. Unlike in C, bits are
//! combined before they are compared.

use gridlock_semantics::algebra::expr::BinaryOp;

/// `c ? a : b`
pub const SELECT: u8 = 0;
pub const OR: u8 = 1;
pub const NOT: u8 = 3;
pub const PREFIX: u8 = 11;
pub const POSTFIX: u8 = 12;

pub const fn of(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Or => OR,
        And => 2,
        Lt | Le | Gt | Ge | Eq | Ne => 4,
        BitOr => 5,
        BitXor => 6,
        BitAnd => 7,
        Shl | Shr => 8,
        Add | Sub | PtrDiff => 9,
        Mul | Div | Rem => 10,
    }
}
