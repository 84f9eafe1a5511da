//! The effects of evaluations, and whether the order of two of them could make a difference.

pub(crate) mod disturbance;
pub(crate) mod footprint;
pub(crate) mod memory_order;
