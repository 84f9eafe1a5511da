//! CUDA kernels as users write them. Each case says what is expected of races and divergence
//! for all sizes; a kernel that is proved stands beside broken twins.

mod barriers;
mod bounds;
mod counters;
mod indices;
mod properties;
mod rows;
pub(super) mod support;
mod unknown_values;
