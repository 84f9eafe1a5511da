//! Level 1 of the tower: one thread of control (paper 2, section 2.2), of the CPU or of a device.
//!
//! Its configuration is `(b, R, F)`: the memory `b`, which others may share and which is therefore not part of
//! [`ThreadState`], the residual program `R` and the call stack `F`. Its transitions are R1 to R5 and R10, a file
//! each. A step reads the memory and describes the change that it makes there ([`Effect`]); the result also depends
//! on the threads that fire together with it. A thread has ended when the residual of its entry procedure is `ε`, or
//! by R10.

pub mod allocation;
pub mod basic;
pub mod branch;
pub mod call;
pub mod call_end;
mod changed;
pub mod copy;
pub mod exit;
pub mod iteration;
pub mod residual;
mod state;
mod step;
pub mod view;

pub use changed::Changed;
pub use state::{BarrierPosition, Frame, Head, Iterations, Status, ThreadState};
pub use state::{is_at_grid_barrier, named_barrier_at_head};
pub(crate) use step::Firing;
pub use step::{Effect, Failure, Step};

use crate::algebra::operator::{Basic, OpKind};
use crate::transition::Rule;
use crate::transition::fault::not_cooperative;
use view::{Reading, View};

/// The step of a thread whose head is enabled without other threads: everything except barriers of the block,
/// operations of warps and `call_gpu`. `None` when the thread has ended.
///
/// A thread at a warp operation steps alone only where the profile has no warps: a plain R1 at
/// `__syncwarp`, a fault elsewhere.
pub fn step(view: View<'_>) -> Option<Result<Step, Failure>> {
    step_of(Reading::new(view))
}

/// As [`step`], of which nobody asks what it touches.
#[inline]
pub(crate) fn step_in_place(view: View<'_>) -> Option<Result<Step, Failure>> {
    step_of(Reading::unlisted(view))
}

// Steps are large, and made by the million: inlined, they are not copied from one function to the next.
#[inline(always)]
fn step_of(reading: Reading<'_>) -> Option<Result<Step, Failure>> {
    let thread = reading.view.thread;
    let firing = |rule, op| Firing::of(reading, rule, op);
    let op = match thread.head() {
        Head::None => return None,
        Head::Return(call) => return Some(call_end::fire(firing(Rule::R5, call))),
        Head::Op(op) => op,
    };
    let id = op.id;
    Some(match &op.kind {
        OpKind::If {
            cond,
            then,
            otherwise,
        } => branch::fire(firing(Rule::R2, id), cond, then, otherwise),
        OpKind::While { cond, body } => iteration::fire(firing(Rule::R3, id), cond, body),
        OpKind::Call { proc, args, result } => {
            call::fire(firing(Rule::R4, id), *proc, args, *result)
        }
        OpKind::Basic(Basic::Exit) => exit::fire(firing(Rule::R10, id)),
        OpKind::Basic(Basic::GridBarrier) => {
            Err(firing(Rule::GridBarrier, id).fail(not_cooperative()))
        }
        OpKind::Basic(basic) => basic::fire(firing(Rule::R1, id), basic),
        // A residual never starts with a sequence or skip; PAR is the host's, which asks elsewhere.
        OpKind::Skip | OpKind::Seq(_) | OpKind::Par(..) => return None,
    })
}
