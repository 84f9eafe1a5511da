//! What has no defined value, in words: the operation and its operands, and where a variable without
//! a value got none from.

use crate::replay::explain::view_of;
use crate::replay::words::Words;
use crate::system::ExploredProgram;
use crate::system::follow::{Followed, Run};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpId, OpKind, WarpFn};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::block::warp::arrival::Arrival;
use gridlock_semantics::block::warp::{Operation, exchange};
use gridlock_semantics::evaluation::eval::eval;
use gridlock_semantics::host::State;
use gridlock_semantics::thread::view::Reading;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::Actor;
use gridlock_semantics::transition::fault::Fault;

/// Copies gone back through to where a value came from.
const MOST_COPIES: usize = 8;

/// The operation of an expression whose evaluation was a fault, with the values it had: `1 << 33`,
/// and what is wrong with it. `None` where it cannot be told.
pub fn operation(system: &ExploredProgram, run: &Run<'_>, fault: &Fault) -> Option<String> {
    let state = before_the_end(run);
    let words = Words::of(system);
    let op = words.op(fault.op)?;
    let mut reading = Reading::new(view_of(system, state, fault.actor)?);
    let failing = op
        .expressions()
        .into_iter()
        .find_map(|expr| failing(expr, &mut reading))?;
    tell(&failing, &mut reading)
}

/// The state before the last transition of a run: a fault.
fn before_the_end<'r>(run: &'r Run<'_>) -> &'r State {
    let last = run.followed.last().and_then(Followed::before);
    last.unwrap_or(&run.state)
}

/// The innermost part of an expression whose operands have values and that has none.
fn failing(expr: &Expr, reading: &mut Reading<'_>) -> Option<Expr> {
    if eval(expr, reading).is_ok() {
        return None;
    }
    match &expr.kind {
        ExprKind::Binary(op, a, b) if op.is_logical() => {
            failing(a, reading).or_else(|| failing(b, reading))
        }
        ExprKind::Select(cond, then, otherwise) => {
            failing(cond, reading).or_else(|| match eval(cond, reading) {
                Ok(Value::Bool(true)) => failing(then, reading),
                _ => failing(otherwise, reading),
            })
        }
        _ => {
            let inner = expr.operands().into_iter();
            let mut inner = inner.map(|operand| failing(operand, reading));
            inner.find_map(|found| found).or_else(|| Some(expr.clone()))
        }
    }
}

fn tell(expr: &Expr, reading: &mut Reading<'_>) -> Option<String> {
    match &expr.kind {
        ExprKind::Binary(op, a, b) => {
            let (left, right) = (eval(a, reading).ok()?, eval(b, reading).ok()?);
            let ty = left.scalar_type();
            let shown = format!("`{left} {} {right}`", op.c_symbol());
            Some(match (op, ty) {
                (BinaryOp::Shl | BinaryOp::Shr, Some(ty)) => {
                    format!("{shown}, a shift by {right} of a {}-bit value", ty.bits())
                }
                (BinaryOp::Div | BinaryOp::Rem, Some(ty)) if right.as_integer() == Some(-1) => {
                    let (least, most) = ty.range();
                    format!("{shown}, whose quotient is not in {least} to {most}")
                }
                (BinaryOp::Div | BinaryOp::Rem, Some(_)) => shown,
                (BinaryOp::PtrDiff, None) => {
                    "the difference of pointers into different arrays".to_owned()
                }
                (_, None) => "a comparison of pointers into different arrays".to_owned(),
                _ => shown,
            })
        }
        ExprKind::Cast(inner) => {
            let value = eval(inner, reading).ok()?;
            let to = expr.ty.scalar()?;
            let (least, most) = to.range();
            Some(format!(
                "the conversion of {value} to {}, which has {least} to {most}",
                to.usual_name()
            ))
        }
        _ => None,
    }
}

/// What an operator does with a variable that has no value: `addresses memory by`.
pub fn use_of(op: &Op, var: VarId) -> &'static str {
    let reads = |expr: &Expr| gridlock_semantics::analysis::loops::reads(expr, var);
    match &op.kind {
        OpKind::If { .. } | OpKind::While { .. } => "branches on",
        OpKind::Call { .. } => "passes to a function",
        OpKind::Basic(basic) => match basic {
            Basic::Store { pointer, .. }
            | Basic::Load { pointer, .. }
            | Basic::Atomic { pointer, .. }
                if reads(pointer) =>
            {
                "addresses memory by"
            }
            Basic::Store { .. } => "stores",
            Basic::Atomic { .. } => "gives an atomic",
            Basic::Assign { .. } => "computes with",
            Basic::Warp { mask, .. } if reads(mask) => "names lanes by",
            Basic::SyncWarp { .. } => "names lanes by",
            Basic::Warp {
                function: WarpFn::Shuffle(_),
                ..
            } => "shuffles by",
            Basic::Warp { .. } => "gives the warp",
            Basic::Assert { .. } => "asserts about",
            _ => "uses",
        },
        _ => "uses",
    }
}

