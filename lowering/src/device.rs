//! Devices: what can run a program.

pub mod accelerator;
pub mod cells;
mod contract;
#[cfg(feature = "gpu")]
pub mod cuda;
pub mod host_walk;
pub mod interpreter;
pub mod opencl;
pub mod runner;

pub use accelerator::{Accelerator, Buffer, LaunchArg};
pub use contract::{Device, DeviceError, DeviceInfo, DeviceKind, RunResult};
#[cfg(feature = "gpu")]
pub use cuda::Cuda;
pub use host_walk::OnAccelerator;
pub use interpreter::Interpreter;
pub use opencl::OpenCl;

use gridlock_semantics::algebra::program::Program;

/// Opens a device with a program in surface form loaded.
///
/// # Errors
/// [`DeviceError::Missing`] when it is not there, [`DeviceError::Unsupported`] when the program
/// cannot be lowered for it, [`DeviceError::Compile`].
pub fn open(kind: DeviceKind, program: &Program) -> Result<Box<dyn Device>, DeviceError> {
    match kind {
        DeviceKind::Interpreter => Ok(Box::new(Interpreter::new(program)?)),
        DeviceKind::OpenCl => Ok(Box::new(OnAccelerator::new(program, OpenCl::new(program)?))),
        #[cfg(feature = "gpu")]
        DeviceKind::Cuda => Ok(Box::new(OnAccelerator::new(program, Cuda::new(program)?))),
        #[cfg(not(feature = "gpu"))]
        DeviceKind::Cuda => Err(no_cuda()),
    }
}

#[cfg(not(feature = "gpu"))]
fn no_cuda() -> DeviceError {
    DeviceError::Missing {
        what: "the CUDA device".to_owned(),
        why: "this gridlock was built without the feature gpu (make gpu builds it)".to_owned(),
    }
}

/// The devices of this machine; for a kind that is not there, why.
pub fn list() -> Vec<Result<DeviceInfo, DeviceError>> {
    let mut found = vec![Ok(interpreter::info("cuda"))];
    match opencl::list() {
        Ok(devices) => found.extend(devices.into_iter().map(Ok)),
        Err(error) => found.push(Err(error)),
    }
    #[cfg(feature = "gpu")]
    match cuda::list() {
        Ok(devices) => found.extend(devices.into_iter().map(Ok)),
        Err(error) => found.push(Err(error)),
    }
    #[cfg(not(feature = "gpu"))]
    found.push(Err(no_cuda()));
    found
}
