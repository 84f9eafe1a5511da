//! One procedure as a C function: its names, its head and its arrays.

use crate::error::LoweringError;
use crate::lowered::Param;
use crate::patterns::{Term, type_term};
use crate::print::address_space::{Instance, VarSpaces, handed_down, is_reassigned, var_spaces};
use crate::print::dialect::Dialect;
use crate::print::expression::pointer_type;
use crate::print::layout::Layout;
use crate::print::liveness::{arrays_of, matters, needed_vars};
use crate::print::names::variable_names;
use crate::print::scope::{Scopes, returns_directly};
use crate::print::statement::Statements;
use crate::print::unit::Unit;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Procedure};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};
use std::collections::{BTreeMap, BTreeSet};

/// A procedure being printed.
pub(crate) struct Function<'a> {
    pub unit: &'a Unit<'a>,
    pub instance: Instance,
    pub proc: &'a Procedure,
    pub scopes: Scopes,
    pub vars: BTreeMap<VarId, String>,
    pub arrays: BTreeMap<ArrayId, String>,
    pub spaces: VarSpaces,
    /// Arrays that come as parameters, after the procedure's own.
    pub hidden: Vec<ArrayId>,
    /// Pointer variables that point to first elements.
    starts: BTreeSet<VarId>,
}

impl<'a> Function<'a> {
    pub(crate) fn new(
        unit: &'a Unit<'a>,
        instance: Instance,
    ) -> Result<Function<'a>, LoweringError> {
        let program = unit.program;
        let proc = program.proc(instance.proc);
        let scopes = Scopes::of(proc);
        let spaces = match unit.dialect {
            Dialect::OpenCl => {
                var_spaces(program, &instance).map_err(|(span, what)| unit.error(span, what.0))?
            }
            Dialect::Cuda | Dialect::C | Dialect::CSharp => VarSpaces::new(),
        };
        let mut used = arrays_of(&proc.body, &needed_vars(proc));
        let mut hidden = Vec::new();
        if unit.dialect == Dialect::OpenCl {
            let below = handed_down(program, instance.proc);
            let declared_here = |array: &ArrayId| {
                let decl = program.array(*array);
                proc.kind == ProcKind::Kernel
                    && decl.space == Space::Shared
                    && decl.extent != Extent::LaunchShared
            };
            hidden = below
                .iter()
                .copied()
                .filter(|a| !declared_here(a))
                .collect();
            used.extend(below);
        }
        // Names: file scope first, then arrays, then variables.
        let mut taken = unit.file_names.clone();
        let mut arrays = BTreeMap::new();
        for array in used {
            let name = match unit.array_names.get(&array) {
                Some(name) => name.clone(),
                None => unit.local_name(&program.array(array).name, &taken),
            };
            taken.insert(name.clone());
            arrays.insert(array, name);
        }
        let vars = variable_names(unit.dialect, proc, &scopes, &taken);
        let starts = match proc.kind {
            ProcKind::Kernel if unit.kernels_get_starts => proc
                .params
                .iter()
                .copied()
                .filter(|var| !is_reassigned(program, instance.proc, *var))
                .collect(),
            _ => BTreeSet::new(),
        };
        Ok(Function {
            unit,
            instance,
            proc,
            scopes,
            vars,
            arrays,
            spaces,
            hidden,
            starts,
        })
    }

    pub(crate) fn var_name(&self, var: VarId) -> String {
        self.vars.get(&var).cloned().unwrap_or_default()
    }

    pub(crate) fn array_name(&self, array: ArrayId) -> String {
        self.arrays
            .get(&array)
            .or_else(|| self.unit.array_names.get(&array))
            .cloned()
            .unwrap_or_default()
    }

    /// Whether the array's name stands for a single cell rather than for its address.
    pub(crate) fn is_scalar(&self, array: ArrayId) -> bool {
        let decl = self.unit.program.array(array);
        decl.dims.is_empty() && decl.extent != Extent::LaunchShared && !self.hidden.contains(&array)
    }

    pub(crate) fn is_start(&self, var: VarId) -> bool {
        self.starts.contains(&var)
    }

    /// Whether a variable holds a device pointer that the target has a type of its own for.
    pub(crate) fn is_gpu(&self, var: VarId) -> bool {
        self.unit.gpu_vars.is_gpu(self.instance.proc, var)
    }

    /// Whether a pointer leads into managed memory, for targets that have another type for pointers
    /// into a device's own.
    pub(crate) fn is_managed(&self, pointer: &Expr) -> bool {
        self.unit.gpu_vars.is_managed(self.instance.proc, pointer)
    }

    /// The declaration of such a variable, for the patterns.
    pub(crate) fn gpu_declaration(&self, var: VarId) -> Option<Term> {
        let to = self.proc.vars[var.0 as usize].ty.pointer()?;
        let name = Term::text(self.var_name(var));
        self.is_gpu(var)
            .then(|| Term::app("gpu_pointer", vec![type_term(to.elem), name]))
    }

    /// The null pointer of a variable's kind.
    pub(crate) fn null(&self, var: VarId) -> String {
        let unit = self.unit;
        let own = match self.is_gpu(var) {
            true => unit
                .patterns
                .inline("expression", &Term::app("null", vec![])),
            false => None,
        };
        own.unwrap_or_else(|| unit.dialect.null().to_owned())
    }

    /// `int x`, `const float *p`.
    pub(crate) fn declaration(&self, var: VarId) -> String {
        let ty = self.proc.vars[var.0 as usize].ty;
        if let Some(term) = self.gpu_declaration(var)
            && let Some(text) = self.unit.patterns.inline("declaration", &term)
        {
            return text;
        }
        declared(
            self.unit.dialect,
            ty,
            self.spaces.get(&var).copied(),
            &self.var_name(var),
        )
    }

    /// The parameters with their texts, hidden ones last.
    pub(crate) fn parameters(&self) -> Vec<(Param, String)> {
        let dialect = self.unit.dialect;
        let is_kernel = self.proc.kind == ProcKind::Kernel;
        let mut found = Vec::new();
        for var in &self.proc.params {
            let name = self.var_name(*var);
            found.push(match self.proc.vars[var.0 as usize].ty {
                Type::Scalar(ty) => {
                    // OpenCL C has no kernel parameters of type `bool`.
                    let spelling = if is_kernel {
                        dialect.cell(ty)
                    } else {
                        dialect.scalar(ty)
                    };
                    let text = format!("{spelling} {name}");
                    (Param::Scalar { name, ty }, text)
                }
                Type::Pointer(ty) if self.is_gpu(*var) => {
                    (Param::Pointer { name, ty }, self.declaration(*var))
                }
                Type::Pointer(ty) => {
                    let space = self.spaces.get(var).copied();
                    let mut text = pointer_type(dialect, ty, space);
                    if is_kernel && self.unit.restrict {
                        text.push_str(match dialect {
                            Dialect::Cuda => "__restrict__ ",
                            Dialect::OpenCl | Dialect::C | Dialect::CSharp => "restrict ",
                        });
                    }
                    // C# has no `const`; this is how a parameter says so.
                    if dialect == Dialect::CSharp && ty.is_const {
                        text.insert_str(0, "[In] ");
                    }
                    text.push_str(&name);
                    (Param::Pointer { name, ty }, text)
                }
            });
        }
        for array in &self.hidden {
            let decl = self.unit.program.array(*array);
            let name = self.array_name(*array);
            let to = PointerType {
                elem: decl.elem,
                is_const: false,
                is_volatile: decl.is_volatile,
            };
            let text = format!("{}{name}", pointer_type(dialect, to, Some(decl.space)));
            let array = *array;
            found.push(match decl.space {
                Space::Shared => (Param::DynamicShared { name, array }, text),
                _ => (Param::GlobalArray { name, array }, text),
            });
        }
        found
    }

    /// `__global__ void f(int n)`.
    pub(crate) fn head(&self) -> String {
        let unit = self.unit;
        let name = unit.proc_name(&self.instance);
        let parameters: Vec<String> = self
            .parameters()
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        let mut list = parameters.join(", ");
        if list.is_empty() && !matches!(unit.dialect, Dialect::Cuda | Dialect::CSharp) {
            list.push_str("void");
        }
        let result = match self.proc.result {
            Some(var) => match self.proc.vars[var.0 as usize].ty {
                Type::Scalar(ty) => format!("{} ", unit.dialect.scalar(ty)),
                Type::Pointer(to) => pointer_type(unit.dialect, to, self.spaces.get(&var).copied()),
            },
            None => "void ".to_owned(),
        };
        let prefix = match (unit.dialect, self.proc.kind) {
            (Dialect::Cuda, ProcKind::Kernel) if unit.extern_c => "extern \"C\" __global__ ",
            (Dialect::Cuda, ProcKind::Kernel) => "__global__ ",
            (Dialect::Cuda, ProcKind::Device) => "__device__ ",
            (Dialect::OpenCl, ProcKind::Kernel) => "kernel ",
            (Dialect::OpenCl, _) => "static ",
            (Dialect::CSharp, _) => "public static ",
            _ => "",
        };
        let bounds = match (unit.dialect, self.proc.most_threads) {
            (Dialect::Cuda, Some(most)) => format!("__launch_bounds__({most}) "),
            _ => String::new(),
        };
        let head = format!("{prefix}{bounds}{result}{name}({list})");
        if head.len() <= 96 {
            return head;
        }
        // One parameter a line where they do not fit.
        let indent = "    ";
        format!(
            "{prefix}{result}{name}(\n{indent}{})",
            parameters.join(&format!(",\n{indent}"))
        )
    }

    /// Whether an array occurs in the function only as a place to store to.
    fn is_only_written(&self, array: ArrayId) -> bool {
        let mut is_used = false;
        self.proc.body.walk(&mut |op| {
            if !matters(op, &self.scopes.needed) {
                return;
            }
            let target = match &op.kind {
                OpKind::Basic(Basic::Store { pointer, .. }) => match &pointer.kind {
                    ExprKind::ArrayBase(_) => Some(pointer),
                    ExprKind::Offset(base, _) => Some(&**base),
                    _ => None,
                },
                _ => None,
            };
            for expr in op.expressions() {
                expr.walk(&mut |e| {
                    let is_target = target.is_some_and(|target| std::ptr::eq(target, e));
                    is_used |= e.kind == ExprKind::ArrayBase(array) && !is_target;
                });
            }
        });
        !is_used
    }

    /// Declarations of the arrays that belong to the function.
    fn own_arrays(&self) -> Result<Vec<String>, LoweringError> {
        let mut lines = Vec::new();
        for array in self.arrays.keys() {
            let decl = self.unit.program.array(*array);
            let is_file_scope = self.unit.array_names.contains_key(array);
            if (is_file_scope && !self.unit.in_functions.contains(array))
                || self.hidden.contains(array)
            {
                continue;
            }
            let line = array_declaration(self.unit, decl, &self.array_name(*array))?;
            // Compilers warn of arrays that are only written.
            let is_silent = self.unit.dialect == Dialect::Cuda && self.is_only_written(*array);
            lines.push(if is_silent {
                format!("[[maybe_unused]] {line}")
            } else {
                line
            });
        }
        Ok(lines)
    }

    /// The whole function.
    pub(crate) fn print(&self, layout: &mut Layout) -> Result<(), LoweringError> {
        let head = self.head();
        for line in head.lines() {
            layout.line(line);
        }
        layout.open("{");
        for line in self.own_arrays()? {
            layout.line(&line);
        }
        let direct = self
            .proc
            .result
            .is_some_and(|result| returns_directly(&self.proc.body, result));
        let mut statements = Statements::new(self, layout);
        statements.print(&self.proc.body, direct)?;
        if let Some(result) = self.proc.result
            && !direct
        {
            layout.line(&format!("return {};", self.var_name(result)));
        }
        layout.close("}");
        Ok(())
    }
}

