//! Remarks: true things worth saying that do not weaken a verdict.

use crate::subject::prepared::Prepared;
use gridlock_checker::canonical::LockstepRemark;
use gridlock_checker::report::remark::Remark;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;

/// Accesses ordered by nothing but the lockstep of a warp.
pub fn lockstep(prepared: &Prepared, remark: Option<&LockstepRemark>) -> Option<Remark> {
    let remark = remark?;
    Some(Remark::LockstepOrder {
        array: remark.array.to_string(),
        first_line: line(&prepared.atomic, remark.first.op),
        second_line: line(&prepared.atomic, remark.second.op),
    })
}

fn line(program: &Program, op: OpId) -> u32 {
    let found = program.operators().into_iter().find(|(_, o)| o.id == op);
    found.map_or(0, |(_, o)| o.span.line)
}
