//! Records the decisions about premises.

use super::premise::Premise;

/// Records whether a premise holds, and returns this decision.
#[inline]
pub fn decided(premise: Premise, holds: bool) -> bool {
    #[cfg(feature = "coverage")]
    super::coverage::note(premise, holds);
    #[cfg(not(feature = "coverage"))]
    let _ = premise;
    holds
}
