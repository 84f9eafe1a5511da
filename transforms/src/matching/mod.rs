//! Patterns matched against terms, also modulo associativity and commutativity.

pub mod matcher;
pub mod modulo;
