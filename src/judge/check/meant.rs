//! Which launches the source speaks of: a defect at one of these is no matter of the tool's choice.

use crate::subject::{self, EntryPoint};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::host_launch::Caller;
use gridlock_semantics::algebra::expr::{Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::Launch;
use std::collections::BTreeMap;

/// Whether a defect shows at a launch of the program that the file is, for numbers that may all come.
pub(super) fn is_of_program(defect: &Defect, point: &EntryPoint) -> bool {
    match &defect.grade.caller {
        Some(Caller::HostCode { site, .. }) => subject::is_of_program(point, site),
        _ => false,
    }
}

/// Whether the source says which launches a kernel is meant for, by an assumption: one of them with a defect refutes it.
pub(super) fn says_which_launches(program: &Program, kernel: ProcId) -> bool {
    let mut found = false;
    program.proc(kernel).body.walk(&mut |op| {
        if let OpKind::Basic(Basic::Assume { cond }) = &op.kind {
            found |= is_about_launch(cond);
        }
    });
    found
}

/// Whether conditions on the launch leave out all blocks of as many threads as launch bounds allow, for which the kernel is
/// meant.
pub(super) fn leave_out_full_blocks(
    program: &Program,
    point: &EntryPoint,
    conditions: &[&Expr],
) -> bool {
    let Some(most) = program.proc(point.proc).most_threads else {
        return false;
    };
    let is_flat = !point.asked.block[1];
    let scalars = BTreeMap::new();
    let admit = |x: u32| {
        let launch = Launch {
            grid: [1, 1, 1],
            block: [x, most / x, 1],
            shared_bytes: 0,
        };
        let mut conditions = conditions.iter();
        conditions.all(|asked| subject::holds_at(asked, &launch, &scalars))
    };
    let mut widths = (1..=most).filter(|x| most % x == 0 && (*x == most || !is_flat));
    !widths.any(admit)
}

pub(super) fn is_about_launch(cond: &Expr) -> bool {
    let mut found = false;
    cond.walk(&mut |e| {
        found |= matches!(
            e.kind,
            ExprKind::Builtin(Builtin::BlockDim(_) | Builtin::GridDim(_))
        );
    });
    found
}

pub(super) fn is_about_arguments(cond: &Expr) -> bool {
    let mut found = false;
    cond.walk(&mut |e| found |= matches!(e.kind, ExprKind::Var(_)));
    found
}