/// Where a variable that an actor uses in the last transition of a run got no value from, in a few words
/// behind a comma; empty where it simply was never assigned.
pub fn origin(
    system: &ExploredProgram,
    run: &Run<'_>,
    actor: Actor,
    at: OpId,
    var: VarId,
) -> String {
    let words = Words::of(system);
    let Some(proc) = words.proc(at) else {
        return String::new();
    };
    let (mut var, mut told) = (var, String::new());
    let mut until = run.followed.len().saturating_sub(1);
    for _ in 0..MOST_COPIES {
        let gives = |step: &Followed| {
            let is_own = step.label.actors.contains(&actor);
            let op = step.label.op.filter(|_| is_own)?;
            let OpKind::Basic(basic) = &words.op(op)?.kind else {
                return None;
            };
            let assigns = words.proc(op) == Some(proc) && basic.assigned() == Some(var);
            assigns.then_some(op)
        };
        let earlier = run.followed[..until].iter().enumerate().rev();
        let Some((index, op)) = earlier.into_iter().find_map(|(i, s)| Some((i, gives(s)?))) else {
            return told;
        };
        match words.op(op).map(|op| &op.kind) {
            Some(OpKind::Basic(Basic::Assign { value, .. })) => {
                let Some(source) = value.copied_var() else {
                    return told;
                };
                if let Some(name) = words.variable(op, i64::from(source.0)) {
                    told += &format!(", copied from `{name}` at {}", words.place(op));
                }
                (var, until) = (source, index);
            }
            Some(OpKind::Basic(Basic::Warp { .. })) => {
                let lane = lane_read(system, &run.followed[index], actor);
                let who = match lane {
                    Some((lane, true)) => format!("lane {lane}, which has no value to give"),
                    Some((lane, false)) => format!("lane {lane}, which takes no part in it"),
                    None => "a lane that takes no part in it or has no value to give".to_owned(),
                };
                told += &format!(
                    ", from the shuffle at {}, which reads {who}",
                    words.place(op)
                );
                return told;
            }
            _ => return told,
        }
    }
    told
}

/// Why a cell of the launch that an actor reads in the last transition of a run has no value, behind `which`:
/// what was stored there had none. `None` where no such thing was stored.
pub fn stored(
    words: &Words<'_>,
    run: &Run<'_>,
    actor: Actor,
    (array, index): (&str, i64),
) -> Option<String> {
    let earlier = run.followed.split_last()?.1;
    let found = earlier.iter().rev().find_map(|step| {
        let op = step.label.op?;
        let OpKind::Basic(Basic::Store { pointer, value }) = &words.op(op)?.kind else {
            return None;
        };
        value.copied_var()?;
        let is_there = match step.before() {
            Some(before) => step.label.accesses.iter().any(|access| {
                access.mode == AccessMode::Write
                    && access.index == index
                    && words.array(before, access.array) == array
                    && is_same_block(access.actor, actor)
            }),
            // A private step: which cell it was is not kept.
            None => step.label.actors.contains(&actor) && words.points_into(pointer, array),
        };
        let place = step.before().map(|_| words.place(op));
        is_there.then_some(place)
    });
    found.map(|place| match place {
        Some(place) => format!("has no value: {place} stores there what has none"),
        None => "has no value".to_owned(),
    })
}

fn is_same_block(a: Actor, b: Actor) -> bool {
    match (a, b) {
        (Actor::Thread { block: a, .. }, Actor::Thread { block: b, .. }) => a == b,
        _ => false,
    }
}

/// The lane a shuffle read from, and whether it took part.
fn lane_read(system: &ExploredProgram, step: &Followed, actor: Actor) -> Option<(u32, bool)> {
    let Actor::Thread { block, thread } = actor else {
        return None;
    };
    let arrival = Arrival::of(view_of(system, step.before()?, actor)?)?.ok()?;
    let Operation::Exchange(WarpFn::Shuffle(mode), _) = arrival.operation else {
        return None;
    };
    let size = system.system().context().warp_size();
    let own = thread % size;
    let from = exchange::source(mode, own, size, &arrival.values).unwrap_or(own);
    let source = Actor::Thread {
        block,
        thread: thread - own + from,
    };
    Some((from, step.label.actors.contains(&source)))
}
