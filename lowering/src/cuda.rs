//! CUDA C++ kernels.

use crate::error::LoweringError;
use crate::lowered::{Lowered, Target};
use crate::print::dialect::Dialect;
use crate::print::expression::reciprocal_of_zero;
use crate::print::layout::Layout;
use crate::print::unit::{Contents, Unit};
use gridlock_semantics::algebra::expr::{BinaryOp, ExprKind};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use std::sync::Arc;

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
    layout.blank();
    if uses_assert(&program) {
        layout.line("#include <cassert>");
    }
    if uses_infinity(&program) {
        layout.line("#include <cmath>");
    }
    for header in headers_of_narrow_floats(&program) {
        layout.line(&format!("#include <{header}>"));
    }
    if synchronises_grid(&program) {
        layout.line("#include <cooperative_groups.h>");
    }
    unit.finish(layout, "cu")
}

/// The headers of the floats of 16 bits that atomics add.
fn headers_of_narrow_floats(program: &Program) -> Vec<&'static str> {
    let mut functions: Vec<AtomicFn> = Vec::new();
    for (_, op) in program.operators() {
        if let OpKind::Basic(Basic::Atomic { function, .. }) = &op.kind {
            functions.push(*function);
        }
    }
    [
        (AtomicFn::AddBfloat, "cuda_bf16.h"),
        (AtomicFn::AddHalf, "cuda_fp16.h"),
    ]
    .into_iter()
    .filter(|(function, _)| functions.contains(function))
    .map(|(_, header)| header)
    .collect()
}

/// The program as the printers want it: each occurrence of an operator numbered, nothing behind
/// a thread's end.
pub(crate) fn numbered(program: &Program) -> Program {
    let mut program = program.clone();
    for proc in &mut program.procs {
        proc.body = reachable(&proc.body).0;
    }
    program.number_operators();
    program
}

/// The operator without what stands behind an `Exit`, and whether every path through it exits.
fn reachable(op: &Arc<Op>) -> (Arc<Op>, bool) {
    let (kind, exits) = match &op.kind {
        OpKind::Seq(parts) => {
            let mut kept = Vec::with_capacity(parts.len());
            let mut exits = false;
            for part in parts {
                let (part, last) = reachable(part);
                kept.push(part);
                if last {
                    exits = true;
                    break;
                }
            }
            (OpKind::Seq(kept), exits)
        }
        OpKind::If {
            cond,
            then,
            otherwise,
        } => {
            let ((then, a), (otherwise, b)) = (reachable(then), reachable(otherwise));
            let cond = cond.clone();
            let kind = OpKind::If {
                cond,
                then,
                otherwise,
            };
            (kind, a && b)
        }
        OpKind::While { cond, body } => {
            let kind = OpKind::While {
                cond: cond.clone(),
                body: reachable(body).0,
            };
            (kind, false)
        }
        OpKind::Basic(Basic::Exit) => return (op.clone(), true),
        OpKind::Skip | OpKind::Call { .. } | OpKind::Par(..) | OpKind::Basic(_) => {
            return (op.clone(), false);
        }
    };
    let op = Op {
        id: op.id,
        span: op.span,
        provenance: op.provenance.clone(),
        kind,
    };
    (Arc::new(op), exits)
}

/// Whether the text will say `INFINITY` or `NAN`.
fn uses_infinity(program: &Program) -> bool {
    let mut found = false;
    let mut look = |value: &Value| {
        found |= match value {
            Value::F32(bits) => !f32::from_bits(*bits).is_finite(),
            Value::F64(bits) => !f64::from_bits(*bits).is_finite(),
            _ => false,
        };
    };
    for init in program
        .arrays
        .iter()
        .filter_map(|array| array.init.as_ref())
    {
        init.iter().for_each(&mut look);
    }
    let mut zero_divisor = false;
    for (_, op) in program.operators() {
        for expr in op.expressions() {
            expr.walk(&mut |e| match &e.kind {
                ExprKind::Const(value) => look(value),
                ExprKind::Binary(BinaryOp::Div, _, b) => {
                    zero_divisor |= reciprocal_of_zero(b).is_some();
                }
                _ => {}
            });
        }
    }
    found || zero_divisor
}

/// Whether the text will name a cooperative group.
pub(crate) fn synchronises_grid(program: &Program) -> bool {
    let operators = program.operators();
    let mut kinds = operators.iter().map(|(_, op)| &op.kind);
    kinds.any(|kind| matches!(kind, OpKind::Basic(Basic::GridBarrier)))
}

pub(crate) fn uses_assert(program: &Program) -> bool {
    program
        .operators()
        .iter()
        .any(|(_, op)| matches!(op.kind, OpKind::Basic(Basic::Assert { .. })))
}
