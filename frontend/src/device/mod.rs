//! The functions of CUDA and OpenCL C that device code calls by name.

pub(crate) mod arbitrary;
pub(crate) mod arithmetic_call;
pub(crate) mod assembly;
pub(crate) mod barrier_object;
pub(crate) mod counting_barrier;
pub(crate) mod device_call;
pub(crate) mod group_copy;
pub(crate) mod groups;
pub(crate) mod instruction;
pub(crate) mod instruction_value;
pub(crate) mod integer_call;
pub(crate) mod math_call;
pub(crate) mod matrix_instruction;
pub(crate) mod memory_call;
pub(crate) mod opencl_arithmetic;
pub(crate) mod opencl_atomic;
pub(crate) mod opencl_call;
pub(crate) mod opencl_math;
pub(crate) mod opencl_memory;
pub(crate) mod random;
pub(crate) mod texture;
pub(crate) mod thread_copy;
pub(crate) mod tiles;
pub(crate) mod warp_call;
pub(crate) mod warp_matrix;
pub(crate) mod work_items;
