//! CUDA C++ kernels.

use crate::error::LoweringError;
use crate::lowered::Lowered;
use gridlock_semantics::program::Program;

/// What may vary in the CUDA text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CudaOptions {
    /// Print `__restrict__` on the pointer parameters of kernels: sound only where no two of them
    /// alias, which the caller must know.
    pub restrict: bool,
}

/// Prints all kernels, and the device functions and arrays they use, as one translation unit.
/// The program must be in surface form.
pub fn kernels(program: &Program, options: &CudaOptions) -> Result<Lowered, LoweringError> {
    let _ = (program, options);
    todo!("the printer")
}
