//! A translation unit: file-scope names and declarations, then functions, callees first.

use crate::error::LoweringError;
use crate::lowered::{KernelInterface, Lowered, Param, Target};
use crate::patterns::{self, PatternFile, Term};
use crate::print::address_space::{Instance, instances};
use crate::print::dialect::Dialect;
use crate::print::expression::Printer;
use crate::print::function::{Function, array_declaration};
use crate::print::gpu_pointer::{GpuVars, check, gpu_vars};
use crate::print::layout::Layout;
use crate::print::liveness::{arrays_of, callees, needed_vars};
use crate::print::names::FileNames;
use crate::print::range::Known;
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::{Form, ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::analysis::reached::reached;
use std::collections::{BTreeMap, BTreeSet};

/// Which procedures go into the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// Kernels and what they call.
    Kernels,
    /// Everything.
    All,
    /// Host code; kernels stand elsewhere.
    Host,
}

pub(crate) struct Unit<'a> {
    /// With operators numbered in textual order.
    pub program: &'a Program,
    pub target: Target,
    pub dialect: Dialect,
    pub restrict: bool,
    pub extern_c: bool,
    /// Kernels are only called with pointers to first elements of arrays.
    pub kernels_get_starts: bool,
    pub file_names: BTreeSet<String>,
    /// Arrays with a name of file scope.
    pub array_names: BTreeMap<ArrayId, String>,
    /// Those among them that only one function uses, which declares them: `extern __shared__`.
    pub in_functions: BTreeSet<ArrayId>,
    /// How host operators are written.
    pub patterns: &'a PatternFile,
    /// Variables of a type the patterns have for device pointers.
    pub gpu_vars: GpuVars,
    /// Parameters of kernels that stand elsewhere.
    pub kernel_params: BTreeMap<ProcId, Vec<Param>>,
    procs: BTreeMap<Instance, String>,
    order: Vec<Instance>,
}

