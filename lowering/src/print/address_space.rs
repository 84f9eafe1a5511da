//! OpenCL C has an address space in every pointer type, and program-scope memory only for
//! constants. So functions are specialised by the spaces of their pointer arguments, and arrays
//! they use that live in a kernel or with the host are handed down as parameters.

use crate::print::expression::Unprintable;
use crate::print::liveness::{arrays_of, callees, needed_vars};
use crate::print::range::assigned;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A procedure at one combination of address spaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Instance {
    pub proc: ProcId,
    /// For each parameter: where it points, if it is a pointer.
    pub spaces: Vec<Option<Space>>,
}

/// Space of every pointer variable of an instance.
pub(crate) type VarSpaces = BTreeMap<VarId, Space>;

/// Where the pointer variables of an instance point. Fails, with the place, on a variable that
/// points into two spaces: only the generic space of OpenCL 2.0 could hold it.
pub(crate) fn var_spaces(
    program: &Program,
    instance: &Instance,
) -> Result<VarSpaces, (Span, Unprintable)> {
    let proc = program.proc(instance.proc);
    let mut spaces: VarSpaces = proc
        .params
        .iter()
        .zip(&instance.spaces)
        .filter_map(|(var, space)| Some((*var, (*space)?)))
        .collect();
    let mut clash = None;
    loop {
        let before = spaces.len();
        proc.body.walk(&mut |op| {
            if let OpKind::Basic(Basic::Assign { var, value }) = &op.kind
                && value.ty.pointer().is_some()
                && let Some(space) = space_of(program, &spaces, value)
                && *spaces.entry(*var).or_insert(space) != space
            {
                clash = Some(op.span);
            }
        });
        if let Some(span) = clash {
            return Err((span, two_spaces()));
        }
        if spaces.len() == before {
            break;
        }
    }
    // `c ? p : q` must be of one space as well.
    proc.body.walk(&mut |op| {
        for expr in op.expressions() {
            expr.walk(&mut |e| {
                if let ExprKind::Select(_, a, b) = &e.kind
                    && let (Some(a), Some(b)) =
                        (space_of(program, &spaces, a), space_of(program, &spaces, b))
                    && a != b
                {
                    clash = Some(op.span);
                }
            });
        }
    });
    match clash {
        Some(span) => Err((span, two_spaces())),
        None => Ok(spaces),
    }
}

fn two_spaces() -> Unprintable {
    Unprintable("a pointer that points into either of two address spaces".to_owned())
}

/// Where a pointer expression points; `None` for null and what is not known (yet).
pub(crate) fn space_of(program: &Program, spaces: &VarSpaces, pointer: &Expr) -> Option<Space> {
    match &pointer.kind {
        ExprKind::Var(var) => spaces.get(var).copied(),
        ExprKind::ArrayBase(array) => Some(program.array(*array).space),
        ExprKind::Cast(inner) | ExprKind::Offset(inner, _) => space_of(program, spaces, inner),
        ExprKind::Select(_, a, b) => {
            space_of(program, spaces, a).or_else(|| space_of(program, spaces, b))
        }
        _ => None,
    }
}

/// The instances a program's kernels need, callees before callers, kernels last.
pub(crate) fn instances(program: &Program) -> Result<Vec<Instance>, (Span, Unprintable)> {
    fn visit(
        program: &Program,
        instance: Instance,
        found: &mut Vec<Instance>,
    ) -> Result<(), (Span, Unprintable)> {
        if found.contains(&instance) {
            return Ok(());
        }
        let spaces = var_spaces(program, &instance)?;
        let mut calls = Vec::new();
        program.proc(instance.proc).body.walk(&mut |op| {
            if let OpKind::Call { proc, args, .. } = &op.kind {
                calls.push(called(program, &spaces, *proc, args));
            }
        });
        for call in calls {
            visit(program, call, found)?;
        }
        found.push(instance);
        Ok(())
    }
    let mut found = Vec::new();
    for kernel in program.procs_of_kind(ProcKind::Kernel) {
        let proc = program.proc(kernel);
        let spaces = proc
            .params
            .iter()
            .map(|var| {
                proc.vars[var.0 as usize]
                    .ty
                    .pointer()
                    .map(|_| Space::Global)
            })
            .collect();
        visit(
            program,
            Instance {
                proc: kernel,
                spaces,
            },
            &mut found,
        )?;
    }
    Ok(found)
}

/// The instance a call means.
pub(crate) fn called(
    program: &Program,
    spaces: &VarSpaces,
    proc: ProcId,
    args: &[Expr],
) -> Instance {
    let spaces = args
        .iter()
        .map(|arg| {
            arg.ty
                .pointer()
                .map(|_| space_of(program, spaces, arg).unwrap_or(Space::Global))
        })
        .collect();
    Instance { proc, spaces }
}

/// Arrays that a procedure, or one it calls, uses and that are not its own nor constants.
pub(crate) fn handed_down(program: &Program, proc: ProcId) -> BTreeSet<ArrayId> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut todo = vec![proc];
    while let Some(next) = todo.pop() {
        if !seen.insert(next) {
            continue;
        }
        let procedure = program.proc(next);
        found.extend(arrays_of(&procedure.body, &needed_vars(procedure)));
        todo.extend(callees(program, next));
    }
    found.retain(|array| {
        let space = program.array(*array).space;
        matches!(space, Space::Global | Space::Shared)
    });
    found
}

/// Whether some operator gives a pointer variable a new value.
pub(crate) fn is_reassigned(program: &Program, proc: ProcId, var: VarId) -> bool {
    let mut found = false;
    program
        .proc(proc)
        .body
        .walk(&mut |op| found |= assigned(op) == Some(var));
    found
}
