//! The effect of a rule on a thread and on memory.

use super::changed::Changed;
use super::residual::Residual;
use super::state::ThreadState;
use super::view::{Reading, Touched, View};
use crate::algebra::ids::VarId;
use crate::algebra::operator::{AtomicFn, OpId};
use crate::algebra::value::{Pointer, Value};
use crate::evaluation::atomic;
use crate::memory::Memory;
use crate::setup::context::Context;
use crate::transition::fault::FaultKind;
use crate::transition::{Advance, Rule};

/// What a step does to memory that other threads could reach.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Memory stays as it is.
    Nothing,
    /// A store to a cell.
    Write {
        /// The cell.
        to: Pointer,
        /// The value it gets.
        value: Value,
    },
    /// An atomic, which has not read the cell yet: others may come before it.
    Atomic {
        /// The cell.
        at: Pointer,
        /// What it does. Apart, for other steps to be small.
        atomic: Box<Atomic>,
    },
    /// Literal barriers: `inc(b)`.
    CountArrival,
    /// Literal barriers: `zero(b)`.
    ClearArrivals,
    /// A host operator on whole arrays.
    Replace(Box<Memory>),
    /// An assumption failed: the run does not count.
    Discard,
}

/// What an atomic does to a cell.
#[derive(Clone, Debug)]
pub struct Atomic {
    /// The function.
    pub function: AtomicFn,
    /// In the order that the function names.
    pub operands: Vec<Value>,
    /// Receives what the cell held before.
    pub result: Option<VarId>,
}

impl Atomic {
    /// What the cell holds after it, by what it held before.
    pub(crate) fn apply(&self, old: Value) -> Value {
        atomic::apply(self.function, old, &self.operands)
    }
}

/// A step of one thread.
#[derive(Clone, Debug)]
pub struct Step {
    /// The rule that fired.
    pub rule: Rule,
    /// The operator it was applied to.
    pub op: OpId,
    /// What it makes of the thread.
    pub thread: Changed,
    /// What was read and written, in that order; empty where nobody asks.
    pub touched: Vec<Touched>,
    /// Whether anything was read or written.
    pub accesses: bool,
    /// Its change of memory.
    pub effect: Effect,
}

impl Step {
    /// Its label, as a step that is made in place.
    pub fn advance(&self) -> Advance {
        Advance {
            rule: self.rule,
            op: self.op,
            accesses: self.accesses,
        }
    }
}

/// A step that ends the run.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The rule that was tried.
    pub rule: Rule,
    /// The operator it was applied to.
    pub op: OpId,
    /// What was read before the fault.
    pub touched: Vec<Touched>,
    /// What is wrong.
    pub kind: FaultKind,
}

/// The operator a rule is applied to, and the evaluation of its expressions.
pub(crate) struct Firing<'a> {
    pub reading: Reading<'a>,
    pub rule: Rule,
    pub op: OpId,
}

impl<'a> Firing<'a> {
    pub fn new(view: View<'a>, rule: Rule, op: OpId) -> Firing<'a> {
        Firing::of(Reading::new(view), rule, op)
    }

    pub fn of(reading: Reading<'a>, rule: Rule, op: OpId) -> Firing<'a> {
        Firing { reading, rule, op }
    }

    pub fn context(&self) -> &'a Context {
        self.reading.view.context
    }

    /// The thread's state, to be changed.
    pub fn thread(&self) -> ThreadState {
        self.reading.view.thread.clone()
    }

    /// The thread is `after` it.
    pub fn done(self, after: ThreadState, effect: Effect) -> Result<Step, Failure> {
        self.changed(Changed::Whole(Box::new(after)), effect)
    }

    /// The thread goes on with `rest` in the procedure that it is in.
    pub fn goes_on(self, rest: Residual) -> Result<Step, Failure> {
        let program = &self.reading.view.context.program;
        let changed = Changed::going_on(program, self.reading.view.thread, None, Some(rest));
        self.changed(changed, Effect::Nothing)
    }

    pub fn changed(self, thread: Changed, effect: Effect) -> Result<Step, Failure> {
        Ok(Step {
            rule: self.rule,
            op: self.op,
            thread,
            accesses: self.reading.accesses,
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
