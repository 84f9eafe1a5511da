//! Premises as they are decided.

use super::premise::Premise;

/// Whether a premise holds, as just decided; gives the decision back.
#[inline]
pub fn decided(premise: Premise, holds: bool) -> bool {
    #[cfg(feature = "coverage")]
    super::coverage::note(premise, holds);
    #[cfg(not(feature = "coverage"))]
    let _ = premise;
    holds
}
