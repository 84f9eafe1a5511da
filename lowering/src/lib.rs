//! From the algebra to code for real devices, and back: printers for CUDA C++, OpenCL C and CUDA
//! host programs; compilation with `nvcc`; devices that run kernels; differential testing of the
//! semantics against them; recordings of runs on GPUs.
//!
//! What is guaranteed, the compiler flags it takes and what signed overflow becomes:
//! `docs/lowering.md`.

#![warn(missing_docs)]

pub mod cuda;
pub mod device;
pub mod diff;
pub mod error;
pub mod fingerprint;
pub mod gpu_run;
pub mod host;
pub mod lowered;
pub mod nvcc;
pub mod opencl;
pub mod patterns;
mod print;
pub mod recordings;
