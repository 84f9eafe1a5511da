//! Functions that host code calls by name (the CUDA runtime, the C library), and launches.

pub(crate) mod command_line;
pub(crate) mod cooperative_launch;
pub(crate) mod host_call;
pub(crate) mod host_value;
pub(crate) mod launch;
pub(crate) mod new_call;
pub(crate) mod plane_copy;
pub(crate) mod stream_call;
pub(crate) mod stream_query;