impl<'a> Unit<'a> {
    pub(crate) fn new(
        program: &'a Program,
        target: Target,
        dialect: Dialect,
        contents: Contents,
    ) -> Result<Unit<'a>, LoweringError> {
        let patterns = patterns::built_in("cuda-runtime")
            .map_err(|e| LoweringError::at(target.name(), program, Span::NONE, e.to_string()))?;
        Unit::by_patterns(program, target, dialect, contents, patterns)
    }

    pub(crate) fn by_patterns(
        program: &'a Program,
        target: Target,
        dialect: Dialect,
        contents: Contents,
        patterns: &'a PatternFile,
    ) -> Result<Unit<'a>, LoweringError> {
        let mut unit = Unit {
            program,
            target,
            dialect,
            restrict: false,
            extern_c: false,
            kernels_get_starts: true,
            file_names: BTreeSet::new(),
            array_names: BTreeMap::new(),
            in_functions: BTreeSet::new(),
            patterns,
            gpu_vars: GpuVars::default(),
            kernel_params: BTreeMap::new(),
            procs: BTreeMap::new(),
            order: Vec::new(),
        };
        if program.form != Form::Surface {
            let message = "a program in atomic form (lowering takes the surface form)";
            return Err(unit.error(Span::NONE, message));
        }
        unit.order = match dialect {
            Dialect::OpenCl => {
                instances(program).map_err(|(span, what)| unit.error(span, what.0))?
            }
            Dialect::Cuda | Dialect::C | Dialect::CSharp => callees_first(program, contents)
                .into_iter()
                .map(|proc| Instance {
                    proc,
                    spaces: vec![],
                })
                .collect(),
        };
        let mut names = FileNames::with(dialect, reserved(program, patterns));
        // Kernels and arrays first: others may want to find them by name.
        let (kernels, functions): (Vec<&Instance>, Vec<&Instance>) = unit
            .order
            .iter()
            .partition(|i| program.proc(i.proc).kind == ProcKind::Kernel);
        let mut procs = BTreeMap::new();
        for instance in kernels.into_iter().chain(functions) {
            let name = names.give(&program.proc(instance.proc).name);
            procs.insert(instance.clone(), name);
        }
        unit.procs = procs;
        if contents == Contents::Host {
            unit.order
                .retain(|i| program.proc(i.proc).kind == ProcKind::Host);
        }
        let mut used: BTreeMap<ArrayId, u32> = BTreeMap::new();
        for instance in &unit.order {
            let proc = program.proc(instance.proc);
            for array in arrays_of(&proc.body, &needed_vars(proc)) {
                *used.entry(array).or_default() += 1;
            }
        }
        let mut sized_by_launch = BTreeSet::new();
        for (array, n_functions) in used {
            let decl = program.array(array);
            // CUDA's dynamic shared memory is one; two arrays in it would be views of each other.
            if dialect != Dialect::OpenCl
                && decl.extent == Extent::LaunchShared
                && decl
                    .owner
                    .is_some_and(|owner| !sized_by_launch.insert(owner))
            {
                let message = "a second array of local memory whose size the launch gives";
                return Err(unit.error(decl.span, message));
            }
            let at_file_scope = match (dialect, decl.space) {
                (Dialect::OpenCl, Space::Constant) => true,
                (Dialect::OpenCl, _) | (_, Space::Private) => false,
                // `extern __shared__` arrays of all kernels are one symbol each.
                _ => decl.owner.is_none() || decl.extent == Extent::LaunchShared,
            };
            if at_file_scope {
                let name = names.give(&decl.name);
                unit.array_names.insert(array, name);
                if decl.extent == Extent::LaunchShared && n_functions == 1 {
                    unit.in_functions.insert(array);
                }
            }
        }
        unit.file_names = names.taken().clone();
        if patterns.opaque_pointers && target == Target::Host {
            unit.gpu_vars = gpu_vars(&unit);
            check(&unit, &unit.gpu_vars)?;
        }
        Ok(unit)
    }

    pub(crate) fn error(&self, span: Span, message: impl Into<String>) -> LoweringError {
        let target = match self.patterns.name.as_str() {
            "cuda-runtime" => self.target.name(),
            other => other,
        };
        LoweringError::at(target, self.program, span, message)
    }

    pub(crate) fn proc_name(&self, instance: &Instance) -> String {
        self.procs.get(instance).cloned().unwrap_or_default()
    }

    /// A name for an array of a function.
    pub(crate) fn local_name(&self, wanted: &str, taken: &BTreeSet<String>) -> String {
        let mut names = FileNames::with(self.dialect, taken.clone());
        names.give(wanted)
    }

    /// A constant in an initialiser.
    pub(crate) fn literal(
        &self,
        elem: ScalarType,
        value: Value,
        span: Span,
    ) -> Result<String, LoweringError> {
        let known = Known::at_entry(self.dialect);
        let printer = Printer {
            dialect: self.dialect,
            program: self.program,
            known: &known,
            var_name: &|_| String::new(),
            array_name: &|_| String::new(),
            is_scalar: &|_| false,
            var_space: &|_| None,
            is_start: &|_| false,
        };
        let expr = Expr::new(Type::Scalar(elem), ExprKind::Const(value));
        match printer.converted(&expr) {
            Ok(text) => Ok(text.text),
            Err(what) => Err(self.error(span, what.0)),
        }
    }

    /// Whether a scalar type occurs anywhere in what is printed.
    pub(crate) fn uses(&self, wanted: ScalarType) -> bool {
        let of_type = |ty: Type| match ty {
            Type::Scalar(ty) => ty == wanted,
            Type::Pointer(to) => to.elem == wanted,
        };
        let mut found = self.program.arrays.iter().any(|decl| decl.elem == wanted);
        for instance in &self.order {
            let proc = self.program.proc(instance.proc);
            found |= proc.vars.iter().any(|decl| of_type(decl.ty));
            proc.body.walk(&mut |op| {
                for expr in op.expressions() {
                    expr.walk(&mut |e| found |= of_type(e.ty));
                }
            });
        }
        found
    }

    /// Prints declarations and functions after a head, and describes the kernels.
    pub(crate) fn finish(
        self,
        mut layout: Layout,
        extension: &str,
    ) -> Result<Lowered, LoweringError> {
        let mut declared = false;
        layout.blank();
        for (array, name) in &self.array_names {
            let decl = self.program.array(*array);
            if !self.in_functions.contains(array) {
                layout.line(&array_declaration(&self, decl, name)?);
                declared = true;
            }
        }
        if declared {
            layout.blank();
        }
        let mut kernels = Vec::new();
        for (index, instance) in self.order.iter().enumerate() {
            let function = Function::new(&self, instance.clone())?;
            if index > 0 {
                layout.blank();
            }
            function.print(&mut layout)?;
            if function.proc.kind == ProcKind::Kernel {
                let params: Vec<Param> = function
                    .parameters()
                    .into_iter()
                    .map(|(param, _)| param)
                    .collect();
                kernels.push(KernelInterface {
                    proc: instance.proc,
                    name: self.proc_name(instance),
                    params,
                    cooperative: has_grid_barrier(self.program, instance.proc),
                });
            }
        }
        let is_device_array = |array: &ArrayId| {
            matches!(
                self.program.array(*array).space,
                Space::Global | Space::Constant
            )
        };
        for _ in 0..self.patterns.depth {
            layout.dedent();
        }
        let epilogue = Term::app("epilogue", vec![]);
        for line in self
            .patterns
            .lines("epilogue", &epilogue)
            .unwrap_or_default()
        {
            layout.line(&line);
        }
        Ok(Lowered {
            target: self.target,
            text: layout.finish(),
            kernels,
            arrays: self
                .array_names
                .iter()
                .filter(|(array, _)| is_device_array(array))
                .map(|(array, name)| (*array, name.clone()))
                .collect(),
            extension: extension.to_owned(),
        })
    }
}

