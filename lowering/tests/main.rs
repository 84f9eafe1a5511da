//! Tests of the crate, a module each, in one program, since each program is linked anew. `device_process` is its own
//! child and stands alone.

mod kernels;
mod nvcc;
mod opencl;
mod printing;
mod random_kernels;
mod recordings;
mod support;
mod undefined_behaviour;
mod what_c_leaves_open;
