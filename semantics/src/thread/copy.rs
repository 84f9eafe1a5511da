//! `copy_gpu` and `copy_back` (paper 2, section 2.6), and copies between places of one side:
//!
//! ```text
//! (b_c, b_g)  →  (b_c, b_g[dst + k := b_c(src + k) : k < n])   copy_gpu, host to device
//! (b_c, b_g)  →  (b_c[dst + k := b_g(src + k) : k < n], b_g)   copy_back, device to host
//! ```
//!
//! They are basic operators of the CPU (R1) or operations of a stream; the effect is the same.
//!
//! Premise: that of R1 ([`BasicIsDefined`](crate::transition::premise::Premise::BasicIsDefined)) or, of a stream,
//! [`RequestIsValid`](crate::transition::premise::Premise::RequestIsValid): both ranges exist, on the sides that the
//! direction names, with elements of one type.
//!
//! Effect: the cells have the values that the source had before the copy. Without streams no other step can happen in
//! the meantime, so no accesses are recorded.

use super::state::ThreadState;
use super::view::Reading;
use crate::algebra::operator::CopyKind;
use crate::algebra::value::{ArrayRef, Pointer};
use crate::memory::{Array, Memory};
use crate::transition::AccessMode;
use crate::transition::fault::FaultKind;

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
    target.copy_from(dst.offset, &source, src.offset, n_from);
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
