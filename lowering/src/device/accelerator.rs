//! What the host side of a run needs of a device: memory and launches.

use crate::device::{DeviceError, DeviceInfo};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::Launch;

/// An array in a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Buffer(pub usize);

/// An argument of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchArg {
    /// Passed by value.
    Scalar(Value),
    /// `offset` in elements.
    Pointer {
        /// The array pointed into.
        buffer: Buffer,
        /// Of the element pointed at, counted from the beginning of the buffer.
        offset: i64,
    },
    /// A null pointer.
    Null,
}

/// A device with a program's kernels loaded. Memory is typed: cells of one scalar type.
pub trait Accelerator {
    /// What the device is.
    fn info(&self) -> &DeviceInfo;

    /// Back to the state after loading: every buffer freed, declared arrays not yet made.
    fn reset(&mut self) -> Result<(), DeviceError>;

    /// Reserves `cells` elements and fills them with a pattern no program means.
    fn alloc(&mut self, elem: ScalarType, cells: u64) -> Result<Buffer, DeviceError>;

    /// The buffer of a declared array of global or constant memory, with its first contents.
    fn declared(&mut self, array: ArrayId) -> Result<Buffer, DeviceError>;

    /// Writes cells from `offset` on. `Value::Undef` writes the pattern.
    fn write(&mut self, buffer: Buffer, offset: u64, cells: &[Value]) -> Result<(), DeviceError>;

    /// Reads `cells` cells from `offset` on. Cells never written hold whatever is there.
    fn read(&mut self, buffer: Buffer, offset: u64, cells: u64) -> Result<Vec<Value>, DeviceError>;

    /// Gives the buffer's memory back; it must not be used any more.
    fn free(&mut self, buffer: Buffer) -> Result<(), DeviceError>;

    /// Runs a kernel to its end; gives the seconds it took.
    fn launch(
        &mut self,
        kernel: ProcId,
        launch: &Launch,
        args: &[LaunchArg],
    ) -> Result<f64, DeviceError>;
}
