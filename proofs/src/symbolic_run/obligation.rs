//! What has to hold for all inputs so that a run is as it was followed.

use crate::terms::term::TermId;
use gridlock_semantics::algebra::span::Span;

/// A condition that has to hold.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub cond: TermId,
    /// What happens where it does not hold, as in `an index that is outside of \`a\``.
    pub otherwise: String,
    pub span: Span,
}
