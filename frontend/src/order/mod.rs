//! What evaluations touch, and whether the order of two of them could be told.

pub(crate) mod disturbance;
pub(crate) mod footprint;
pub(crate) mod memory_order;
