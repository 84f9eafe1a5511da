//! Every test of the crate, a module each.

mod against_runs;
mod algebra;
mod all_sizes;
mod cuda;
mod equivalence;
mod host;
mod independence;
mod kernels;
