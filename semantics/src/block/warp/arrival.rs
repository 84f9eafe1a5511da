//! The contribution of a thread to the warp operation that it stands at: operation, mask, operands.

use super::exchange;
use crate::algebra::operator::{Basic, Op, OpId, OpKind, WarpFn};
use crate::algebra::value::Value;
use crate::evaluation::eval::{copied, eval};
use crate::thread::view::{Reading, Touched, View};
use crate::thread::{Head, ThreadState};
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;
use std::sync::Arc;

/// An operation for which the threads of a warp wait for one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `__syncwarp`
    Sync,
    /// At this occurrence.
    Exchange(WarpFn, OpId),
}

impl Operation {
    /// The one the thread stands at.
    pub fn at(thread: &ThreadState) -> Option<Operation> {
        let op = head(thread)?;
        match &op.kind {
            OpKind::Basic(Basic::SyncWarp { .. }) => Some(Operation::Sync),
            OpKind::Basic(Basic::Warp { function, .. }) => {
                Some(Operation::Exchange(*function, op.id))
            }
            _ => None,
        }
    }
}

fn head(thread: &ThreadState) -> Option<&Arc<Op>> {
    match thread.head() {
        Head::Op(op) => Some(op),
        _ => None,
    }
}

/// The contribution of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The operation that it stands at.
    pub operation: Operation,
    /// The lanes it waits for, its own among them; one bit each.
    pub mask: u32,
    /// The operands of an exchange.
    pub values: Vec<Value>,
    /// The accesses made to evaluate mask and operands.
    pub touched: Vec<Touched>,
}

impl Arrival {
    /// The contribution of a thread at a warp operation, or the fault of evaluating it, with the
    /// accesses made before. `None` for a thread elsewhere.
    pub fn evaluate(view: View<'_>) -> Option<Result<Arrival, (FaultKind, Vec<Touched>)>> {
        let operation = Operation::at(view.thread)?;
        let expressions = match &head(view.thread)?.kind {
            OpKind::Basic(basic) => basic.expressions(),
            _ => return None,
        };
        let mut reading = Reading::new(view);
        // The mask comes first, the operands after it.
        let mut values = Vec::with_capacity(expressions.len());
        let handed_on = match operation {
            Operation::Exchange(function, _) => function.handed_on(),
            Operation::Sync => None,
        };
        for (number, expression) in expressions.into_iter().enumerate() {
            let value = match handed_on == Some(number) {
                true => copied(expression, &mut reading),
                false => eval(expression, &mut reading),
            };
            match value {
                Ok(value) => values.push(value),
                Err(kind) => return Some(Err((kind, reading.touched))),
            }
        }
        let mask = values.first().and_then(|mask| mask.as_integer())? as u32;
        values.remove(0);
        Some(Ok(Arrival {
            operation,
            mask,
            values,
            touched: reading.touched,
        }))
    }

    /// Errors that do not depend on other lanes: a mask without the caller's lane, an impossible width.
    pub fn refusal(&self, size: u32, lane: u32) -> Option<FaultKind> {
        if !decided(Premise::MaskNamesCaller, self.mask >> lane & 1 != 0) {
            return Some(FaultKind::BadWarpMask {
                mask: self.mask,
                lane,
                missing: 0,
                other: None,
            });
        }
        match self.operation {
            Operation::Sync => None,
            Operation::Exchange(function, _) => exchange::check(function, size, &self.values).err(),
        }
    }

    /// The contribution of a thread at a warp operation, or the fault that it has whatever the other lanes do.
    pub fn of(view: View<'_>) -> Option<Result<Arrival, (FaultKind, Vec<Touched>)>> {
        let arrival = match Arrival::evaluate(view)? {
            Ok(arrival) => arrival,
            fault => return Some(fault),
        };
        let size = view.context.warp_size();
        let lane = view.device?.thread % size;
        Some(match arrival.refusal(size, lane) {
            None => Ok(arrival),
            Some(kind) => Err((kind, arrival.touched)),
        })
    }

    /// Whether two lanes that wait for one another meet: equal masks, the same exchange.
    pub fn meets(&self, other: &Arrival) -> bool {
        self.mask == other.mask && self.operation == other.operation
    }
}

/// The mask of a thread at a warp operation; `None` when it is elsewhere, or the operation is a
/// fault at once.
pub fn mask_of(view: View<'_>) -> Option<u32> {
    Some(Arrival::of(view)?.ok()?.mask)
}
