//! Faults planted in programs: what is compiled is not what the reference runs.

use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::Program;
use std::sync::Arc;

/// The program with basic operators exchanged for others.
pub fn exchanged(program: &Program, change: &impl Fn(&Basic) -> Option<Basic>) -> Program {
    fn of(op: &Arc<Op>, change: &impl Fn(&Basic) -> Option<Basic>) -> Arc<Op> {
        let mut changed = (**op).clone();
        changed.kind = match &op.kind {
            OpKind::Basic(basic) => OpKind::Basic(change(basic).unwrap_or(basic.clone())),
            OpKind::Seq(ops) => OpKind::Seq(ops.iter().map(|op| of(op, change)).collect()),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => OpKind::If {
                cond: cond.clone(),
                then: of(then, change),
                otherwise: of(otherwise, change),
            },
            OpKind::While { cond, body } => OpKind::While {
                cond: cond.clone(),
                body: of(body, change),
            },
            other => other.clone(),
        };
        Arc::new(changed)
    }
    let mut changed = program.clone();
    for proc in &mut changed.procs {
        proc.body = of(&proc.body, change);
    }
    changed
}
