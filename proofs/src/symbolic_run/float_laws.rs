//! What is the same of floats where two programs are compared.

/// What is the same of floats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FloatLaws {
    /// Their bits.
    #[default]
    Exact,
    /// Sums and products as multisets.
    Reassociated,
    /// Real numbers: nothing is rounded, and nothing is claimed where the old program is not defined.
    Reals,
}

impl FloatLaws {
    /// Whether the order of a sum or product does not matter.
    pub fn commute(self) -> bool {
        self != FloatLaws::Exact
    }
}
