//! Which variables of the host hold pointers into a device's memory, for targets that have another
//! type for those; and that such pointers are only kept, handed on and copied through there.

use crate::error::LoweringError;
use crate::print::liveness::{matters, needed_vars};
use crate::print::unit::Unit;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind, Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use std::collections::BTreeSet;

/// Variables of procedures.
type Vars = BTreeSet<(ProcId, VarId)>;

/// Variables of the host by what they point into.
#[derive(Default)]
pub(crate) struct GpuVars {
    /// A device's own memory.
    gpu: Vars,
    /// Memory that host and device reach: pointers like any other of the host.
    managed: Vars,
}

impl GpuVars {
    pub(crate) fn is_gpu(&self, proc: ProcId, var: VarId) -> bool {
        self.gpu.contains(&(proc, var))
    }

    /// Whether a pointer, computed or not, leads into managed memory.
    pub(crate) fn is_managed(&self, proc: ProcId, pointer: &Expr) -> bool {
        match &pointer.kind {
            ExprKind::Var(var) => self.managed.contains(&(proc, *var)),
            ExprKind::Cast(inner) | ExprKind::Offset(inner, _) => self.is_managed(proc, inner),
            _ => false,
        }
    }
}

/// The variables. Over-approximates nothing: a variable that is also used as a pointer of the host
/// is found by [`check`].
pub(crate) fn gpu_vars(unit: &Unit<'_>) -> GpuVars {
    let mut found = GpuVars::default();
    for (proc, op) in host_operators(unit) {
        if let OpKind::Basic(Basic::Alloc {
            var,
            space: AllocSpace::Managed,
            ..
        }) = &op.kind
        {
            found.managed.insert((proc, *var));
        }
    }
    // `p + n` leads where `p` does.
    follow(unit, &mut found.managed, &|pointer| match &pointer.kind {
        ExprKind::Offset(from, _) => kept(from),
        _ => kept(pointer),
    });
    for (proc, op) in host_operators(unit) {
        let mut note = |expr: &Expr| {
            if let Some(var) = kept(expr).filter(|_| !found.is_managed(proc, expr)) {
                found.gpu.insert((proc, var));
            }
        };
        match &op.kind {
            OpKind::Basic(Basic::Alloc {
                var,
                space: AllocSpace::Global,
                ..
            }) => {
                found.gpu.insert((proc, *var));
            }
            OpKind::Basic(Basic::Free {
                pointer,
                space: AllocSpace::Global,
                ..
            }) => note(pointer),
            OpKind::Basic(Basic::Copy { kind, dst, src, .. }) => {
                let (to, from) = sides(*kind);
                if to {
                    note(dst);
                }
                if from {
                    note(src);
                }
            }
            OpKind::Basic(Basic::CallGpu { args, .. }) => {
                args.iter()
                    .filter(|arg| arg.ty.pointer().is_some())
                    .for_each(note);
            }
            _ => {}
        }
    }
    follow(unit, &mut found.gpu, &kept);
    found
}

/// Adds variables that get or give their values by assignments and calls.
fn follow(unit: &Unit<'_>, found: &mut Vars, source: &dyn Fn(&Expr) -> Option<VarId>) {
    let program = unit.program;
    loop {
        let before = found.len();
        for (proc, op) in host_operators(unit) {
            match &op.kind {
                OpKind::Basic(Basic::Assign { var, value }) => {
                    if let Some(from) = source(value)
                        && (found.contains(&(proc, from)) || found.contains(&(proc, *var)))
                    {
                        found.extend([(proc, from), (proc, *var)]);
                    }
                }
                OpKind::Call {
                    proc: callee,
                    args,
                    result,
                } => {
                    let called = program.proc(*callee);
                    let mut pairs: Vec<(VarId, VarId)> = Vec::new();
                    for (arg, param) in args.iter().zip(&called.params) {
                        pairs.extend(source(arg).map(|var| (var, *param)));
                    }
                    pairs.extend(result.zip(called.result));
                    for (here, there) in pairs {
                        if found.contains(&(proc, here)) || found.contains(&(*callee, there)) {
                            found.extend([(proc, here), (*callee, there)]);
                        }
                    }
                }
                _ => {}
            }
        }
        found.retain(|(proc, var)| {
            program.proc(*proc).vars[var.0 as usize]
                .ty
                .pointer()
                .is_some()
        });
        if found.len() == before {
            return;
        }
    }
}

