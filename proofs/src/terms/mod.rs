//! Terms of the solver's language: made, simplified, and shown to step.

pub(crate) mod bit_functions;
pub(crate) mod induction;
pub(crate) mod normal;
pub(crate) mod simplify;
pub(crate) mod substitute;
pub(crate) mod term;
