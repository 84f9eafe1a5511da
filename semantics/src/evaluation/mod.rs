//! The domain: the values of functions and predicates of expressions, and the effect of atomics on a cell. Faults are
//! data; evaluating a well-formed expression cannot fail in any other way.

pub mod arithmetic;
pub mod atomic;
pub mod eval;
pub mod overflow;
pub mod rounding;
