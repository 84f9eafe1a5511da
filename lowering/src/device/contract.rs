//! What a device is, and what it says of itself and of a run.

use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use gridlock_semantics::transition::fault::FaultKind;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Kinds of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceKind {
    /// The canonical run of the checker.
    Interpreter,
    /// An OpenCL device of any platform: the first, or the one whose name contains
    /// `$GRIDLOCK_OPENCL_DEVICE`.
    #[serde(rename = "opencl")]
    OpenCl,
    /// A GPU through the CUDA driver (feature `gpu`).
    Cuda,
}

impl DeviceKind {
    /// Every kind, in the order of the declaration.
    pub const ALL: [DeviceKind; 3] = [
        DeviceKind::Interpreter,
        DeviceKind::OpenCl,
        DeviceKind::Cuda,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            DeviceKind::Interpreter => "interpreter",
            DeviceKind::OpenCl => "opencl",
            DeviceKind::Cuda => "cuda",
        }
    }

    /// The kind of that [`DeviceKind::name`]; `None` for another name.
    pub fn named(name: &str) -> Option<DeviceKind> {
        DeviceKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a device is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// How the device is reached.
    pub kind: DeviceKind,
    /// What the device calls itself.
    pub name: String,
    /// Platform or driver, with its version.
    pub driver: String,
    /// `9.0`, for CUDA devices.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub compute_capability: Option<String>,
    /// Compiler of the kernels.
    pub compiler: String,
    /// Options the compiler was called with, in order.
    pub flags: Vec<String>,
    /// [`crate::fingerprint::fingerprint`] of the machine code or PTX loaded; absent where the
    /// device compiles by itself.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code_hash: Option<String>,
}

/// Why a device gave no outcome.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "error", rename_all = "kebab-case")]
pub enum DeviceError {
    /// The library, the driver or the hardware is not there.
    #[error("{what} is not available here: {why}")]
    Missing {
        /// What was looked for.
        what: String,
        /// What the search for it said.
        why: String,
    },
    /// The device, or our use of it, cannot do this.
    #[error("not supported: {message}")]
    Unsupported {
        /// What it cannot do.
        message: String,
    },
    /// A compiler refused the lowered text: a bug in a printer or in the compiler.
    #[error("the lowered text does not compile: {log}")]
    Compile {
        /// What the compiler printed.
        log: String,
    },
    /// The device's API returned an error.
    #[error("{call} failed: {message}")]
    Api {
        /// Name of the function of the API.
        call: String,
        /// The error as the API tells it.
        message: String,
    },
    /// The program did something it must not do, as seen by the interpreter or the host walk.
    #[error("the program has a defect: {kind:?}")]
    Fault {
        /// What the program did.
        kind: FaultKind,
    },
    /// The canonical run does not decide this program: its outcome may depend on the schedule.
    #[error("the outcome may depend on the schedule: {why}")]
    OrderDependent {
        /// What the outcome depends on, one phrase.
        why: String,
    },
    /// A limit of time, steps, states or memory was reached before there was an outcome.
    #[error("a limit was reached: {what}")]
    Limit {
        /// Which limit, in words.
        what: String,
    },
    /// The child process was killed at the time limit.
    #[error("no answer within {seconds} s")]
    TimedOut {
        /// The limit, by the clock.
        seconds: u64,
    },
    /// The child process died.
    #[error("the device process died ({status}): {output}")]
    Crashed {
        /// How it ended: its exit code or the signal.
        status: String,
        /// The end of its standard error.
        output: String,
    },
    /// The setup does not fit the program, or lacks what a device needs.
    #[error("this setup cannot be run: {message}")]
    Setup {
        /// What does not fit.
        message: String,
    },
}

impl DeviceError {
    pub(crate) fn api(call: &str, error: impl fmt::Display) -> DeviceError {
        DeviceError::Api {
            call: call.to_owned(),
            message: error.to_string(),
        }
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> DeviceError {
        DeviceError::Unsupported {
            message: message.into(),
        }
    }

    pub(crate) fn setup(message: impl Into<String>) -> DeviceError {
        DeviceError::Setup {
            message: message.into(),
        }
    }
}

/// What one run gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// What is observed at the end of the run, or why there is nothing.
    pub outcome: Result<Observation, DeviceError>,
    /// Seconds of each launch on the device, in order.
    pub seconds: Vec<f64>,
}

/// Something that runs a program: its kernels and, for a host entry, its host code as well.
pub trait Device {
    /// What the device is.
    fn info(&self) -> &DeviceInfo;

    /// Runs the program once. A failure of the device is part of the result.
    fn run(&mut self, setup: &Setup) -> RunResult;
}
