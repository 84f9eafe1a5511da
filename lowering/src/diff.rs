//! Differential testing: a device against the checker.

use crate::device::{DeviceError, DeviceInfo, DeviceKind};
use gridlock_checker::limits::Limits;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::program::Program;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::value::Value;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct DiffOptions {
    pub device: DeviceKind,
    /// Number of different inputs: run `i` replaces random contents by those of `seed + i`.
    pub runs: u32,
    pub seed: u64,
    /// How often each input is run on the device when its outcome depends on the schedule.
    pub repeat: u32,
    pub profile: Profile,
    pub limits: Limits,
    /// Program to call as the child process; `None`: run in this process.
    pub child: Option<PathBuf>,
    /// For one job.
    pub time_limit: Duration,
}

/// One cell that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Number of the run.
    pub run: u32,
    pub array: String,
    pub index: u64,
    pub expected: Value,
    pub seen: Value,
}

/// How often an outcome was seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutcomeCount {
    pub outcome: String,
    pub allowed: bool,
    pub count: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiffReport {
    pub device: DeviceInfo,
    /// Runs made on the device.
    pub runs: u64,
    /// Cells compared.
    pub cells: u64,
    pub agree: bool,
    /// The first few.
    pub differences: Vec<Difference>,
    /// Largest distance seen between floats, in units in the last place; 0 when bits are equal.
    pub max_ulps: u64,
    /// For programs whose outcome depends on the schedule.
    pub histogram: Vec<OutcomeCount>,
    /// Seconds on the device, per launch, least and mean.
    pub best_seconds: f64,
    pub mean_seconds: f64,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DiffError {
    #[error("on the device: {0}")]
    Device(#[from] DeviceError),
    #[error("in the checker: {0}")]
    Checker(DeviceError),
}

/// Runs the program on the device and in the checker and compares what is observed.
pub fn run(
    program: &Program,
    setup: &Setup,
    options: &DiffOptions,
) -> Result<DiffReport, DiffError> {
    let _ = (program, setup, options);
    todo!("differential testing")
}
