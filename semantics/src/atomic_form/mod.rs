//! The translation into atomic form: every basic operator touches non-private memory at most
//! once. Loads leave the expressions and become operators of their own, left to right; what is
//! evaluated before a load and may fail is computed into a temporary first, so that one thread
//! meets the same faults in the same order. With several threads the atomic form has at least the
//! outcomes of the surface form: others may step in between.
//!
//! Short-circuit operators and `?:` whose conditional part loads become branches. The loads of a
//! loop's condition stand before the loop and again at the end of its body.

mod expression;
mod may_fault;
mod operator;
mod translation;

pub use may_fault::may_fault;

use crate::algebra::ids::ProcId;
use crate::algebra::operator::OpId;
use crate::algebra::program::{Form, Procedure, Program};
use crate::algebra::span::Span;
use crate::analysis::definite_assignment::Assigned;
use translation::Translation;

/// The atomic form of a program; the program itself when it has that form already. Operators get
/// fresh ids, and provenance [`AtomicForm`](crate::algebra::operator::Provenance::AtomicForm) naming the surface operator; procedures,
/// arrays and existing variables keep their ids, temporaries are added behind.
pub fn atomic_form(program: &Program) -> Program {
    if program.form == Form::Atomic {
        return program.clone();
    }
    let mut result = program.clone();
    result.form = Form::Atomic;
    for index in 0..program.procs.len() {
        let proc = program.proc(ProcId(index as u32));
        let mut translation = Translation {
            program,
            vars: proc.vars.clone(),
            assigned: Assigned::These(proc.params.iter().copied().collect()),
            from: OpId(0),
            span: Span::NONE,
        };
        let body = translation.operator(&proc.body);
        result.procs[index] = Procedure {
            vars: translation.vars,
            body,
            ..proc.clone()
        };
    }
    result.number_operators();
    result
}
