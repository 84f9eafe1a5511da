//! What one thread can access in one step: its own state, the memories that it can reach, its coordinates.

use super::state::ThreadState;
use crate::algebra::declaration::Space;
use crate::algebra::expr::{Axis, Builtin, Expr};
use crate::algebra::ids::{ArrayId, VarId};
use crate::algebra::program::ProcKind;
use crate::algebra::types::ScalarType;
use crate::algebra::value::{ArrayRef, Pointer, Value};
use crate::evaluation::eval::{Env, eval};
use crate::memory::{Array, Instances, Memory, declared_info};
use crate::setup::context::Context;
use crate::setup::{Dim3, Launch};
use crate::transition::AccessMode;
use crate::transition::Actor;
use crate::transition::fault::FaultKind;
use std::borrow::Cow;

/// A device thread's place in its launch.
#[derive(Clone, Copy, Debug)]
pub struct Device<'a> {
    /// The launch it is in.
    pub launch: &'a Launch,
    /// Linear number of its block.
    pub block: u32,
    /// Linear number in the block.
    pub thread: u32,
    /// The block's instances of shared arrays.
    pub shared: &'a Instances,
}

/// A thread, with what it can access.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Program, setup and axes of the run.
    pub context: &'a Context,
    /// Global and constant arrays, and those of the host.
    pub memory: &'a Memory,
    /// Its own state.
    pub thread: &'a ThreadState,
    /// `None` for the host.
    pub device: Option<Device<'a>>,
}

/// An access to memory that other threads could reach, as a step records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// In which array.
    pub array: ArrayRef,
    /// In elements.
    pub index: i64,
    /// Whether it was read, written, or both at once.
    pub mode: AccessMode,
}

impl<'a> View<'a> {
    /// The thread, as labels name it; [`Actor::Host`] for whichever thread of the host.
    pub fn actor(&self) -> Actor {
        match self.device {
            None => Actor::Host,
            Some(device) => Actor::Thread {
                block: device.block,
                thread: device.thread,
            },
        }
    }

    /// The array a pointer points into, as this thread reaches it.
    pub fn array(&self, array: ArrayRef, mode: AccessMode) -> Result<Cow<'a, Array>, FaultKind> {
        match (array, self.device) {
            (ArrayRef::Null, _) => Err(FaultKind::NullPointer { mode }),
            (ArrayRef::Global(_), Some(_)) | (ArrayRef::Host(_), None) => {
                match self.memory.array(array) {
                    Some(found) if found.info.device.is_some_and(|d| d != self.thread.device) => {
                        Err(FaultKind::WrongMemory {
                            array: found.info.name.clone(),
                            space: found.info.space,
                        })
                    }
                    Some(found) => Ok(Cow::Borrowed(found)),
                    None => Err(FaultKind::NullPointer { mode }),
                }
            }
            (ArrayRef::Global(_), None) | (ArrayRef::Host(_), Some(_)) => {
                match self.memory.array(array) {
                    Some(found) if found.info.managed => Ok(Cow::Borrowed(found)),
                    // A device may reach it; how the two see each other's writes is not modelled.
                    Some(found) if found.info.pinned => Err(FaultKind::Beyond),
                    Some(found) => Err(FaultKind::WrongMemory {
                        array: found.info.name.clone(),
                        space: found.info.space,
                    }),
                    None => Err(FaultKind::NullPointer { mode }),
                }
            }
            (ArrayRef::Shared(id), Some(device)) => Ok(self.instance(device.shared, id)),
            (ArrayRef::Private(id), device) => {
                let decl = self.context.program.array(id);
                let owner = decl
                    .owner
                    .map(|owner| self.context.program.proc(owner).kind);
                let on_host = owner == Some(ProcKind::Host);
                if on_host && device.is_some() {
                    return Err(FaultKind::WrongMemory {
                        array: decl.name.clone(),
                        space: Space::Host,
                    });
                }
                Ok(self.instance(&self.thread.arrays, id))
            }
            // Well-formed programs have no such pointer.
            (ArrayRef::Shared(_), None) => Err(FaultKind::NullPointer { mode }),
        }
    }

    fn instance(&self, instances: &'a Instances, id: ArrayId) -> Cow<'a, Array> {
        match instances.get(&id) {
            Some(found) => Cow::Borrowed(found),
            None => {
                let launch = self.device.map(|device| device.launch);
                Cow::Owned(Array::new(declared_info(
                    self.context.program.array(id),
                    launch,
                )))
            }
        }
    }
}

