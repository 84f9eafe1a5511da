//! Which launches the source speaks of: a defect at one of these is no matter of the tool's choice.

use crate::subject::{self, EntryPoint};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::host_launch::Caller;
use gridlock_semantics::algebra::expr::{Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;

/// Whether a defect shows at a launch of the program that the file is, for numbers that may all come.
pub(super) fn is_of_program(defect: &Defect, point: &EntryPoint) -> bool {
    match &defect.grade.caller {
        Some(Caller::HostCode { site, .. }) => subject::is_of_program(point, site),
        _ => false,
    }
}

/// Whether the source says which launches a kernel is meant for, by launch bounds or an assumption: one of them with a
/// defect refutes it.
pub(super) fn says_which_launches(program: &Program, kernel: ProcId) -> bool {
    let procedure = program.proc(kernel);
    let mut found = procedure.most_threads.is_some();
    procedure.body.walk(&mut |op| {
        if let OpKind::Basic(Basic::Assume { cond }) = &op.kind {
            found |= is_about_launch(cond);
        }
    });
    found
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
