//! Terms of the solver's language: made, simplified, and shown to step.

pub(crate) mod array_key;
pub(crate) mod bit_functions;
pub(crate) mod function;
pub(crate) mod induction;
pub(crate) mod normal;
pub(crate) mod simplify;
pub(crate) mod sort;
pub(crate) mod substitute;
pub(crate) mod term;
pub(crate) mod under;
