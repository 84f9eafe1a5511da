//! Which variables of the file a run may write.

use crate::algebra::declaration::Space;
use crate::algebra::expr::{Expr, ExprKind};
use crate::algebra::ids::{ArrayId, ProcId};
use crate::algebra::operator::{Basic, OpKind};
use crate::algebra::program::Program;
use crate::analysis::reached::reached;
use std::collections::BTreeSet;

/// The arrays at file scope, in the memory of the devices or of the host, that a run of `entry` may write: those that its
/// code names otherwise than to read a cell.
pub fn may_write(program: &Program, entry: ProcId) -> BTreeSet<ArrayId> {
    let mut found = BTreeSet::new();
    for proc in reached(program, entry) {
        program.proc(proc).body.walk(&mut |op| {
            if let OpKind::Basic(Basic::Load { pointer, .. }) = &op.kind {
                read(pointer, &mut found);
                return;
            }
            for expr in op.expressions() {
                named(expr, &mut found);
            }
        });
    }
    found.retain(|id| {
        let decl = program.array(*id);
        decl.owner.is_none() && !matches!(decl.space, Space::Shared | Space::Private)
    });
    found
}

/// Adds the arrays that an expression names, but for those whose cells it reads.
fn named(expr: &Expr, found: &mut BTreeSet<ArrayId>) {
    match &expr.kind {
        ExprKind::ArrayBase(id) => {
            found.insert(*id);
        }
        ExprKind::Load(pointer) => read(pointer, found),
        _ => expr.operands().into_iter().for_each(|e| named(e, found)),
    }
}

/// The same of a pointer whose cell is read.
fn read(pointer: &Expr, found: &mut BTreeSet<ArrayId>) {
    match &pointer.kind {
        ExprKind::ArrayBase(_) => {}
        ExprKind::Offset(pointer, elements) => {
            read(pointer, found);
            named(elements, found);
        }
        _ => named(pointer, found),
    }
}
