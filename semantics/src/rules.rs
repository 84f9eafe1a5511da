//! The rules of one thread of control (paper 2, section 2.2), one file a rule. A step reads the
//! memory `b` as it is and says what it wants to change there; who fired with it decides what
//! comes of that (`merge`).

pub mod atomic;
pub mod basic;
pub mod branch;
pub mod exit;
pub mod iteration;
pub mod literal_barrier;
pub mod procedure;

use crate::context::Context;
use crate::fault::FaultKind;
use crate::grid_barrier::not_cooperative;
use crate::memory::Memory;
use crate::operator::{AtomicFn, Basic, OpId, OpKind};
use crate::program::VarId;
use crate::thread::{Head, ThreadState};
use crate::transition::Rule;
use crate::value::{Pointer, Value};
use crate::view::{Reading, Touched, View};

/// What a step does to memory that other threads could reach.
#[derive(Clone, Debug)]
pub enum Effect {
    Nothing,
    Write {
        to: Pointer,
        value: Value,
    },
    Atomic {
        at: Pointer,
        function: AtomicFn,
        operands: Vec<Value>,
        result: Option<VarId>,
    },
    /// Literal barriers: `inc(b)`.
    CountArrival,
    /// Literal barriers: `zero(b)`.
    ClearArrivals,
    /// A host operator on whole arrays.
    Replace(Memory),
    /// An assumption failed: the run does not count.
    Discard,
}

/// A step of one thread.
#[derive(Clone, Debug)]
pub struct Step {
    pub rule: Rule,
    pub op: OpId,
    pub thread: ThreadState,
    pub touched: Vec<Touched>,
    pub effect: Effect,
}

/// A step that ends the run.
#[derive(Clone, Debug)]
pub struct Failure {
    pub rule: Rule,
    pub op: OpId,
    pub touched: Vec<Touched>,
    pub kind: FaultKind,
}

/// The operator a rule is applied to, and the evaluation of its expressions.
pub(crate) struct Firing<'a> {
    pub view: View<'a>,
    pub reading: Reading<'a>,
    pub rule: Rule,
    pub op: OpId,
}

impl<'a> Firing<'a> {
    pub fn context(&self) -> &'a Context {
        self.view.context
    }

    /// The thread's state, to be changed.
    pub fn thread(&self) -> ThreadState {
        self.view.thread.clone()
    }

    pub fn done(self, thread: ThreadState, effect: Effect) -> Result<Step, Failure> {
        Ok(Step {
            rule: self.rule,
            op: self.op,
            thread,
            touched: self.reading.touched,
            effect,
        })
    }

    pub fn fail(self, kind: FaultKind) -> Failure {
        Failure {
            rule: self.rule,
            op: self.op,
            touched: self.reading.touched,
            kind,
        }
    }
}

/// The step of a thread whose head is enabled on its own: everything but collective barriers,
/// warp barriers and `call_gpu`. `None` when the thread has ended.
///
/// A thread at a warp operation steps alone only where the profile has no warps: a plain R1 at
/// `__syncwarp`, a fault elsewhere.
pub fn step(view: View<'_>) -> Option<Result<Step, Failure>> {
    let firing = |rule, op| Firing {
        view,
        reading: Reading {
            view,
            touched: Vec::new(),
        },
        rule,
        op,
    };
    let op = match view.thread.head() {
        Head::None => return None,
        Head::Return(call) => return Some(procedure::finish(firing(Rule::R5, call))),
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
            procedure::call(firing(Rule::R4, id), *proc, args, *result)
        }
        OpKind::Basic(Basic::Exit) => exit::fire(firing(Rule::R10, id)),
        OpKind::Basic(Basic::Barrier(..)) if view.thread.waiting => {
            literal_barrier::leave(firing(Rule::R7, id))
        }
        OpKind::Basic(Basic::Barrier(..)) => literal_barrier::arrive(firing(Rule::R6, id)),
        OpKind::Basic(Basic::GridBarrier) => {
            Err(firing(Rule::GridBarrier, id).fail(not_cooperative()))
        }
        OpKind::Basic(basic) => basic::fire(firing(Rule::R1, id), basic),
        // A residual never starts with a sequence or skip, and PAR is not well-formed.
        OpKind::Skip | OpKind::Seq(_) | OpKind::Par(..) => return None,
    })
}
