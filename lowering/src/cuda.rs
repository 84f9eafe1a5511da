//! CUDA C++ kernels.

use crate::error::LoweringError;
use crate::lowered::{Lowered, Target};
use crate::print::dialect::Dialect;
use crate::print::layout::Layout;
use crate::print::unit::{Contents, Unit};
use gridlock_semantics::operator::{Basic, OpKind};
use gridlock_semantics::program::Program;

/// What may vary in the CUDA text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CudaOptions {
    /// Print `__restrict__` on the pointer parameters of kernels: sound only where no two of them
    /// alias, which the caller must know.
    pub restrict: bool,
    /// Give kernels C linkage, so that the driver finds them under their plain names.
    pub extern_c: bool,
}

/// Prints all kernels, and the device functions and arrays they use, as one translation unit.
/// The program must be in surface form.
pub fn kernels(program: &Program, options: &CudaOptions) -> Result<Lowered, LoweringError> {
    let program = numbered(program);
    let mut unit = Unit::new(&program, Target::Cuda, Dialect::Cuda, Contents::Kernels)?;
    unit.restrict = options.restrict;
    unit.extern_c = options.extern_c;
    let mut layout = Layout::default();
    layout.line(
        "// Made by gridlock lower --target cuda. C++20; compile with nvcc -std=c++20 -fmad=false.",
    );
    layout
        .line("// Sums that might overflow are computed in unsigned arithmetic, where they wrap.");
    if uses_assert(&program) {
        layout.blank();
        layout.line("#include <cassert>");
    }
    unit.finish(layout, "cu")
}

/// The program with each occurrence of an operator numbered, as the printers want it.
pub(crate) fn numbered(program: &Program) -> Program {
    let mut program = program.clone();
    program.number_operators();
    program
}

pub(crate) fn uses_assert(program: &Program) -> bool {
    program
        .operators()
        .iter()
        .any(|(_, op)| matches!(op.kind, OpKind::Basic(Basic::Assert { .. })))
}
