//! Whole programs: kernels and host code over the CUDA runtime.

use crate::error::LoweringError;
use crate::lowered::Lowered;
use gridlock_semantics::program::Program;

/// Prints the whole program: with kernels or GPU operators as one `.cu` file, without as C.
/// The program must be in surface form.
pub fn program(program: &Program) -> Result<Lowered, LoweringError> {
    let _ = program;
    todo!("the printer")
}
