//! Variables whose value is used. The others are not declared: compilers warn of them.

use crate::print::range::assigned;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::{Procedure, Program};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Variables that some effect of the procedure depends on.
pub(crate) fn needed_vars(proc: &Procedure) -> BTreeSet<VarId> {
    let mut needed: BTreeSet<VarId> = proc.result.into_iter().collect();
    loop {
        let before = needed.len();
        proc.body.walk(&mut |op| {
            if matters(op, &needed) {
                for expr in op.expressions() {
                    expr.walk(&mut |e| {
                        if let ExprKind::Var(var) = e.kind {
                            needed.insert(var);
                        }
                    });
                }
            }
        });
        if needed.len() == before {
            return needed;
        }
    }
}

/// Whether an operator must be printed: it does more than set variables that are never read.
pub(crate) fn matters(op: &Op, needed: &BTreeSet<VarId>) -> bool {
    match &op.kind {
        // The declaration says it.
        OpKind::Basic(Basic::Assign { value, .. }) if value.is_no_value() => false,
        // Every cell is memory of its own in what is printed.
        OpKind::Basic(basic) if basic.writes_back() => false,
        OpKind::Basic(Basic::Assign { var, .. } | Basic::Load { var, .. }) => needed.contains(var),
        _ => true,
    }
}

/// Calls `visit` with every array an operator, or one inside, mentions.
pub(crate) fn arrays_of(op: &Arc<Op>, needed: &BTreeSet<VarId>) -> BTreeSet<ArrayId> {
    let mut found = BTreeSet::new();
    op.walk(&mut |op| {
        if !matters(op, needed) {
            return;
        }
        for expr in op.expressions() {
            expr.walk(&mut |e: &Expr| {
                if let ExprKind::ArrayBase(array) = e.kind {
                    found.insert(array);
                }
            });
        }
    });
    found
}

/// Device procedures called from a procedure, directly.
pub(crate) fn callees(program: &Program, proc: ProcId) -> BTreeSet<ProcId> {
    let mut found = BTreeSet::new();
    program.proc(proc).body.walk(&mut |op| {
        if let OpKind::Call { proc, .. } = op.kind {
            found.insert(proc);
        }
    });
    found
}

/// Variables an operator itself reads.
pub(crate) fn read_vars(op: &Op) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    for expr in op.expressions() {
        expr.walk(&mut |e| {
            if let ExprKind::Var(var) = e.kind {
                found.insert(var);
            }
        });
    }
    found
}

/// Variables an operator, or one inside, reads or sets.
pub(crate) fn mentioned(op: &Arc<Op>, needed: &BTreeSet<VarId>) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    op.walk(&mut |op| {
        if matters(op, needed) {
            found.extend(read_vars(op));
            found.extend(assigned(op).filter(|var| needed.contains(var)));
        }
    });
    found
}
