//! `gridlock gpu-run`: programs on the device of this machine, compared with the interpreter and
//! recorded. The device is a parameter, so that everything but the driver is tested without a GPU.

use crate::cuda::CudaOptions;
use crate::device::runner::{Job, run as run_job, run_in_child};
use crate::device::{DeviceError, DeviceKind};
use crate::diff::{DiffError, DiffOptions, DiffReport};
use crate::fingerprint::fingerprint;
use crate::recordings::{self, RecordedOutcome, Recording, RecordingError};
use crate::{cuda, diff, host, opencl};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::system::observation::Observation;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A program to run.
#[derive(Clone, Debug)]
pub struct Case {
    /// Letters, digits and dashes: part of the recording's file name.
    pub name: String,
    /// Path in the repository.
    pub file: String,
    /// Text of that file, of which the recording keeps the fingerprint.
    pub source: String,
    /// The source, parsed, or what rules made of it.
    pub program: Program,
    /// Launch, arguments and contents of the first input.
    pub setup: Setup,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// Name of the case.
    pub name: String,
    /// How the device compares with the checker, over several inputs.
    pub report: DiffReport,
    /// Where the recording was written, if it was.
    pub recording: Option<PathBuf>,
}

/// Why a case gave no result.
#[derive(Debug, thiserror::Error)]
pub enum GpuRunError {
    /// The comparison could not be made.
    #[error(transparent)]
    Diff(#[from] DiffError),
    /// The recording could not be written.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Runs one case: compares several inputs, then records the first.
///
/// # Errors
/// Those of [`diff::run`], and of writing the recording. A disagreement is no error: it is in the
/// report, and then nothing is recorded.
pub fn run(
    case: &Case,
    options: &DiffOptions,
    recordings_folder: Option<&PathBuf>,
) -> Result<CaseResult, GpuRunError> {
    let report = diff::run(&case.program, &case.setup, options)?;
    let mut recording = None;
    if let Some(folder) = recordings_folder.filter(|_| report.agree) {
        let made = record(case, options)?;
        recording = Some(recordings::write(folder, &made)?);
    }
    Ok(CaseResult {
        name: case.name.clone(),
        report,
        recording,
    })
}

/// Runs the first input of a case once more and describes what was seen.
pub fn record(case: &Case, options: &DiffOptions) -> Result<Recording, DiffError> {
    let setup = diff::reseeded(&case.setup, options.seed, 0);
    let job = Job {
        device: options.device,
        program: case.program.clone(),
        setups: vec![setup.clone()],
        repeat: options.repeat.max(1),
    };
    let result = match &options.child {
        Some(exe) => run_in_child(exe, &job, options.time_limit),
        None => run_job(&job),
    }
    .map_err(DiffError::Device)?;
    let mut seen: BTreeMap<Observation, u64> = BTreeMap::new();
    let mut seconds = None;
    for run in result.runs.into_iter().flatten() {
        seconds.get_or_insert(run.seconds);
        *seen
            .entry(run.outcome.map_err(DiffError::Device)?)
            .or_default() += 1;
    }
    let outcomes = seen
        .iter()
        .map(|(observation, count)| RecordedOutcome::new(*count, observation))
        .collect();
    let text = lowered_text(options.device, &case.program).map_err(DiffError::Device)?;
    let whole = host::program(&case.program)
        .map_err(|e| DiffError::Device(DeviceError::unsupported(e.to_string())))?
        .text;
    Ok(Recording {
        schema: Recording::SCHEMA,
        name: case.name.clone(),
        device: result.device,
        file: case.file.clone(),
        source_hash: fingerprint(case.source.as_bytes()),
        program: whole,
        text_hash: fingerprint(text.as_bytes()),
        entry: case.program.proc(setup.entry).name.to_string(),
        setup,
        outcomes,
        seconds: seconds.unwrap_or_default(),
    })
}

/// The text a device compiles.
fn lowered_text(device: DeviceKind, program: &Program) -> Result<String, DeviceError> {
    let lowered = match device {
        DeviceKind::Cuda => {
            let options = CudaOptions {
                extern_c: true,
                ..CudaOptions::default()
            };
            cuda::kernels(program, &options)
        }
        DeviceKind::OpenCl => opencl::kernels(program),
        DeviceKind::Interpreter => return Ok(String::new()),
    };
    Ok(lowered
        .map_err(|e| DeviceError::unsupported(e.to_string()))?
        .text)
}
