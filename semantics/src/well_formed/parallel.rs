//! `PAR`: its branches share memory, never variables.

use super::refusal::{IllFormed, Place, Refusal, because};
use crate::algebra::declaration::Space;
use crate::algebra::expr::ExprKind;
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::operator::{Op, OpKind};
use crate::algebra::program::{ProcKind, Program};
use crate::analysis::assigned::assigned;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Branches of branches of …, through calls. More have no numbers (`Actor::HostThread`).
const DEEPEST: u32 = 16;

pub(super) fn check(
    op: &Arc<Op>,
    a: &Arc<Op>,
    b: &Arc<Op>,
    place: &Place<'_>,
) -> Result<(), Refusal> {
    if place.proc.kind != ProcKind::Host {
        return because("parallel operators outside host code");
    }
    for (one, other) in [(a, b), (b, a)] {
        let touched = &assigned(other) | &read(other);
        if let Some(var) = assigned(one).intersection(&touched).next() {
            let name = place
                .proc
                .vars
                .get(var.0 as usize)
                .map_or("", |decl| &decl.name);
            return because(format!(
                "`{name}` is assigned in one branch and used in the other"
            ));
        }
    }
    let on_host = |owner: ProcId| {
        let owner = place.program.procs.get(owner.0 as usize);
        owner.is_some_and(|owner| owner.kind == ProcKind::Host)
    };
    let mut arrays = place.program.arrays.iter();
    match arrays.find(|array| array.space == Space::Private && array.owner.is_some_and(on_host)) {
        Some(array) => because(format!(
            "`{}` is the private array of one host thread, and operator {} runs two",
            array.name, op.id.0
        )),
        None => Ok(()),
    }
}

/// Variables of the enclosing procedure that an operator reads.
fn read(op: &Arc<Op>) -> BTreeSet<VarId> {
    let mut vars = BTreeSet::new();
    op.walk(&mut |inner| {
        for expr in inner.expressions() {
            expr.walk(&mut |e| {
                if let ExprKind::Var(var) = e.kind {
                    vars.insert(var);
                }
            });
        }
    });
    vars
}

/// Refuses `PAR` nested too deep. There is no recursion.
pub(super) fn check_nesting(program: &Program, reasons: &mut Vec<IllFormed>) {
    let mut depths = HashMap::new();
    for index in 0..program.procs.len() {
        let id = ProcId(index as u32);
        if of_proc(program, id, &mut depths) > DEEPEST {
            reasons.push(IllFormed {
                span: program.proc(id).span,
                message: format!("more than {DEEPEST} parallel operators inside each other"),
            });
        }
    }
}

fn of_proc(program: &Program, proc: ProcId, depths: &mut HashMap<ProcId, u32>) -> u32 {
    if let Some(&known) = depths.get(&proc) {
        return known;
    }
    let depth = of_operator(program, &program.proc(proc).body, depths);
    depths.insert(proc, depth);
    depth
}

fn of_operator(program: &Program, op: &Arc<Op>, depths: &mut HashMap<ProcId, u32>) -> u32 {
    let own = match &op.kind {
        OpKind::Call { proc, .. } => of_proc(program, *proc, depths),
        _ => 0,
    };
    let inside = op.children().into_iter();
    let deepest = inside
        .map(|child| of_operator(program, child, depths))
        .fold(own, u32::max);
    deepest.saturating_add(matches!(op.kind, OpKind::Par(..)) as u32)
}
