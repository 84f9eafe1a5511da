//! One thread of control (level 1): the state `(b, R, F)` without the memory `b`, which others share.

use super::residual::Residual;
use crate::algebra::expr::{Expr, ExprKind};
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::operator::{Basic, Met, Op, OpId, OpKind};
use crate::algebra::program::Program;
use crate::algebra::value::Value;
use crate::memory::Instances;
use std::sync::Arc;

/// An entry of the call stack `F`: a procedure, its private variables and its residual.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The procedure that runs.
    pub proc: ProcId,
    /// The call that made it; `None` for the entry procedure.
    pub call_site: Option<OpId>,
    /// The caller's variable that receives the result.
    pub result_to: Option<VarId>,
    /// By variable; parameters first, and `Undef` without a value.
    pub vars: Vec<Value>,
    /// The rest of its body.
    pub rest: Residual,
    /// Iterations begun, since the thread's last barrier, of the enclosing loops that contain a
    /// barrier; loops with none are absent.
    pub iterations: Iterations,
}

/// Whether a thread still runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It has a next operator, at which it may wait.
    Running,
    /// `ε`: it reached the end of its body.
    Ended,
    /// It ran an explicit `return` (R10).
    Returned,
}

/// A thread without the memory that others share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreadState {
    /// Whether it still runs.
    pub status: Status,
    /// From the entry procedure inwards; empty when the thread has ended.
    pub frames: Vec<Frame>,
    /// Its head is `waiting Barrier` (rule R6 has fired), or a named barrier it has arrived at.
    pub waiting: bool,
    /// Its private arrays, one instance each.
    pub arrays: Instances,
    /// The entry procedure's result, when it has ended and gave one.
    pub result: Option<Value>,
    /// A branch of `PAR`: its variables outlive it, for the join.
    pub is_branch: bool,
    /// On the host, the current device (`cudaSetDevice`); on a device, that one.
    pub device: u32,
}

/// The next step of a thread.
#[derive(Clone, Copy, Debug)]
pub enum Head<'a> {
    /// Its next operator.
    Op(&'a Arc<Op>),
    /// `ε` inside a call: rule R5 is next. The call's operator.
    Return(OpId),
    /// Nothing: the thread has ended.
    None,
}

/// Where a thread stands at a barrier: equal values mean *the same barrier* (profile axis
/// divergence).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierPosition {
    /// The barrier.
    pub op: OpId,
    /// For each frame, outermost first: the call that made it and its iterations.
    pub stack: Vec<(Option<OpId>, Iterations)>,
    /// The values that the thread passes to the barrier ([`Basic::Barrier`]).
    pub values: Vec<Value>,
}

/// Iterations of loops, ascending by the loop's operator.
pub type Iterations = Vec<(OpId, u32)>;

impl ThreadState {
    /// `(Y(P), P)` with the given values of the first variables.
    pub fn initial(program: &Program, entry: ProcId, args: &[Value]) -> ThreadState {
        let mut thread = ThreadState {
            status: Status::Running,
            frames: vec![Frame::new(program, entry, args)],
            waiting: false,
            arrays: Instances::new(),
            result: None,
            is_branch: false,
            device: 0,
        };
        thread.settle(program);
        thread
    }

