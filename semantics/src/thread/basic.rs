//! R1, basic operator (paper 2, section 2.2):
//!
//! ```text
//! (b, y;R, F)  →  (y(b), R, F)   y basic
//! ```
//!
//! Premises: [`Premise::BasicIsDefined`]; of assertions and assumptions [`Premise::AssertionHolds`] and
//! [`Premise::AssumptionHolds`]; of an exchange where the profile knows no warps [`Premise::WarpsAreKnown`].
//!
//! Effect, `y(b)`, by operator: assignment, load, store and atomic below; allocation and release in [`allocation`],
//! `copy_gpu` and `copy_back` in [`copy`]. Memory that other threads could reach is not changed here: the step
//! describes its change ([`Effect`]), and `merge` combines those of several threads.

use super::changed::Changing;
use super::state::ThreadState;
use super::step::{Atomic, Effect, Failure, Firing, Step};
use super::view::Reading;
use super::{allocation, copy};
use crate::algebra::declaration::Space;
use crate::algebra::expr::Expr;
use crate::algebra::ids::VarId;
use crate::algebra::operator::{AtomicFn, Basic, OpId};
use crate::algebra::types::ScalarType;
use crate::algebra::value::{ArrayRef, Pointer, Value};
use crate::evaluation::atomic;
use crate::evaluation::eval::{Env, copied, eval};
use crate::memory::{Array, Memory};
use crate::transition::AccessMode;
use crate::transition::decision::decided;
use crate::transition::fault::FaultKind;
use crate::transition::premise::Premise;
use std::borrow::Cow;

#[inline(always)]
pub(super) fn fire(mut firing: Firing<'_>, basic: &Basic) -> Result<Step, Failure> {
    let mut thread = Changing::new(firing.reading.view.thread);
    let applied = apply(&mut firing, basic, &mut thread);
    decided(Premise::BasicIsDefined, applied.is_ok());
    match applied {
        Ok(effect) => {
            let after = thread.advanced(&firing.context().program);
            firing.changed(after, effect)
        }
        Err(kind) => Err(firing.fail(kind)),
    }
}

/// Whether a variable is the result of the entry, which is observable.
fn is_output(firing: &Firing<'_>, var: VarId) -> bool {
    let [entry] = firing.reading.view.thread.frames.as_slice() else {
        return false;
    };
    firing.context().program.proc(entry.proc).result == Some(var)
}

