//! Facts about a program that are found without running it.

pub mod assigned;
pub mod barriers;
pub mod begins_anew;
pub mod definite_assignment;
pub mod ending_loops;
pub mod launch_axes;
pub mod loops;
pub mod may_write;
pub mod reached;
pub mod returns;
pub mod stream_operator;
