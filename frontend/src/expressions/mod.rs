//! Values of scalars and vectors: operators, conversions, assignments.

pub(crate) mod alignment_test;
pub(crate) mod assignment;
pub(crate) mod conversion;
pub(crate) mod expression;
pub(crate) mod literal;
pub(crate) mod vector;