fn apply(
    firing: &mut Firing<'_>,
    basic: &Basic,
    thread: &mut Changing<'_>,
) -> Result<Effect, FaultKind> {
    match basic {
        Basic::Assign { var, value } => {
            let value = match is_output(firing, *var) {
                true => eval(value, &mut firing.reading)?,
                false => copied(value, &mut firing.reading)?,
            };
            thread.assign(*var, value);
            Ok(Effect::Nothing)
        }
        Basic::Load { var, pointer } => {
            let (at, elem) = target(firing, pointer)?;
            thread.assign(*var, firing.reading.load(at, elem)?);
            Ok(Effect::Nothing)
        }
        Basic::Store { pointer, value } => {
            let (to, elem) = target(firing, pointer)?;
            // A cell of the launch itself may become one without a value; other memory is output.
            let value = match to.array {
                _ if value.is_no_value() => None,
                ArrayRef::Private(_) | ArrayRef::Shared(_) => {
                    Some(copied(value, &mut firing.reading)?)
                }
                _ => Some(eval(value, &mut firing.reading)?),
            };
            let array = writable(firing, to, elem, AccessMode::Write)?;
            firing.reading.touch(to, AccessMode::Write);
            // A value that is written back may be absent: the cell then stays as it was.
            let value = value.unwrap_or_else(|| array.get(to.offset));
            match to.array {
                ArrayRef::Private(id) => {
                    let mut array = array.into_owned();
                    array.set(to.offset, value);
                    if array.is_untouched() {
                        thread.whole().arrays.remove(&id);
                    } else {
                        thread.whole().arrays.insert(id, array);
                    }
                    Ok(Effect::Nothing)
                }
                _ => Ok(Effect::Write { to, value }),
            }
        }
        Basic::Atomic {
            function,
            pointer,
            operands,
            result,
            ..
        } => {
            let (at, elem) = target(firing, pointer)?;
            let mut values = Vec::with_capacity(operands.len());
            for operand in operands {
                values.push(eval(operand, &mut firing.reading)?);
            }
            let array = writable(firing, at, elem, AccessMode::Atomic)?;
            let fails = array
                .read(at.offset)
                .is_ok_and(|old| atomic::fails(*function, old, &values));
            let mode = match fails {
                true => AccessMode::AtomicRead,
                false => AccessMode::Atomic,
            };
            firing.reading.touch(at, mode);
            if *function != AtomicFn::Exch || result.is_some() {
                array.read(at.offset)?;
            }
            if let ArrayRef::Private(id) = at.array {
                let old = array.get(at.offset);
                let mut array = array.into_owned();
                array.set(at.offset, atomic::apply(*function, old, &values));
                thread.whole().arrays.insert(id, array);
                if let Some(var) = result {
                    thread.assign(*var, old);
                }
                return Ok(Effect::Nothing);
            }
            Ok(Effect::Atomic {
                at,
                atomic: Box::new(Atomic {
                    function: *function,
                    operands: values,
                    result: *result,
                }),
            })
        }
        // Nothing is known of warps, so nothing is ordered. Elsewhere `warp` moves its threads.
        Basic::SyncWarp { mask } => {
            eval(mask, &mut firing.reading)?;
            Ok(Effect::Nothing)
        }
        // Any other thread may run while it sleeps, as it may after any step.
        Basic::Nanosleep { nanoseconds } => {
            eval(nanoseconds, &mut firing.reading)?;
            Ok(Effect::Nothing)
        }
        Basic::Warp { .. } | Basic::ActiveMask { .. } => {
            let handed_on = match basic {
                Basic::Warp { function, .. } => function.handed_on(),
                _ => None,
            };
            for (number, expression) in basic.expressions().into_iter().enumerate() {
                match handed_on == Some(number) {
                    true => copied(expression, &mut firing.reading)?,
                    false => eval(expression, &mut firing.reading)?,
                };
            }
            decided(Premise::WarpsAreKnown, false);
            Err(FaultKind::NoWarps)
        }
        Basic::Assert { cond } => {
            let holds = eval(cond, &mut firing.reading)? == Value::Bool(true);
            match decided(Premise::AssertionHolds, holds) {
                true => Ok(Effect::Nothing),
                false => Err(FaultKind::of_assertion(cond)),
            }
        }
        Basic::Assume { cond } => {
            let holds = eval(cond, &mut firing.reading)? == Value::Bool(true);
            Ok(match decided(Premise::AssumptionHolds, holds) {
                true => Effect::Nothing,
                false => Effect::Discard,
            })
        }
        Basic::Beyond => Err(FaultKind::Beyond),
        // Interleaving is sequentially consistent, and the host waits for the device anyway. In a program without streams
        // the only device that is chosen is the one that is current ([`crate::analysis::stream_operator`]).
        Basic::Fence { .. } | Basic::InitGpu | Basic::DeviceSync | Basic::SetDevice { .. } => {
            Ok(Effect::Nothing)
        }
        Basic::Alloc { .. } | Basic::Free { .. } | Basic::Copy { .. } => {
            whole_arrays(&mut firing.reading, basic, firing.op, thread.whole())
                .map(|memory| Effect::Replace(Box::new(memory)))
        }
        // Barriers and exits have their own rules; launches are the host's (R8, R9). The others are refused by
        // well-formedness where a thread would come to them, or have rules of their own ([`crate::host::asynchronous`]).
        Basic::Barrier { .. }
        | Basic::Exit
        | Basic::CallGpu { .. }
        | Basic::NamedBarrier { .. }
        | Basic::GridBarrier
        | Basic::StreamCreate { .. }
        | Basic::StreamDestroy { .. }
        | Basic::StreamSync { .. }
        | Basic::EventCreate { .. }
        | Basic::EventDestroy { .. }
        | Basic::EventRecord { .. }
        | Basic::EventSync { .. }
        | Basic::StreamWait { .. }
        | Basic::Wait { .. } => unreachable!("{}: no step of a thread alone", basic.head().row()),
    }
}

/// The cell an expression points to, and its element type.
fn target(firing: &mut Firing<'_>, pointer: &Expr) -> Result<(Pointer, ScalarType), FaultKind> {
    let elem = pointer.pointee();
    match eval(pointer, &mut firing.reading)? {
        Value::Pointer(at) => Ok((at, elem)),
        _ => Err(FaultKind::NullPointer {
            mode: AccessMode::Read,
        }),
    }
}

/// The array behind `to`, after checking that the cell may be written.
fn writable<'a>(
    firing: &Firing<'a>,
    to: Pointer,
    elem: ScalarType,
    mode: AccessMode,
) -> Result<Cow<'a, Array>, FaultKind> {
    let array = firing.reading.view.array(to.array, mode)?;
    if array.info.space == Space::Constant {
        return Err(FaultKind::ConstantWrite {
            array: array.info.name.clone(),
            index: to.offset,
        });
    }
    array.check(to.offset, elem, mode)?;
    Ok(array)
}

/// The memory after an operator on whole arrays.
fn whole_arrays(
    reading: &mut Reading<'_>,
    basic: &Basic,
    op: OpId,
    thread: &mut ThreadState,
) -> Result<Memory, FaultKind> {
    let mut memory = reading.view.memory.clone();
    match basic {
        Basic::Alloc {
            var,
            elem,
            bytes,
            space,
        } => {
            let wanted = allocation::Wanted {
                var: *var,
                elem: *elem,
                bytes: reading.byte_count(bytes)?,
                space: *space,
            };
            allocation::allocate(reading.view, &mut memory, thread, wanted, op)?;
        }
        Basic::Free { pointer, space, .. } => {
            let freed = reading.pointer(pointer)?;
            allocation::free(&mut memory, freed, *space)?;
        }
        Basic::Copy {
            kind,
            dst,
            src,
            bytes,
            ..
        } => {
            let dst = reading.pointer(dst)?;
            let src = reading.pointer(src)?;
            let bytes = reading.byte_count(bytes)?;
            copy::copy(reading, &mut memory, thread, *kind, (dst, src), bytes)?;
        }
        _ => {}
    }
    Ok(memory)
}
