//! The domain: what the functions and predicates of expressions give, and what atomics do to a cell. Faults are data,
//! and nothing else can go wrong with what is well-formed.

pub mod arithmetic;
pub mod atomic;
pub mod eval;
