//! Which properties can be judged of an entry: those whose premises are there. A property without
//! its premise (bounds without extents) stands under `not_judged` and does not weaken a verdict.

use gridlock_checker::verdict::Property;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::{BinaryOp, Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::operator::{Basic, Effect, Op, OpKind};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::analysis::definite_assignment::Assigned;
use gridlock_semantics::setup::arbitrary::is_choice;
use gridlock_semantics::setup::texture::is_of_texture;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an entry's reachable code contains.
#[derive(Clone, Debug, Default)]
pub struct Features {
    /// A kernel launch.
    pub launches: bool,
    /// An allocation.
    pub allocates: bool,
    /// A barrier, or an operation of warps.
    pub barriers: bool,
    /// Parallel host threads, WAIT, asynchronous copies: the host alone may race and wait forever.
    pub host_concurrency: bool,
    /// An assertion.
    pub asserts: bool,
    /// Division, remainder, a shift by a non-constant, a conversion from a float to an integer.
    pub partial_arithmetic: bool,
    /// Arrays with known extents: shared, private, constant, global, host.
    pub declared_arrays: bool,
    /// The null pointer is named somewhere: an access through it leaves every array, whatever is known
    /// of extents.
    pub null_pointers: bool,
    /// A pointer is compared with the null pointer, or is a condition.
    pub asks_for_null: bool,
    /// Memory that starts uninitialised: shared arrays, private arrays, allocations, variables
    /// without initialiser.
    pub uninitialised_memory: bool,
    /// A thread is told from others: by its index or its block's, by an atomic operation, or by an operation of its warp.
    pub tells_threads_apart: bool,
    /// The entry and every procedure it may call or launch.
    pub reachable: BTreeSet<ProcId>,
}

/// Collects the features of everything reachable from `entry`.
pub fn features(program: &Program, entry: ProcId) -> Features {
    let mut features = Features::default();
    let mut todo = vec![entry];
    while let Some(proc) = todo.pop() {
        if !features.reachable.insert(proc) {
            continue;
        }
        program
            .proc(proc)
            .body
            .walk(&mut |op| visit(op, &mut features, &mut todo));
    }
    for array in &program.arrays {
        let owned_elsewhere = array
            .owner
            .is_some_and(|o| !features.reachable.contains(&o));
        if owned_elsewhere {
            continue;
        }
        features.declared_arrays = true;
        features.uninitialised_memory |= array.space == Space::Shared
            || (matches!(array.space, Space::Private | Space::Host) && array.init.is_none());
    }
    features.uninitialised_memory |= features.allocates
        || features
            .reachable
            .iter()
            .any(|proc| reads_unassigned_variable(program, *proc));
    features
}

fn visit(op: &Arc<Op>, features: &mut Features, todo: &mut Vec<ProcId>) {
    match &op.kind {
        OpKind::Call { proc, .. } => todo.push(*proc),
        OpKind::Basic(Basic::CallGpu { kernel, .. }) => {
            features.launches = true;
            todo.push(*kernel);
        }
        OpKind::Basic(Basic::Alloc { .. }) => features.allocates = true,
        OpKind::Basic(Basic::Warp { .. }) => {
            features.barriers = true;
            features.tells_threads_apart = true;
        }
        OpKind::Basic(Basic::Atomic { .. }) => features.tells_threads_apart = true,
        OpKind::Basic(basic) if basic.effect() == Effect::Meets => features.barriers = true,
        OpKind::Basic(Basic::Assert { .. }) => features.asserts = true,
        OpKind::Par(..)
        | OpKind::Basic(
            Basic::Wait { .. }
            | Basic::Copy {
                stream: Some(_), ..
            },
        ) => features.host_concurrency = true,
        _ => {}
    }
    for expr in op.expressions() {
        expr.walk(&mut |e| {
            features.tells_threads_apart |= matches!(
                e.kind,
                ExprKind::Builtin(Builtin::ThreadIdx(_) | Builtin::BlockIdx(_))
            );
            features.asks_for_null |= match &e.kind {
                ExprKind::Cast(from) => from.ty.pointer().is_some() && e.ty.pointer().is_none(),
                ExprKind::Binary(_, a, b) => [a, b].iter().any(|of| is_null(of)),
                _ => false,
            };
            features.null_pointers |= e.ty.pointer().is_some()
                && match &e.kind {
                    ExprKind::Cast(from) => from.ty.scalar().is_some(),
                    ExprKind::Const(_) => !e.is_no_value(),
                    _ => false,
                };
            features.partial_arithmetic |= match &e.kind {
                ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                    !e.ty.scalar().is_some_and(|s| s.is_float()) && !is_safe_divisor(divisor)
                }
                ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, left, amount) => {
                    let width = left.ty.scalar().map_or(0, |s| s.bits());
                    !matches!(amount.kind, ExprKind::Const(v)
                        if v.as_integer().is_some_and(|a| (0..width as i128).contains(&a)))
                }
                ExprKind::Cast(from) => {
                    from.ty.scalar().is_some_and(|s| s.is_float())
                        && e.ty.scalar().is_some_and(|s| s.is_integer())
                }
                _ => false,
            };
        });
    }
}

