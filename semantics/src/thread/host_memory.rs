//! Host operators on whole arrays: allocation, `copy_gpu`, `copy_back` (paper 2, section 2.6).
//! They act at once. Nothing else moves meanwhile, so they record no accesses.

use super::state::{Head, ThreadState};
use super::view::Reading;
use crate::algebra::declaration::Space;
use crate::algebra::expr::Expr;
use crate::algebra::operator::{AllocSpace, Basic, CopyKind, OpId};
use crate::algebra::value::{ArrayRef, Pointer, Value};
use crate::evaluation::eval::eval;
use crate::memory::{Array, ArrayInfo, Memory};
use crate::setup::Contents;
use crate::transition::AccessMode;
use crate::transition::fault::FaultKind;
use std::sync::Arc;

/// The memory after the operator; an allocation also assigns its variable in `thread`, a copy
/// may write private arrays of the host.
pub(crate) fn apply(
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
            let bytes = byte_count(bytes, reading)?;
            let line = match reading.view.thread.head() {
                Head::Op(op) => op.span.line,
                _ => 0,
            };
            let frame = reading.view.thread.frames.last();
            let proc = frame.map(|f| reading.view.context.program.proc(f.proc));
            let name = proc.map_or("".into(), |p| p.allocation_name(*var, line));
            if bytes % elem.size() != 0 {
                return Err(FaultKind::Misaligned { array: name });
            }
            let on_host = space.is_on_host();
            let array = Array::new(Arc::new(ArrayInfo {
                name,
                elem: *elem,
                space: if on_host { Space::Host } else { Space::Global },
                extent: Some(bytes / elem.size()),
                contents: Contents::Undef,
                allocated: (*space != AllocSpace::Owned).then_some(op),
                pinned: *space == AllocSpace::Pinned,
                of_new: *space == AllocSpace::New,
                managed: *space == AllocSpace::Managed,
                device: (*space == AllocSpace::Global).then_some(thread.device),
            }));
            let arrays = if on_host {
                &mut memory.host
            } else {
                &mut memory.global
            };
            let number = arrays.len() as u32;
            arrays.push_back(array);
            let array = if on_host {
                ArrayRef::Host(number)
            } else {
                ArrayRef::Global(number)
            };
            thread.assign(*var, Value::Pointer(Pointer { array, offset: 0 }));
        }
        Basic::Free { pointer, space, .. } => {
            let freed = pointer_value(pointer, reading)?;
            if freed.array != ArrayRef::Null {
                free(&mut memory, freed, *space)?;
            }
        }
        Basic::Copy {
            kind,
            dst,
            src,
            bytes,
            ..
        } => {
            let dst = pointer_value(dst, reading)?;
            let src = pointer_value(src, reading)?;
            let bytes = byte_count(bytes, reading)?;
            copy(reading, &mut memory, thread, *kind, (dst, src), bytes)?;
        }
        _ => {}
    }
    Ok(memory)
}

/// A number of bytes, converted to `size_t` as C does.
pub(crate) fn byte_count(bytes: &Expr, reading: &mut Reading<'_>) -> Result<u64, FaultKind> {
    Ok(eval(bytes, reading)?.as_integer().unwrap_or(0) as u64)
}

pub(crate) fn pointer_value(
    pointer: &Expr,
    reading: &mut Reading<'_>,
) -> Result<Pointer, FaultKind> {
    match eval(pointer, reading)? {
        Value::Pointer(pointer) => Ok(pointer),
        _ => Err(FaultKind::NullPointer {
            mode: AccessMode::Read,
        }),
    }
}

pub(crate) fn free(
    memory: &mut Memory,
    pointer: Pointer,
    space: AllocSpace,
) -> Result<(), FaultKind> {
    let on_host = matches!(pointer.array, ArrayRef::Host(_));
    let Some(array) = memory.array_mut(pointer.array) else {
        return Err(FaultKind::NullPointer {
            mode: AccessMode::Write,
        });
    };
    let (name, found) = (array.info.name.clone(), array.info.space);
    let fits = match space {
        AllocSpace::Host | AllocSpace::Owned => on_host && !array.info.pinned && !array.info.of_new,
        AllocSpace::New => on_host && array.info.of_new,
        AllocSpace::Pinned => on_host && array.info.pinned,
        AllocSpace::Global => !on_host,
        AllocSpace::Managed => array.info.managed,
    };
    if !fits {
        return Err(FaultKind::WrongMemory {
            array: name,
            space: found,
        });
    }
    if array.freed {
        return Err(FaultKind::DoubleFree {
            array: name,
            space: found,
        });
    }
    if pointer.offset != 0 {
        return Err(FaultKind::Misaligned { array: name });
    }
    array.freed = true;
    Ok(())
}

/// Copies cells; nothing where `bytes` is 0.
pub(crate) fn copy(
    reading: &Reading<'_>,
    memory: &mut Memory,
    thread: &mut ThreadState,
    kind: CopyKind,
    (dst, src): (Pointer, Pointer),
    bytes: u64,
) -> Result<(), FaultKind> {
    if bytes == 0 {
        return Ok(());
    }
    let (to_host, from_host) = kind.on_host(dst.array, src.array);
    let source = side(reading, src, from_host, AccessMode::Read)?;
    let mut target = side(reading, dst, to_host, AccessMode::Write)?;
    let n_from = span(&source, src.offset, bytes, AccessMode::Read)?;
    let n_to = span(&target, dst.offset, bytes, AccessMode::Write)?;
    if n_from != n_to || source.info.elem != target.info.elem {
        return Err(FaultKind::Misaligned {
            array: target.info.name.clone(),
        });
    }
    // `source` is the memory before the copy, also where both are one array.
    for k in 0..n_from as i64 {
        target.set(dst.offset + k, source.get(src.offset + k));
    }
    match dst.array {
        ArrayRef::Private(id) => {
            thread.arrays.insert(id, target);
        }
        other => {
            if let Some(slot) = memory.array_mut(other) {
                *slot = target;
            }
        }
    }
    Ok(())
}

/// The array on one side of a copy, in the memory the direction says.
fn side(
    reading: &Reading<'_>,
    pointer: Pointer,
    on_host: bool,
    mode: AccessMode,
) -> Result<Array, FaultKind> {
    let view = &reading.view;
    let is_global = matches!(pointer.array, ArrayRef::Global(_));
    if is_global && !on_host {
        let found = view.memory.array(pointer.array);
        return found.cloned().ok_or(FaultKind::NullPointer { mode });
    }
    // The host's own view refuses device arrays.
    let array = view.array(pointer.array, mode)?.into_owned();
    if !on_host {
        return Err(FaultKind::WrongMemory {
            array: array.info.name.clone(),
            space: array.info.space,
        });
    }
    Ok(array)
}

/// How many elements `bytes` bytes from `offset` are, all inside the array.
fn span(array: &Array, offset: i64, bytes: u64, mode: AccessMode) -> Result<u64, FaultKind> {
    let elem = array.info.elem;
    if !bytes.is_multiple_of(elem.size()) {
        return Err(FaultKind::Misaligned {
            array: array.info.name.clone(),
        });
    }
    let n = bytes / elem.size();
    array.check(offset, elem, mode)?;
    let last = offset as i128 + n as i128 - 1;
    let extent = array
        .info
        .extent
        .map_or(i64::MAX as i128, |extent| extent as i128);
    // The first index that is too far, where there is one.
    array.check(last.min(extent) as i64, elem, mode)?;
    Ok(n)
}
