//! Whole programs: kernels and host code, over the CUDA runtime or another target's interface.

use crate::cuda::{self, CudaOptions, numbered, synchronises_grid, uses_assert};
use crate::error::LoweringError;
use crate::lowered::{Lowered, Target};
use crate::opencl;
use crate::patterns::{self, HostLanguage, Kernels, PatternFile, Term};
use crate::print::address_space::Instance;
use crate::print::dialect::Dialect;
use crate::print::layout::Layout;
use crate::print::unit::{Contents, Unit};
use gridlock_semantics::algebra::expr::ExprKind;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;

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
            *kind != gridlock_semantics::algebra::operator::CopyKind::HostToHost
        }
        OpKind::Basic(Basic::Alloc { space, .. } | Basic::Free { space, .. }) => {
            !space.is_on_host()
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
    let patterns = patterns::built_in("cuda-runtime")
        .map_err(|e| LoweringError::at(Target::Host.name(), program, Span::NONE, e.to_string()))?;
    let mut unit = Unit::by_patterns(
        program,
        Target::Host,
        Dialect::Cuda,
        Contents::All,
        patterns,
    )?;
    unit.kernels_get_starts = !host_moves_pointers(program);
    let layout = prologue(&unit, "", vec![])?;
    unit.finish(layout, "cu")
}

/// A program for a target of host code: one file, or two.
#[derive(Clone, Debug)]
pub struct Files {
    /// The file of the host code; it has the kernels too where the target keeps them there.
    pub host: Lowered,
    /// With its name where the host loads or compiles it.
    pub kernels: Option<(String, Lowered)>,
}

/// Prints a program for a target that a pattern file describes. `stem`: what the files are called,
/// without extension. The program must be in surface form.
///
/// # Errors
/// What the target has no word for, with its place.
pub fn for_target(
    program: &Program,
    patterns: &PatternFile,
    stem: &str,
) -> Result<Files, LoweringError> {
    let program = numbered(program);
    let dialect = match patterns.language {
        HostLanguage::Cpp => Dialect::Cuda,
        HostLanguage::CSharp => Dialect::CSharp,
    };
    let contents = match patterns.kernels {
        Kernels::SameFile => Contents::All,
        Kernels::Cuda { .. } | Kernels::OpenCl { .. } => Contents::Host,
    };
    let mut unit = Unit::by_patterns(&program, Target::Host, dialect, contents, patterns)?;
    unit.kernels_get_starts = !host_moves_pointers(&program);
    let extern_c = CudaOptions {
        extern_c: true,
        ..CudaOptions::default()
    };
    let (kernels, loaded) = match &patterns.kernels {
        Kernels::SameFile => (None, String::new()),
        Kernels::Cuda { source, loaded } => {
            let lowered = cuda::kernels(&program, &extern_c)?;
            (Some((format!("{stem}.{source}"), lowered)), loaded.clone())
        }
        Kernels::OpenCl { source } => {
            let lowered = opencl::kernels(&program)?;
            (Some((format!("{stem}.{source}"), lowered)), source.clone())
        }
    };
    let mut variables = Vec::new();
    for kernel in kernels.iter().flat_map(|(_, lowered)| &lowered.kernels) {
        let name = unit.proc_name(&Instance {
            proc: kernel.proc,
            spaces: vec![],
        });
        let entry = format!("\"{}\"", kernel.name);
        variables.push(Term::app(
            "kernel",
            vec![Term::text(name), Term::text(entry)],
        ));
        if matches!(patterns.kernels, Kernels::OpenCl { .. }) {
            unit.kernel_params
                .insert(kernel.proc, kernel.params.clone());
        }
    }
    let layout = prologue(&unit, &format!("\"{stem}.{loaded}\""), variables)?;
    let host = unit.finish(layout, &patterns.extension)?;
    Ok(Files { host, kernels })
}

/// What stands before the first function.
fn prologue(unit: &Unit<'_>, file: &str, kernels: Vec<Term>) -> Result<Layout, LoweringError> {
    let header = |is_used: bool, name: &str| match is_used {
        true => Term::List(vec![Term::app(name, vec![])]),
        false => Term::List(vec![]),
    };
    let parts = vec![
        Term::text(file),
        header(uses_assert(unit.program), "asserts"),
        header(synchronises_grid(unit.program), "grid_barriers"),
        Term::List(kernels),
    ];
    let Some(lines) = unit
        .patterns
        .lines("prologue", &Term::app("prologue", parts))
    else {
        return Err(unit.error(Span::NONE, "a program: there is no pattern for `prologue`"));
    };
    let mut layout = Layout::default();
    for line in lines {
        layout.line(&line);
    }
    for _ in 0..unit.patterns.depth {
        layout.indent();
    }
    Ok(layout)
}

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
