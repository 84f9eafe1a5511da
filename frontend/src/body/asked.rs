//! The places of a kernel that need an arbitrary value (`device/arbitrary.rs`).

use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

/// A place that needs an arbitrary value.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub name: String,
    pub elem: ScalarType,
    /// Whether the kernel may write there too.
    pub is_written: bool,
}

impl Asked {
    pub fn ty(&self) -> Type {
        Type::Pointer(PointerType {
            is_const: !self.is_written,
            ..PointerType::to(self.elem)
        })
    }
}

/// The places of one kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Those read so far, in the order of reading.
    pub found: Vec<Asked>,
    /// The parameters that hold the values; none as long as it is not known how many there are.
    pub params: Vec<VarId>,
}
