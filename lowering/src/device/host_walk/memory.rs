//! Memory as the host sees it: its own arrays, and those of the device by where they are.

use super::{HostRun, fault};
use crate::device::DeviceError;
use crate::device::accelerator::{Accelerator, Buffer};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::CopyKind;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::setup::ArrayArg;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use std::sync::Arc;

/// An array the host can touch.
pub(super) struct HostArray {
    pub(super) name: Arc<str>,
    pub(super) elem: ScalarType,
    pub(super) cells: Vec<Value>,
    pub(super) freed: bool,
}

/// An array of device memory.
pub(super) struct DeviceArray {
    pub(super) name: Arc<str>,
    pub(super) elem: ScalarType,
    pub(super) cells: u64,
    /// Where it is; declared arrays are only made when they are used.
    pub(super) place: ArrayStorage,
    pub(super) freed: bool,
}

#[derive(Clone, Copy)]
pub(super) enum ArrayStorage {
    Allocated(Buffer),
    Declared(ArrayId),
}

pub(super) fn first_contents(array: &ArrayArg) -> Result<Vec<Value>, DeviceError> {
    let Some(extent) = array.extent else {
        let message = format!("array `{}` needs an extent to run on a device", array.name);
        return Err(DeviceError::Setup { message });
    };
    Ok((0..extent)
        .map(|index| array.contents.cell(array.elem, index))
        .collect())
}

pub(super) fn declared_contents(decl: &ArrayDecl) -> Vec<Value> {
    let n = match decl.extent {
        Extent::Fixed(n) => n as usize,
        Extent::LaunchShared => 0,
    };
    match &decl.init {
        None => vec![Value::Undef; n],
        Some(values) => {
            let mut cells = values.clone();
            cells.resize(n, Value::zero(decl.elem));
            cells
        }
    }
}

