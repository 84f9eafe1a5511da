//! Allocation and release of memory: `malloc`, `cudaMalloc`, `cudaMallocHost`, `cudaMallocManaged`, `new`, and the
//! functions that free it. Basic operators of the CPU (R1); a release out of a stream is an operation of it.
//!
//! ```text
//! (b, p := alloc(n);R, F)  →  (b ⊎ {a ↦ undefⁿ}, R, F[p := a])   a fresh
//! (b, free(p);R, F)        →  (b − a, R, F)                      p points to the start of a
//! ```
//!
//! Premise: that of R1 ([`BasicIsDefined`](crate::transition::premise::Premise::BasicIsDefined)) or, of a stream,
//! [`RequestIsValid`](crate::transition::premise::Premise::RequestIsValid): a whole number of elements; memory of
//! that kind, which exists and was not freed.
//!
//! Effect: a new array is appended to those of its space. A freed array stays, so that later uses of it can be
//! reported as such. No other step can happen in the meantime, so no accesses are recorded.

use super::state::{Head, ThreadState};
use super::view::View;
use crate::algebra::declaration::Space;
use crate::algebra::ids::VarId;
use crate::algebra::operator::{AllocSpace, OpId};
use crate::algebra::types::ScalarType;
use crate::algebra::value::{ArrayRef, Pointer, Value};
use crate::memory::{Array, ArrayInfo, Memory};
use crate::setup::Contents;
use crate::transition::AccessMode;
use crate::transition::fault::FaultKind;
use std::sync::Arc;

/// What an allocation asks for.
pub(super) struct Wanted {
    /// Receives the pointer.
    pub var: VarId,
    pub elem: ScalarType,
    pub bytes: u64,
    pub space: AllocSpace,
}

/// Allocates, and assigns the pointer in `thread`.
///
/// # Errors
/// No whole number of elements.
pub(super) fn allocate(
    view: View<'_>,
    memory: &mut Memory,
    thread: &mut ThreadState,
    wanted: Wanted,
    op: OpId,
) -> Result<(), FaultKind> {
    let Wanted {
        var,
        elem,
        bytes,
        space,
    } = wanted;
    let line = match view.thread.head() {
        Head::Op(op) => op.span.line,
        _ => 0,
    };
    let frame = view.thread.frames.last();
    let proc = frame.map(|f| view.context.program.proc(f.proc));
    let name = proc.map_or("".into(), |p| p.allocation_name(var, line));
    if bytes % elem.size() != 0 {
        return Err(FaultKind::Misaligned { array: name });
    }
    let on_host = space.is_on_host();
    let array = Array::new(Arc::new(ArrayInfo {
        name,
        elem,
        space: if on_host { Space::Host } else { Space::Global },
        extent: Some(bytes / elem.size()),
        contents: Contents::Undef,
        allocated: (!space.is_owned()).then_some(op),
        pinned: space == AllocSpace::Pinned,
        of_new: space == AllocSpace::New,
        managed: space == AllocSpace::Managed,
        device: space.is_of_device().then_some(thread.device),
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
    thread.assign(var, Value::Pointer(Pointer { array, offset: 0 }));
    Ok(())
}

/// Frees memory; nothing happens for the null pointer.
///
/// # Errors
/// The memory is of another kind or was freed before, or the pointer does not point to its start.
pub(crate) fn free(
    memory: &mut Memory,
    pointer: Pointer,
    space: AllocSpace,
) -> Result<(), FaultKind> {
    if pointer.array == ArrayRef::Null {
        return Ok(());
    }
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
        AllocSpace::Global | AllocSpace::OwnedGlobal => !on_host,
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
