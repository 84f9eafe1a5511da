//! Remarks: true things worth saying that do not weaken a verdict.

use crate::subject::prepared::Prepared;
use gridlock_checker::canonical::LockstepRemark;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::program::Program;

/// Accesses ordered by nothing but the lockstep of a warp.
pub fn lockstep(prepared: &Prepared, remark: Option<&LockstepRemark>) -> Option<String> {
    let remark = remark?;
    let first = line(&prepared.atomic, remark.first.op);
    let second = line(&prepared.atomic, remark.second.op);
    Some(format!(
        "lanes of a warp communicate through `{}` (lines {first} and {second}) in the order of \
         their instructions alone: right only if the compiler keeps these accesses and their \
         order, so declare it `volatile`",
        remark.array
    ))
}

fn line(program: &Program, op: OpId) -> u32 {
    let found = program.operators().into_iter().find(|(_, o)| o.id == op);
    found.map_or(0, |(_, o)| o.span.line)
}
