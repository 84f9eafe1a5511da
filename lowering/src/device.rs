//! Devices: what can run a program's kernels.

pub mod runner;

use gridlock_semantics::fault::FaultKind;
use gridlock_semantics::program::ProcId;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::types::ScalarType;
use gridlock_semantics::value::Value;
use serde::{Deserialize, Serialize};

/// Kinds of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceKind {
    /// The canonical run of the checker.
    Interpreter,
    /// The first OpenCL device found, any platform.
    OpenCl,
    /// A GPU through the CUDA driver (feature `gpu`).
    Cuda,
}

/// What a device is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    pub kind: DeviceKind,
    pub name: String,
    /// Platform or driver, with its version.
    pub driver: String,
    /// `9.0`, for CUDA devices.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compute_capability: Option<String>,
    /// Compiler of the kernels and its flags.
    pub compiler: String,
    pub flags: Vec<String>,
}

/// An array in a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Buffer(pub u32);

/// An argument of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchArg {
    Scalar(Value),
    /// `offset` in elements.
    Pointer {
        buffer: Buffer,
        offset: i64,
    },
    Null,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "error", rename_all = "kebab-case")]
pub enum DeviceError {
    /// The library, the driver or the hardware is not there.
    #[error("{what} is not available here: {why}")]
    Missing { what: String, why: String },
    /// The device (or our use of it) cannot do this.
    #[error("not supported: {message}")]
    Unsupported { message: String },
    /// A compiler refused the lowered text: a bug in a printer or in the compiler.
    #[error("the lowered text does not compile: {log}")]
    Compile { log: String },
    /// The device's API returned an error.
    #[error("{call} failed: {message}")]
    Api { call: String, message: String },
    /// The program did something it must not do, as seen by the interpreter or the host walk.
    #[error("the program has a defect: {fault:?}")]
    Fault { fault: FaultKind },
    /// The canonical run does not decide this program (its outcome depends on the schedule).
    #[error("the outcome depends on the schedule: {why}")]
    OrderDependent { why: String },
    #[error("a limit was reached: {what}")]
    Limit { what: String },
    /// The child process was killed at the time limit.
    #[error("no answer within {seconds} s")]
    TimedOut { seconds: f64 },
    /// The child process died.
    #[error("the device process died ({status}): {output}")]
    Crashed { status: String, output: String },
    /// The setup does not fit the program, or lacks what a device needs (extents).
    #[error("this setup cannot be run: {message}")]
    Setup { message: String },
}

/// A device with a program loaded. Memory is typed: cells of one scalar type.
pub trait Device {
    fn info(&self) -> &DeviceInfo;

    /// Reserves `cells` elements, uninitialised.
    fn alloc(&mut self, elem: ScalarType, cells: u64) -> Result<Buffer, DeviceError>;

    /// Writes cells from `offset` on. `Value::Undef` leaves a cell as it is.
    fn write(&mut self, buffer: Buffer, offset: u64, cells: &[Value]) -> Result<(), DeviceError>;

    /// Reads `cells` cells from `offset` on. A device that cannot tell gives whatever is there
    /// for cells never written; the interpreter gives `Value::Undef`.
    fn read(&mut self, buffer: Buffer, offset: u64, cells: u64) -> Result<Vec<Value>, DeviceError>;

    fn free(&mut self, buffer: Buffer) -> Result<(), DeviceError>;

    /// Runs a kernel to its end; gives the seconds it took on the device.
    fn launch(
        &mut self,
        kernel: ProcId,
        launch: &Launch,
        args: &[LaunchArg],
    ) -> Result<f64, DeviceError>;
}
