//! Every test of the crate, a module each.

mod against_runs;
mod algebra;
mod cuda;
mod independence;
mod kernels;
