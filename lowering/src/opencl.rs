//! OpenCL C kernels.

use crate::cuda::numbered;
use crate::error::LoweringError;
use crate::lowered::{Lowered, Target};
use crate::print::atomic::float_add;
use crate::print::dialect::Dialect;
use crate::print::layout::Layout;
use crate::print::unit::{Contents, Unit};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;

/// Prints all kernels, and the device functions they use, as one OpenCL C program.
/// The program must be in surface form.
pub fn kernels(program: &Program) -> Result<Lowered, LoweringError> {
    let program = numbered(program);
    let unit = Unit::new(&program, Target::OpenCl, Dialect::OpenCl, Contents::Kernels)?;
    let mut layout = Layout::default();
    layout.line("// Made by gridlock lower --target opencl. OpenCL C 1.2.");
    layout
        .line("// Sums that might overflow are computed in unsigned arithmetic, where they wrap.");
    layout.blank();
    layout.line("#pragma OPENCL FP_CONTRACT OFF");
    if unit.uses(ScalarType::F64) {
        layout.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
    }
    let atomics = atomics(&program);
    if atomics.iter().any(|(_, elem)| elem.size() == 8) {
        layout.line("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable");
        layout.line("#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable");
    }
    let adds_floats = atomics.iter().any(|(function, elem)| {
        *elem == ScalarType::F32 && matches!(function, AtomicFn::Add | AtomicFn::Sub)
    });
    if adds_floats {
        for space in ["global", "local"] {
            layout.blank();
            for line in float_add(space).lines() {
                layout.line(line);
            }
        }
    }
    unit.finish(layout, "cl")
}

fn atomics(program: &Program) -> Vec<(AtomicFn, ScalarType)> {
    let of = |op: &OpKind| match op {
        OpKind::Basic(Basic::Atomic {
            function, pointer, ..
        }) => Some((*function, pointer.ty.pointer()?.elem)),
        _ => None,
    };
    program
        .operators()
        .iter()
        .filter_map(|(_, op)| of(&op.kind))
        .collect()
}
