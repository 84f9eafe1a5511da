//! `gridlock diff`

use super::judging::{LimitOptions, ProfileOptions};
use super::output::Output;
use super::progress::Progress;
use super::subject::{EntryOptions, SourceOptions};
use super::supervised::Bounds;
use clap::ValueEnum;
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::input::request::{Request, Sampling};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
use gridlock::subject::closed::closed;
use gridlock_lowering::device::{DeviceError, DeviceKind};
use gridlock_lowering::diff::{self, DiffError, DiffOptions};
use std::path::PathBuf;
use std::time::Duration;

/// Run a program on a device and compare what it leaves behind with the checker
///
/// The program is lowered, compiled and run in a child process. Exit status 0 when device and
/// checker agree, 1 when they differ, 3 when they could not be compared.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock diff kernel.cu --device opencl --grid 4 --block 64 --extent a=256
  gridlock diff sort.cu --kernel sort --arg n=1024 --extent a=n --device opencl --runs 10
  gridlock diff kernel.cu --device cuda --grid 4 --block 64 --extent a=256 --repeat 100")]
pub struct Diff {
    /// CUDA C++, OpenCL C, C or scheme source
    file: PathBuf,
    /// Where to run (see `gridlock devices`)
    #[arg(long, value_enum)]
    device: Device,
    #[command(flatten)]
    entry: EntryOptions,
    /// Number of different inputs
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: u32,
    /// Seed of the first input
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How often an input is run when its outcome depends on the schedule
    #[arg(long, value_name = "N", default_value_t = 20)]
    repeat: u32,
    /// Largest distance allowed between floats, in units in the last place
    #[arg(long, value_name = "N", default_value_t = 0)]
    ulps: u64,
    /// Seconds for the device
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time_limit: u64,
    #[command(flatten)]
    profile: ProfileOptions,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    source: SourceOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Device {
    /// The checker's own canonical run
    Interpreter,
    /// The first OpenCL device
    Opencl,
    /// A GPU through the CUDA driver
    Cuda,
}

/// Seconds for reading, lowering and comparing where none were asked for.
const DEFAULT_RUNS: f64 = 600.0;

impl Diff {
    /// The device has seconds of its own besides.
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        let mut bounds = self.limits.bounds()?;
        if bounds.each {
            bounds.seconds += DEFAULT_RUNS + self.time_limit as f64;
            bounds.each = false;
        }
        Ok(bounds)
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = Request {
            profile: self.profile.profile(&self.file)?,
            sampling: Sampling {
                seed: self.seed,
                ..Sampling::default()
            },
            limits: self.limits.limits()?,
            ..Request::default()
        };
        let parse = self.source.parse_options_within(&request.limits);
        let closed = closed(&self.file, &parse, &self.entry.request()?, &request)?;
        let options = DiffOptions {
            device: match self.device {
                Device::Interpreter => DeviceKind::Interpreter,
                Device::Opencl => DeviceKind::OpenCl,
                Device::Cuda => DeviceKind::Cuda,
            },
            runs: self.runs,
            seed: self.seed,
            repeat: self.repeat,
            ulps: self.ulps,
            profile: request.profile.clone(),
            limits: request.limits,
            child: std::env::current_exe().ok(),
            time_limit: Duration::from_secs(self.time_limit),
            until: None,
        };
        let progress = Progress::start("running", None);
        let outcome = diff::run(&closed.prepared.surface, &closed.setup, &options);
        drop(progress);
        if let Err(DiffError::Device(error) | DiffError::Checker(error)) = &outcome
            && let Some(error) = as_input_error(error)
        {
            return Err(error);
        }
        let subject = &closed.subject;
        output.result(
            |_, style| {
                let profile = &request.profile;
                render::differential::report(&outcome, subject, profile, style)
            },
            || render::differential::json(&outcome, subject),
        );
        Ok(match outcome {
            Ok(report) if report.agree => ExitStatus::Reached,
            // A device that hangs or dies where the checker finds nothing wrong disagrees.
            Ok(_) | Err(DiffError::Device(_)) => ExitStatus::Refuted,
            Err(DiffError::Checker(_)) => ExitStatus::NotReached,
        })
    }
}

/// Errors of what was asked, not of what was run.
fn as_input_error(error: &DeviceError) -> Option<InputError> {
    let kind = match error {
        DeviceError::Missing { .. } | DeviceError::Setup { .. } => ErrorKind::Usage,
        DeviceError::Unsupported { .. } => ErrorKind::Unsupported,
        _ => return None,
    };
    Some(InputError::new(kind, error.to_string()))
}
