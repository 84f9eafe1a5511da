//! Whole programs: kernels and host code over the CUDA runtime.

use crate::cuda::{numbered, synchronises_grid, uses_assert};
use crate::error::LoweringError;
use crate::lowered::{Lowered, Target};
use crate::print::dialect::Dialect;
use crate::print::layout::Layout;
use crate::print::unit::{Contents, Unit};
use gridlock_semantics::expr::ExprKind;
use gridlock_semantics::operator::{Basic, OpKind};
use gridlock_semantics::program::{ProcKind, Program};

/// Prints the whole program: with kernels or GPU operators as one `.cu` file, without as C.
/// The program must be in surface form.
pub fn program(program: &Program) -> Result<Lowered, LoweringError> {
    let program = numbered(program);
    if needs_gpu(&program) {
        cuda_program(&program)
    } else {
        c_program(&program)
    }
}

fn needs_gpu(program: &Program) -> bool {
    let gpu_operator = |op: &OpKind| match op {
        OpKind::Basic(Basic::Copy { kind, .. }) => {
            *kind != gridlock_semantics::operator::CopyKind::HostToHost
        }
        OpKind::Basic(Basic::Alloc { space, .. } | Basic::Free { space, .. }) => {
            *space == gridlock_semantics::operator::AllocSpace::Global
        }
        OpKind::Basic(basic) => basic.is_host_only(),
        _ => false,
    };
    program.procs.iter().any(|proc| proc.kind != ProcKind::Host)
        || program
            .operators()
            .iter()
            .any(|(_, op)| gpu_operator(&op.kind))
}

fn cuda_program(program: &Program) -> Result<Lowered, LoweringError> {
    let mut unit = Unit::new(program, Target::Host, Dialect::Cuda, Contents::All)?;
    unit.kernels_get_starts = !host_moves_pointers(program);
    let mut layout = Layout::default();
    layout.line(
        "// Made by gridlock lower --target host. C++20; compile with nvcc -std=c++20 -fmad=false.",
    );
    layout
        .line("// Sums that might overflow are computed in unsigned arithmetic, where they wrap.");
    layout.blank();
    if uses_assert(program) {
        layout.line("#include <cassert>");
    }
    layout.line("#include <cmath>");
    if synchronises_grid(program) {
        layout.line("#include <cooperative_groups.h>");
    }
    layout.line("#include <cstdio>");
    layout.line("#include <cstdlib>");
    layout.line("#include <cstring>");
    layout.line("#include <cuda_runtime.h>");
    layout.blank();
    for line in CHECK.lines() {
        layout.line(line);
    }
    unit.finish(layout, "cu")
}

/// Ends the program at the first call of the CUDA runtime that fails.
const CHECK: &str = r#"#ifndef CHECK
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t status = (call);                                                       \
        if (status != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)
#endif"#;

/// Whether some host code computes pointers other than for a subscript: then a kernel may get
/// one into the middle of an array.
fn host_moves_pointers(program: &Program) -> bool {
    let mut moves = false;
    for (proc, op) in program.operators() {
        if program.proc(proc).kind != ProcKind::Host {
            continue;
        }
        let values = match &op.kind {
            OpKind::Basic(Basic::Assign { value, .. }) => vec![value],
            OpKind::Basic(Basic::CallGpu { args, .. }) | OpKind::Call { args, .. } => {
                args.iter().collect()
            }
            _ => vec![],
        };
        for value in values.into_iter().filter(|v| v.ty.pointer().is_some()) {
            value.walk(&mut |e| moves |= matches!(e.kind, ExprKind::Offset(..)));
        }
    }
    moves
}

fn c_program(program: &Program) -> Result<Lowered, LoweringError> {
    let unit = Unit::new(program, Target::Host, Dialect::C, Contents::All)?;
    let mut layout = Layout::default();
    layout.line("/* Made by gridlock lower --target host. C11, with <stdbool.h>. Sums that might overflow are");
    layout.line("   computed in unsigned arithmetic, where they wrap. */");
    layout.blank();
    if uses_assert(program) {
        layout.line("#include <assert.h>");
    }
    layout.line("#include <math.h>");
    layout.line("#include <stdbool.h>");
    layout.line("#include <stdlib.h>");
    layout.line("#include <string.h>");
    unit.finish(layout, "c")
}
