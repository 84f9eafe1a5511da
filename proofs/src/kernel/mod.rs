//! What is proved of a kernel, property by property, for two generic threads of it.

pub(crate) mod analysis;
pub(crate) mod bounds;
pub(crate) mod candidate;
pub(crate) mod contents;
pub(crate) mod divergence;
pub(crate) mod given_extents;
pub(crate) mod interval;
pub mod outcome;
pub mod prove;
pub(crate) mod races;
pub mod request;
pub(crate) mod rows;
pub(crate) mod uninitialised;