/// `int x`, `const float *p`.
fn declared(dialect: Dialect, ty: Type, space: Option<Space>, name: &str) -> String {
    match ty {
        Type::Scalar(ty) => format!("{} {name}", dialect.scalar(ty)),
        Type::Pointer(to) => format!("{}{name}", pointer_type(dialect, to, space)),
    }
}

/// `__shared__ int tile[64];`
pub(crate) fn array_declaration(
    unit: &Unit<'_>,
    decl: &ArrayDecl,
    name: &str,
) -> Result<String, LoweringError> {
    let dialect = unit.dialect;
    if dialect == Dialect::CSharp {
        return Err(unit.error(decl.span, "a declared array of the host"));
    }
    let mut text = String::new();
    match (dialect, decl.space) {
        (Dialect::Cuda, Space::Shared) if decl.extent == Extent::LaunchShared => {
            text.push_str("extern __shared__ ");
        }
        (Dialect::Cuda, Space::Shared) => text.push_str("__shared__ "),
        (Dialect::Cuda, Space::Global) if decl.is_managed => text.push_str("__managed__ "),
        (Dialect::Cuda, Space::Global) => text.push_str("__device__ "),
        (Dialect::Cuda, Space::Constant) => text.push_str("__constant__ "),
        (Dialect::OpenCl, Space::Shared) => text.push_str("local "),
        (Dialect::OpenCl, Space::Constant) => text.push_str("constant "),
        (_, Space::Host) if decl.owner.is_none() => text.push_str("static "),
        _ => {}
    }
    if decl.is_volatile {
        text.push_str("volatile ");
    }
    text.push_str(match decl.space {
        Space::Private => dialect.scalar(decl.elem),
        _ => dialect.cell(decl.elem),
    });
    text.push(' ');
    text.push_str(name);
    if !decl.dims.is_empty() || decl.extent == Extent::LaunchShared {
        match decl.extent {
            Extent::Fixed(n) => text.push_str(&format!("[{n}]")),
            Extent::LaunchShared => text.push_str("[]"),
        }
    }
    let zero_by_itself = decl.owner.is_none() && dialect != Dialect::OpenCl;
    match decl.init.as_deref() {
        None => {}
        Some([]) if zero_by_itself => {}
        Some(values) => {
            let mut items = Vec::new();
            for value in values {
                items.push(unit.literal(decl.elem, *value, decl.span)?);
            }
            if items.is_empty() {
                items.push(
                    if decl.elem == ScalarType::Bool {
                        "false"
                    } else {
                        "0"
                    }
                    .to_owned(),
                );
            }
            let list = items.join(", ");
            if decl.dims.is_empty() && decl.extent != Extent::LaunchShared {
                text.push_str(&format!(" = {list}"));
            } else {
                text.push_str(&format!(" = {{{list}}}"));
            }
        }
    }
    text.push(';');
    Ok(text)
}