/// Whether a copy's target and source are on the device.
const fn sides(kind: CopyKind) -> (bool, bool) {
    match kind {
        CopyKind::HostToDevice => (true, false),
        CopyKind::DeviceToHost => (false, true),
        CopyKind::DeviceToDevice => (true, true),
        // `Default` is refused where it is printed.
        CopyKind::HostToHost | CopyKind::Default => (false, false),
    }
}

/// The variable whose value an expression is, casts between pointers aside.
pub(crate) fn kept(expr: &Expr) -> Option<VarId> {
    match &expr.kind {
        ExprKind::Var(var) => Some(*var),
        ExprKind::Cast(inner) if inner.ty.pointer().is_some() => kept(inner),
        _ => None,
    }
}

fn host_operators<'a>(unit: &Unit<'a>) -> Vec<(ProcId, &'a Op)> {
    let mut found = Vec::new();
    for (index, proc) in unit.program.procs.iter().enumerate() {
        if proc.kind == ProcKind::Host {
            let needed = needed_vars(proc);
            proc.body.walk(&mut |op| {
                if !matches!(op.kind, OpKind::Basic(_)) || matters(op, &needed) {
                    found.push((ProcId(index as u32), &**op));
                }
            });
        }
    }
    found
}

/// Refuses what a target without types of device pointers cannot say.
pub(crate) fn check(unit: &Unit<'_>, found: &GpuVars) -> Result<(), LoweringError> {
    for (proc, op) in host_operators(unit) {
        let error = |what: &str| Err(unit.error(op.span, what));
        let is_gpu = |expr: &Expr| kept(expr).is_some_and(|var| found.is_gpu(proc, var));
        // Operands that may be device pointers, as they are.
        let mut whole: Vec<&Expr> = Vec::new();
        match &op.kind {
            OpKind::Basic(Basic::Copy { kind, dst, src, .. }) => {
                let (to, from) = sides(*kind);
                whole.extend([(to, dst), (from, src)].iter().filter(|s| s.0).map(|s| s.1));
            }
            OpKind::Basic(Basic::Free {
                pointer,
                space: AllocSpace::Global,
                ..
            }) if !found.is_managed(proc, pointer) => whole.push(pointer),
            OpKind::Basic(Basic::CallGpu { args, .. }) => {
                let own = |arg: &&Expr| !found.is_managed(proc, arg);
                let pointers = args.iter().filter(|arg| arg.ty.pointer().is_some());
                whole.extend(pointers.filter(own));
            }
            OpKind::Call { args, .. } => whole.extend(args.iter().filter(|arg| is_gpu(arg))),
            OpKind::Basic(Basic::Assign { var, value })
                if found.is_gpu(proc, *var) && !is_null(value) =>
            {
                whole.push(value);
            }
            _ => {}
        }
        for expr in &whole {
            if found.is_managed(proc, expr) {
                return error("managed memory beside a device's own, in one pointer or a copy");
            }
            if !is_gpu(expr) {
                return error("a device pointer that is computed on the host");
            }
            if cast_changes_elements(expr) {
                return error("a device pointer cast to one of other elements");
            }
        }
        let mut misused = None;
        for expr in op.expressions() {
            if whole.iter().any(|w| std::ptr::eq(*w, expr)) {
                continue;
            }
            expr.walk(&mut |e| match &e.kind {
                ExprKind::Var(var) if found.is_gpu(proc, *var) => {
                    misused = Some("a device pointer used as one of the host");
                }
                ExprKind::ArrayBase(array)
                    if matches!(
                        unit.program.array(*array).space,
                        Space::Global | Space::Constant
                    ) =>
                {
                    misused = Some("a declared device array in host code");
                }
                _ => {}
            });
        }
        if let Some(what) = misused {
            return error(what);
        }
    }
    Ok(())
}

pub(crate) fn is_null(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(Value::Pointer(pointer)) => pointer.array == ArrayRef::Null,
        ExprKind::Const(value) => value.as_integer() == Some(0),
        ExprKind::Cast(inner) => is_null(inner),
        _ => false,
    }
}

fn cast_changes_elements(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(inner) => {
            let elem = |e: &Expr| e.ty.pointer().map(|to| to.elem);
            elem(inner) != elem(expr) || cast_changes_elements(inner)
        }
        _ => false,
    }
}
