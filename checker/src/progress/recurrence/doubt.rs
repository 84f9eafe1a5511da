//! Why a run may not go on as it went.

use super::place::ValuePlace;

/// Why a run is not known to go on as it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Threads stand elsewhere.
    Elsewhere,
    /// Something differs that is not forgotten.
    Differs,
    /// What is held here decides something, and differs between the two states.
    Decides(ValuePlace),
}
