//! What a term is a value of.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    /// A bit vector of this width.
    Bits(u32),
}
