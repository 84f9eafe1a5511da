//! Who calls whom: no recursion, directly or through others.

use super::refusal::IllFormed;
use crate::algebra::ids::ProcId;
use crate::algebra::operator::OpKind;
use crate::algebra::program::Program;

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

pub(super) fn check_recursion(program: &Program, reasons: &mut Vec<IllFormed>) {
    let mut marks = vec![Mark::New; program.procs.len()];
    for index in 0..program.procs.len() {
        visit(program, ProcId(index as u32), &mut marks, reasons);
    }
}

fn visit(program: &Program, proc: ProcId, marks: &mut [Mark], reasons: &mut Vec<IllFormed>) {
    match marks[proc.0 as usize] {
        Mark::Done => return,
        Mark::Open => {
            let proc = program.proc(proc);
            reasons.push(IllFormed {
                span: proc.span,
                message: format!("`{}` is recursive", proc.name),
            });
            return;
        }
        Mark::New => marks[proc.0 as usize] = Mark::Open,
    }
    let mut callees = Vec::new();
    program.proc(proc).body.walk(&mut |op| {
        if let OpKind::Call { proc, .. } = &op.kind {
            callees.push(*proc);
        }
    });
    for callee in callees {
        visit(program, callee, marks, reasons);
    }
    marks[proc.0 as usize] = Mark::Done;
}
