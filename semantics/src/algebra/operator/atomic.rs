//! What atomics do, and with whom they and fences are ordered.

use serde::{Deserialize, Serialize};

/// Read-modify-write functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AtomicFn {
    /// `old + operand`; integers wrap.
    Add,
    /// `old - operand`; integers wrap.
    Sub,
    /// The smaller of the two.
    Min,
    /// The larger of the two.
    Max,
    /// Bitwise.
    And,
    /// Bitwise.
    Or,
    /// Bitwise.
    Xor,
    /// The operand, whatever was there.
    Exch,
    /// Operands: compare, new value.
    Cas,
    /// `old >= operand ? 0 : old + 1`, unsigned.
    Inc,
    /// `old == 0 || old > operand ? operand : old - 1`, unsigned.
    Dec,
    /// The sum of two `__half`, of which the cells hold the bits: rounded to nearest.
    AddHalf,
    /// The sum of two `__nv_bfloat16`, likewise.
    AddBfloat,
}

impl AtomicFn {
    /// Order of application does not matter for the final contents (integers).
    pub const fn is_commutative(self) -> bool {
        !matches!(
            self,
            AtomicFn::Exch
                | AtomicFn::Cas
                | AtomicFn::Inc
                | AtomicFn::Dec
                | AtomicFn::AddHalf
                | AtomicFn::AddBfloat
        )
    }

    /// Whether it adds floats of which cells of 16 bits hold the bits.
    pub const fn adds_narrow_floats(self) -> bool {
        matches!(self, AtomicFn::AddHalf | AtomicFn::AddBfloat)
    }
}

/// Which threads an atomic or a fence is ordered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Scope {
    /// The threads of the block.
    Block,
    /// The threads of the device.
    Device,
    /// All threads, of every device and of the host.
    System,
}