/// Evaluates expressions and records what they read of memory others could reach.
pub struct Reading<'a> {
    /// The thread that reads.
    pub view: View<'a>,
    /// What has been read so far, in order; empty where only [`accesses`](Self::accesses) is wanted.
    pub touched: Vec<Touched>,
    /// Whether anything has been read.
    pub accesses: bool,
    lists: bool,
}

impl Env for Reading<'_> {
    fn var(&self, var: VarId) -> Value {
        let frame = self.view.thread.frames.last();
        frame
            .and_then(|f| f.vars.get(var.0 as usize))
            .copied()
            .unwrap_or(Value::Undef)
    }

    fn builtin(&self, builtin: Builtin) -> Value {
        let Some(device) = self.view.device else {
            return Value::Undef;
        };
        let pick = |extents: Dim3, axis: Axis| {
            let n = extents[axis as usize];
            Value::int(ScalarType::U32, n as i128)
        };
        let Launch { grid, block, .. } = *device.launch;
        match builtin {
            Builtin::ThreadIdx(axis) => pick(Launch::coordinates(block, device.thread), axis),
            Builtin::BlockIdx(axis) => pick(Launch::coordinates(grid, device.block), axis),
            Builtin::BlockDim(axis) => pick(block, axis),
            Builtin::GridDim(axis) => pick(grid, axis),
            Builtin::WarpSize => Value::i32(self.view.context.warp_size() as i32),
        }
    }

    fn array(&self, array: ArrayId) -> ArrayRef {
        let known = self.view.context.arrays.get(array.0 as usize);
        known.copied().unwrap_or(ArrayRef::Null)
    }

    fn load(&mut self, pointer: Pointer, elem: ScalarType) -> Result<Value, FaultKind> {
        let array = self.view.array(pointer.array, AccessMode::Read)?;
        array.check(pointer.offset, elem, AccessMode::Read)?;
        self.touch(pointer, AccessMode::Read);
        array.read(pointer.offset)
    }
}

impl<'a> Reading<'a> {
    /// Nothing has been read.
    pub fn new(view: View<'a>) -> Reading<'a> {
        Reading {
            view,
            touched: Vec::new(),
            accesses: false,
            lists: true,
        }
    }

    /// Of which nobody asks what it reads.
    pub(crate) fn unlisted(view: View<'a>) -> Reading<'a> {
        Reading {
            lists: false,
            ..Reading::new(view)
        }
    }

    /// Notes an access, unless no other thread could reach the cell.
    pub fn touch(&mut self, pointer: Pointer, mode: AccessMode) {
        // Operations of streams reach the host's own arrays, too.
        let reachable = self.view.device.is_none() && self.view.context.asynchronous;
        if reachable || !matches!(pointer.array, ArrayRef::Private(_)) {
            self.accesses = true;
            if self.lists {
                self.touched.push(Touched {
                    array: pointer.array,
                    index: pointer.offset,
                    mode,
                });
            }
        }
    }

    /// A number of bytes, converted to `size_t` as C does.
    pub(crate) fn byte_count(&mut self, bytes: &Expr) -> Result<u64, FaultKind> {
        Ok(eval(bytes, self)?.integer() as u64)
    }

    /// The place to which an expression points.
    pub(crate) fn pointer(&mut self, pointer: &Expr) -> Result<Pointer, FaultKind> {
        match eval(pointer, self)? {
            Value::Pointer(pointer) => Ok(pointer),
            _ => Err(FaultKind::NullPointer {
                mode: AccessMode::Read,
            }),
        }
    }
}
