//! Runs in a child process, so that a hang is killed at a time limit and a crash is a result.
//! The child is the tool itself, called as `gridlock device-runner`: a JSON [`Job`] on stdin, a
//! JSON answer on stdout.

use crate::device::{DeviceError, DeviceInfo, DeviceKind};
use gridlock_semantics::observation::Observation;
use gridlock_semantics::program::Program;
use gridlock_semantics::setup::Setup;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

/// Name of the subcommand the child is called with.
pub const SUBCOMMAND: &str = "device-runner";

/// One program on one device, with one or more setups run one after another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub device: DeviceKind,
    /// In surface form.
    pub program: Program,
    pub setups: Vec<Setup>,
    /// How often each setup is run.
    pub repeat: u32,
}

/// What one run gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    pub outcome: Result<Observation, DeviceError>,
    /// Seconds of each launch, in order.
    pub seconds: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    pub device: DeviceInfo,
    /// For each setup, its repetitions.
    pub runs: Vec<Vec<RunResult>>,
}

/// The child's side: reads a job, runs it, writes the result. Errors are only those of the streams.
pub fn serve(stdin: impl Read, stdout: impl Write) -> io::Result<()> {
    let _ = (stdin, stdout);
    todo!("the runner")
}

/// Runs a job in this process.
pub fn run(job: &Job) -> Result<JobResult, DeviceError> {
    let _ = job;
    todo!("the runner")
}

/// Runs a job in a child process `exe device-runner`, killed after `limit`.
pub fn run_in_child(exe: &Path, job: &Job, limit: Duration) -> Result<JobResult, DeviceError> {
    let _ = (exe, job, limit);
    todo!("the runner")
}
