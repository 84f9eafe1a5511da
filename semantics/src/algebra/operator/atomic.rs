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
}

impl AtomicFn {
    /// Order of application does not matter for the final contents (integers).
    pub const fn is_commutative(self) -> bool {
        !matches!(
            self,
            AtomicFn::Exch | AtomicFn::Cas | AtomicFn::Inc | AtomicFn::Dec
        )
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