impl<A: Accelerator> HostRun<'_, A> {
    /// The declared arrays, numbered as in [`Setup::arrays`].
    pub(super) fn declare(&mut self) {
        for (index, decl) in self.program.arrays.iter().enumerate() {
            let id = ArrayId(index as u32);
            let host_array = || HostArray {
                name: decl.name.clone(),
                elem: decl.elem,
                cells: declared_contents(decl),
                freed: false,
            };
            match decl.space {
                Space::Global | Space::Constant => self.device.push(DeviceArray {
                    name: decl.name.clone(),
                    elem: decl.elem,
                    cells: match decl.extent {
                        Extent::Fixed(n) => n,
                        Extent::LaunchShared => 0,
                    },
                    place: ArrayStorage::Declared(id),
                    freed: false,
                }),
                Space::Host => self.host.push(host_array()),
                Space::Private => {
                    self.private.insert(id, host_array());
                }
                Space::Shared => {}
            }
        }
    }

    pub(super) fn buffer(&mut self, place: ArrayStorage) -> Result<Buffer, DeviceError> {
        match place {
            ArrayStorage::Allocated(buffer) => Ok(buffer),
            ArrayStorage::Declared(array) => self.accelerator.declared(array),
        }
    }

    pub(super) fn free(&mut self, pointer: Pointer) -> Result<(), DeviceError> {
        let freed_twice = |array: Arc<str>, space| fault(FaultKind::DoubleFree { array, space });
        match pointer.array {
            ArrayRef::Host(n) => {
                let array = &mut self.host[n as usize];
                if array.freed {
                    return Err(freed_twice(array.name.clone(), Space::Host));
                }
                array.freed = true;
            }
            ArrayRef::Global(n) => {
                let array = &mut self.device[n as usize];
                if array.freed {
                    return Err(freed_twice(array.name.clone(), Space::Global));
                }
                array.freed = true;
                if let ArrayStorage::Allocated(buffer) = array.place {
                    self.accelerator.free(buffer)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Bounds of `bytes` bytes from a pointer, in elements of an array of `extent`.
    pub(super) fn span(
        &self,
        pointer: Pointer,
        (name, elem, extent): (&Arc<str>, ScalarType, u64),
        bytes: u64,
        mode: AccessMode,
    ) -> Result<(u64, u64), DeviceError> {
        if !bytes.is_multiple_of(elem.size()) {
            let array = name.clone();
            return Err(fault(FaultKind::Misaligned { array }));
        }
        let n = bytes / elem.size();
        let end = pointer.offset as i128 + n as i128;
        if pointer.offset < 0 || end > extent as i128 {
            return Err(fault(FaultKind::OutOfBounds {
                array: name.clone(),
                space: match pointer.array {
                    ArrayRef::Global(_) => Space::Global,
                    _ => Space::Host,
                },
                index: if pointer.offset < 0 {
                    pointer.offset
                } else {
                    extent as i64
                },
                extent,
                mode,
            }));
        }
        Ok((pointer.offset as u64, n))
    }

    pub(super) fn copy(
        &mut self,
        kind: CopyKind,
        to: Pointer,
        from: Pointer,
        bytes: u64,
    ) -> Result<(), DeviceError> {
        let (to_host, from_host) = kind.on_host(to.array, from.array);
        let cells = if from_host {
            let array = self.host_array(from, AccessMode::Read).map_err(fault)?;
            let shape = (&array.name, array.elem, array.cells.len() as u64);
            let (start, n) = self.span(from, shape, bytes, AccessMode::Read)?;
            array.cells[start as usize..(start + n) as usize].to_vec()
        } else {
            let (place, start, n) = self.device_span(from, bytes, AccessMode::Read)?;
            let buffer = self.buffer(place)?;
            self.accelerator.read(buffer, start, n)?
        };
        if to_host {
            let array = self.host_array(to, AccessMode::Write).map_err(fault)?;
            let shape = (&array.name, array.elem, array.cells.len() as u64);
            let (start, n) = self.span(to, shape, bytes, AccessMode::Write)?;
            let target = self.host_array_mut(to).map_err(fault)?;
            let n = (n as usize).min(cells.len());
            target.cells[start as usize..start as usize + n].copy_from_slice(&cells[..n]);
        } else {
            let (place, start, _) = self.device_span(to, bytes, AccessMode::Write)?;
            let buffer = self.buffer(place)?;
            self.accelerator.write(buffer, start, &cells)?;
        }
        Ok(())
    }

    pub(super) fn device_span(
        &self,
        pointer: Pointer,
        bytes: u64,
        mode: AccessMode,
    ) -> Result<(ArrayStorage, u64, u64), DeviceError> {
        let array = match pointer.array {
            ArrayRef::Global(n) => self.device.get(n as usize),
            _ => None,
        };
        let Some(array) = array else {
            return Err(fault(FaultKind::WrongMemory {
                array: "".into(),
                space: Space::Host,
            }));
        };
        if array.freed {
            return Err(fault(FaultKind::UseAfterFree {
                array: array.name.clone(),
                space: Space::Global,
            }));
        }
        let shape = (&array.name, array.elem, array.cells);
        let (start, n) = self.span(pointer, shape, bytes, mode)?;
        Ok((array.place, start, n))
    }

    pub(super) fn host_array(
        &self,
        pointer: Pointer,
        mode: AccessMode,
    ) -> Result<&HostArray, FaultKind> {
        let found = match pointer.array {
            ArrayRef::Host(n) => self.host.get(n as usize),
            ArrayRef::Private(id) => self.private.get(&id),
            ArrayRef::Global(n) => {
                return Err(FaultKind::WrongMemory {
                    array: self
                        .device
                        .get(n as usize)
                        .map_or("".into(), |array| array.name.clone()),
                    space: Space::Global,
                });
            }
            _ => None,
        };
        let array = found.ok_or(FaultKind::NullPointer { mode })?;
        if array.freed {
            return Err(FaultKind::UseAfterFree {
                array: array.name.clone(),
                space: Space::Host,
            });
        }
        Ok(array)
    }

    pub(super) fn host_array_mut(&mut self, pointer: Pointer) -> Result<&mut HostArray, FaultKind> {
        let found = match pointer.array {
            ArrayRef::Host(n) => self.host.get_mut(n as usize),
            ArrayRef::Private(id) => self.private.get_mut(&id),
            _ => None,
        };
        found.ok_or(FaultKind::NullPointer {
            mode: AccessMode::Write,
        })
    }

    pub(super) fn cell(
        &mut self,
        pointer: Pointer,
        elem: ScalarType,
        mode: AccessMode,
    ) -> Result<&mut Value, FaultKind> {
        let array = self.host_array(pointer, mode)?;
        if array.elem != elem {
            return Err(FaultKind::Misaligned {
                array: array.name.clone(),
            });
        }
        let (name, extent) = (array.name.clone(), array.cells.len() as u64);
        let index = pointer.offset;
        let out_of_bounds = FaultKind::OutOfBounds {
            array: name,
            space: Space::Host,
            index,
            extent,
            mode,
        };
        let cells = &mut self.host_array_mut(pointer)?.cells;
        match usize::try_from(index) {
            Ok(at) if at < cells.len() => Ok(&mut cells[at]),
            _ => Err(out_of_bounds),
        }
    }
}