/// Whether it is a pointer that leads nowhere.
fn is_null(expr: &Expr) -> bool {
    expr.ty.pointer().is_some()
        && match &expr.kind {
            ExprKind::Cast(from) => from.ty.scalar().is_some(),
            ExprKind::Const(_) => !expr.is_no_value(),
            _ => false,
        }
}

/// A constant divisor other than 0 and −1 can neither divide by zero nor overflow.
fn is_safe_divisor(divisor: &Expr) -> bool {
    matches!(divisor.kind, ExprKind::Const(v)
        if v.as_integer().is_some_and(|d| d != 0 && d != -1))
}

/// Whether a variable of the procedure may be read before it is assigned, by definite assignment.
fn reads_unassigned_variable(program: &Program, proc: ProcId) -> bool {
    let procedure = program.proc(proc);
    let assigned = Assigned::These(procedure.params.iter().copied().collect());
    let mut found = false;
    let after = assigned.through(program, &procedure.body, &mut |_, _| found = true);
    // What an entry gives is seen by its caller.
    let gives_nothing = |result| procedure.kind == ProcKind::Host && !after.contains(result);
    found || procedure.result.is_some_and(gives_nothing)
}

/// The properties judged of an entry when none are named, in the order of the report.
pub fn applicable(program: &Program, entry: ProcId, extents_given: bool) -> Vec<Property> {
    let features = features(program, entry);
    let is_kernel = program.proc(entry).kind == ProcKind::Kernel;
    let device = is_kernel || features.launches;
    let concurrent = device || features.host_concurrency;
    let judged = |property: &Property| match property {
        Property::Races | Property::Deadlock => concurrent,
        Property::Divergence => device,
        Property::Bounds => {
            features.declared_arrays
                || features.allocates
                || features.null_pointers
                || extents_given
        }
        Property::UninitialisedReads => features.uninitialised_memory,
        Property::Arithmetic => features.partial_arithmetic,
        Property::Assertions => features.asserts,
        Property::Host => !is_kernel && (concurrent || features.allocates),
        Property::Equivalence => false,
    };
    Property::DEFAULT.into_iter().filter(judged).collect()
}

/// Names of the entry's pointer parameters without an extent.
pub fn without_extent(
    program: &Program,
    entry: ProcId,
    has_extent: impl Fn(gridlock_semantics::algebra::ids::VarId) -> bool,
) -> Vec<&str> {
    let procedure = program.proc(entry);
    procedure
        .own_params()
        .filter(|v| matches!(procedure.vars[v.0 as usize].ty, Type::Pointer(_)) && !has_extent(*v))
        .map(|v| &*procedure.vars[v.0 as usize].name)
        .filter(|name| !is_of_texture(name) && !is_choice(name))
        .collect()
}

/// The arrays of global and constant memory that the file declares and the entry's code names, in order of
/// declaration: a host could have changed them before.
pub fn declared_arrays(program: &Program, entry: ProcId) -> Vec<ArrayId> {
    let mut used = BTreeSet::new();
    for proc in features(program, entry).reachable {
        program.proc(proc).body.walk(&mut |op| {
            for expr in op.expressions() {
                expr.walk(&mut |part| {
                    if let ExprKind::ArrayBase(array) = part.kind {
                        used.insert(array);
                    }
                });
            }
        });
    }
    let outside = |array: &&ArrayId| {
        let space = program.array(**array).space;
        matches!(space, Space::Global | Space::Constant)
    };
    used.iter().filter(outside).copied().collect()
}

/// Whether some operator of a program computes with floats.
pub(crate) fn has_floats(program: &Program) -> bool {
    program.operators().iter().any(|(_, op)| {
        let mut found = false;
        for expr in op.expressions() {
            expr.walk(&mut |e| found |= e.ty.scalar().is_some_and(ScalarType::is_float));
        }
        found
    })
}
