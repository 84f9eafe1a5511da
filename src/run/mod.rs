//! One closed configuration: decided by the canonical run or the explorer, explored in full, followed rule by rule
//! or along a witness. What looks like a defect is replayed here, and nothing is said of other configurations.

pub mod counted;
pub mod derivation;
pub mod explored;
pub mod remarks;
pub mod termination;
pub mod trial;
mod unfolding;
pub mod witness;