/// Names of the program that the target's text uses itself: no declaration gets them.
fn reserved(program: &Program, patterns: &PatternFile) -> BTreeSet<String> {
    let vars = program
        .procs
        .iter()
        .flat_map(|proc| &proc.vars)
        .map(|var| &*var.name);
    let procs = program.procs.iter().map(|proc| &*proc.name);
    let arrays = program.arrays.iter().map(|array| &*array.name);
    vars.chain(procs)
        .chain(arrays)
        .filter(|name| patterns.reserves(name))
        .map(str::to_owned)
        .collect()
}

/// Procedures so that each stands after those it calls, otherwise in textual order.
/// Whether a kernel, or a function it calls, waits for all blocks.
fn has_grid_barrier(program: &Program, kernel: ProcId) -> bool {
    let mut found = false;
    for proc in reached(program, kernel) {
        program
            .proc(proc)
            .body
            .walk(&mut |op| found |= matches!(op.kind, OpKind::Basic(Basic::GridBarrier)));
    }
    found
}

fn callees_first(program: &Program, contents: Contents) -> Vec<ProcId> {
    fn visit(program: &Program, proc: ProcId, order: &mut Vec<ProcId>) {
        if order.contains(&proc) {
            return;
        }
        for callee in callees(program, proc) {
            visit(program, callee, order);
        }
        if !order.contains(&proc) {
            order.push(proc);
        }
    }
    let mut order = Vec::new();
    for kernel in program.procs_of_kind(ProcKind::Kernel) {
        visit(program, kernel, &mut order);
    }
    if contents != Contents::Kernels {
        for index in 0..program.procs.len() {
            visit(program, ProcId(index as u32), &mut order);
        }
    }
    order
}