    /// What it would run next.
    pub fn head(&self) -> Head<'_> {
        match self.frames.last() {
            None => Head::None,
            Some(frame) => match (frame.rest.head(), frame.call_site) {
                (Some(op), _) => Head::Op(op),
                (None, Some(call)) => Head::Return(call),
                (None, None) => Head::None,
            },
        }
    }

    /// Whether it has not ended, waiting or not.
    pub fn is_running(&self) -> bool {
        self.status == Status::Running
    }

    /// Whether the head is a barrier of its block.
    pub fn is_at_barrier(&self) -> bool {
        match self.head() {
            Head::Op(op) => matches!(op.kind, OpKind::Basic(Basic::Barrier { .. })),
            _ => false,
        }
    }

    /// Whether it waits at a named barrier or, in a cooperative launch, at the barrier of the grid.
    pub fn waits_at_other_barrier(&self, cooperative: bool) -> bool {
        let at_named = self.waiting && named_barrier_at_head(self).is_some();
        at_named || cooperative && is_at_grid_barrier(self)
    }

    /// The operator it stands at: its head, or the call it is about to return from.
    pub fn position(&self) -> Option<OpId> {
        match self.head() {
            Head::Op(op) => Some(op.id),
            Head::Return(call) => Some(call),
            Head::None => None,
        }
    }

    /// Where it stands at the barrier `op`.
    pub fn barrier_position(&self, op: OpId) -> BarrierPosition {
        let frames = self.frames.iter();
        BarrierPosition {
            op,
            stack: frames
                .map(|f| (f.call_site, f.iterations.clone()))
                .collect(),
            values: self.brought(),
        }
    }

    /// Where all that meet it at the barrier `op` have to stand; `None` where that does not matter.
    pub fn demanded_position(&self, op: OpId) -> Option<BarrierPosition> {
        (!self.meets_anywhere()).then(|| self.barrier_position(op))
    }

    /// Whether it stands at a barrier that is met anywhere ([`Met::Anywhere`]).
    pub fn meets_anywhere(&self) -> bool {
        let Head::Op(op) = self.head() else {
            return false;
        };
        let met = Met::Anywhere;
        matches!(&op.kind, OpKind::Basic(Basic::Barrier { met: own, .. }) if *own == met)
    }

    /// The values brought to the barrier it stands at.
    fn brought(&self) -> Vec<Value> {
        let (Head::Op(op), Some(frame)) = (self.head(), self.frames.last()) else {
            return Vec::new();
        };
        let OpKind::Basic(Basic::Barrier { agreed, .. }) = &op.kind else {
            return Vec::new();
        };
        let variable = |expr: &Expr| match expr.kind {
            ExprKind::Var(var) => frame.vars.get(var.0 as usize).copied(),
            _ => None,
        };
        agreed.iter().filter_map(variable).collect()
    }

    /// Leaves a barrier: iterations are counted from 0 again.
    pub fn leave_barrier(&mut self, program: &Program) {
        self.waiting = false;
        for frame in &mut self.frames {
            frame.iterations.clear();
        }
        self.advance(program);
    }

    /// Removes the head.
    pub fn advance(&mut self, program: &Program) {
        if let Some(frame) = self.frames.last_mut() {
            frame.rest = frame.rest.tail();
        }
        self.settle(program);
    }

    /// The thread has ended once the residual of its entry procedure is `ε`.
    pub fn settle(&mut self, program: &Program) {
        if let [entry] = self.frames.as_slice()
            && entry.rest.is_empty()
        {
            self.result = program
                .proc(entry.proc)
                .result
                .and_then(|var| entry.vars.get(var.0 as usize).copied());
            self.end(Status::Ended);
        }
    }

    /// Ends it: its private arrays are gone, and so are its frames unless it is a branch of `PAR`.
    pub fn end(&mut self, status: Status) {
        self.status = status;
        if !self.is_branch {
            self.frames.clear();
        }
        // A new map takes kilobytes; that of a thread without arrays is shared by all of them.
        if !self.arrays.is_empty() {
            self.arrays = Instances::new();
        }
    }

    /// Assigns a variable of the innermost frame.
    pub fn assign(&mut self, var: VarId, value: Value) {
        let slot = self
            .frames
            .last_mut()
            .and_then(|f| f.vars.get_mut(var.0 as usize));
        if let Some(slot) = slot {
            *slot = value;
        }
    }
}

impl Frame {
    /// A frame at the start of a procedure, with the values of its first variables.
    pub fn new(program: &Program, proc: ProcId, args: &[Value]) -> Frame {
        let declared = program.proc(proc);
        let mut vars = vec![Value::Undef; declared.vars.len()];
        for (slot, value) in vars.iter_mut().zip(args) {
            *slot = *value;
        }
        Frame {
            proc,
            call_site: None,
            result_to: None,
            vars,
            rest: Residual::EMPTY.prepend(&declared.body),
            iterations: Vec::new(),
        }
    }

    /// One more iteration of a loop that contains a barrier.
    pub fn count_iteration(&mut self, while_op: OpId) {
        match self.iterations.iter_mut().find(|(op, _)| *op == while_op) {
            Some((_, n)) => *n += 1,
            None => {
                self.iterations.push((while_op, 1));
                self.iterations.sort_unstable();
            }
        }
    }

    /// The iterations of a loop it has left no longer count.
    pub fn leave_loop(&mut self, while_op: OpId) {
        self.iterations.retain(|(op, _)| *op != while_op);
    }
}

/// Identity, number of threads, and whether it only arrives, of the named barrier at the head.
pub fn named_barrier_at_head(thread: &ThreadState) -> Option<(&Expr, Option<&Expr>, bool)> {
    match thread.head() {
        Head::Op(op) => match &op.kind {
            OpKind::Basic(Basic::NamedBarrier {
                id,
                threads,
                arrive_only,
            }) => Some((id, threads.as_ref(), *arrive_only)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the head is a barrier of the grid.
pub fn is_at_grid_barrier(thread: &ThreadState) -> bool {
    match thread.head() {
        Head::Op(op) => matches!(op.kind, OpKind::Basic(Basic::GridBarrier)),
        _ => false,
    }
}
