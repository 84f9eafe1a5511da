//! `gridlock gpu-run`: the example programs on a device, compared with the interpreter and
//! recorded.

use super::device_cases;
use super::judging::above_zero;
use super::output::Output;
use super::supervised::Bounds;
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::input::request::Request;
use gridlock::pipeline::gpu_cases::{self, PreparedCase};
use gridlock::report::exit_status::ExitStatus;
use gridlock_boundary::input;
use gridlock_checker::limits::Limits;
use gridlock_lowering::device::{DeviceError, DeviceKind};
use gridlock_lowering::diff::{DiffError, DiffOptions};
use gridlock_lowering::gpu_run::{self, GpuRunError};
use gridlock_semantics::profile::Profile;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Run the example programs on a device, compare with the interpreter, write recordings
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock gpu-run --prepare gpu-cases.json            where clang is
  gridlock gpu-run --cases gpu-cases.json              where the GPU is
  gridlock gpu-run --kernels tests/corpus              labelled kernels instead
  gridlock gpu-run --device opencl --no-recordings")]
pub struct GpuRun {
    /// Where to run
    #[arg(long, value_name = "DEVICE", default_value = "cuda")]
    #[arg(value_parser = ["cuda", "opencl", "interpreter"])]
    device: String,
    /// Write the cases, ready to run, here and run nothing
    #[arg(long, value_name = "FILE", conflicts_with = "cases")]
    prepare: Option<PathBuf>,
    /// Run the cases in this file instead of reading the sources
    #[arg(long, value_name = "FILE")]
    cases: Option<PathBuf>,
    /// Run the labelled kernels of this file or folder that are right at their launch, and record nothing
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "cases")]
    kernels: Vec<PathBuf>,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Folder recordings are written to
    #[arg(long, value_name = "DIR", default_value = "tests/recordings")]
    recordings: PathBuf,
    /// Write no recordings
    #[arg(long)]
    no_recordings: bool,
    /// Seconds for all cases together; a case that they do not reach for is said to fail
    #[arg(long, value_name = "SECONDS", default_value_t = 1800.0)]
    #[arg(allow_negative_numbers = true, help_heading = "Limits")]
    limit_seconds: f64,
}

impl GpuRun {
    /// Where a file of cases is read, which may be large. Of seconds alone: a device's driver takes memory as it
    /// likes.
    pub fn bounds(&self) -> Result<Option<Bounds>, InputError> {
        let seconds = above_zero("limit-seconds", self.limit_seconds)?;
        Ok(self.cases.is_some().then_some(Bounds {
            seconds,
            each: false,
            bytes: u64::MAX,
            to_end: None,
        }))
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let seconds = above_zero("limit-seconds", self.limit_seconds)?;
        let whole = Duration::try_from_secs_f64(seconds).ok();
        let until = whole.and_then(|whole| Instant::now().checked_add(whole));
        let mut cases = match &self.cases {
            Some(path) => read(path)?,
            None if self.kernels.is_empty() => gpu_cases::prepare(Path::new(""))?,
            None => self.labelled(output)?,
        };
        if let Some(path) = &self.prepare {
            cases.retain(|case| match is_read_back(case) {
                Ok(()) => true,
                Err(why) => {
                    output.line(&format!("{:24} left out: {why}", case.name));
                    false
                }
            });
            let text = serde_json::to_string(&cases).expect("cases are plain data");
            output.write(path, text)?;
            output.line(&format!("{} cases in {}", cases.len(), path.display()));
            return Ok(ExitStatus::Reached);
        }
        let options = DiffOptions {
            device: DeviceKind::named(&self.device).unwrap_or(DeviceKind::Cuda),
            runs: 3,
            seed: 1,
            repeat: 10,
            ulps: 0,
            profile: Profile::default(),
            limits: Limits::default(),
            child: std::env::current_exe().ok(),
            time_limit: Duration::from_secs(60),
            until,
        };
        let folder = (!self.no_recordings).then_some(&self.recordings);
        let mut all_agree = true;
        let mut is_cut = false;
        let mut rows: Vec<Value> = Vec::new();
        for case in cases.into_iter().filter(|c| c.name.contains(&self.only)) {
            let (name, is_labelled) = (case.name.clone(), case.is_labelled);
            let folder = folder.filter(|_| !is_labelled);
            match gpu_run::run(&case.into(), &options, folder) {
                Ok(result) => {
                    all_agree &= result.report.agree;
                    let report = &result.report;
                    let word = match report.agree {
                        // It came to its end, and its assertions held.
                        true if report.cells == 0 && report.histogram.is_empty() => {
                            "ends, nothing to compare"
                        }
                        true => "agrees",
                        false => "DIFFERS",
                    };
                    output.line(&format!(
                        "{name:24} {word}, {} runs, {} cells, {:.6} s a launch on {}",
                        result.report.runs,
                        result.report.cells,
                        result.report.best_seconds,
                        result.report.device.name
                    ));
                    rows.push(json!({
                        "name": name,
                        "agree": result.report.agree,
                        "report": result.report,
                        "recording": result.recording,
                    }));
                }
                Err(GpuRunError::Diff(DiffError::Device(error @ DeviceError::Missing { .. })))
                    if rows.iter().all(|row| row.get("not_run").is_some()) =>
                {
                    return Err(InputError::usage(error.to_string()));
                }
                Err(GpuRunError::Diff(
                    DiffError::Device(error @ DeviceError::Unsupported { .. })
                    | DiffError::Checker(error),
                )) if is_labelled => {
                    output.line(&format!("{name:24} not run: {error}"));
                    rows.push(json!({ "name": name, "not_run": error.to_string() }));
                }
                Err(GpuRunError::Diff(DiffError::Device(error)))
                    if rows.is_empty() && !is_limit(&error) && !is_labelled =>
                {
                    // The first case tells whether there is such a device at all.
                    return Err(InputError::usage(error.to_string()));
                }
                Err(error) => {
                    match &error {
                        GpuRunError::Diff(DiffError::Device(e) | DiffError::Checker(e))
                            if is_limit(e) =>
                        {
                            is_cut = true;
                        }
                        _ => all_agree = false,
                    }
                    output.line(&format!("{name:24} FAILS: {error}"));
                    rows.push(
                        json!({ "name": name, "agree": false, "failure": error.to_string() }),
                    );
                }
            }
        }
        if output.is_json() {
            output.result(|_, _| String::new(), || json!({ "cases": rows }));
        }
        Ok(match is_cut && all_agree {
            true => ExitStatus::NotReached,
            false => ExitStatus::of_expectations(all_agree),
        })
    }

    /// The labelled kernels asked for; which of them are no cases is said.
    fn labelled(&self, output: &mut Output) -> Result<Vec<PreparedCase>, InputError> {
        let request = Request::default();
        let mut cases = Vec::new();
        for path in &self.kernels {
            let found = device_cases::prepare(path, &request)?;
            cases.extend(found.cases);
            for (file, why) in found.left_out {
                output.line(&format!("{file} not run: {why}"));
            }
        }
        match cases.is_empty() {
            true => Err(InputError::usage(
                "no labelled kernel here that is right at a launch",
            )),
            false => Ok(cases),
        }
    }
}

/// A reader of JSON goes only so deep.
fn is_read_back(case: &PreparedCase) -> Result<(), serde_json::Error> {
    let text = serde_json::to_string(&[case])?;
    serde_json::from_str::<Vec<PreparedCase>>(&text).map(|_| ())
}

fn is_limit(error: &DeviceError) -> bool {
    matches!(
        error,
        DeviceError::Limit { .. } | DeviceError::TimedOut { .. }
    )
}

fn read(path: &Path) -> Result<Vec<PreparedCase>, InputError> {
    let name = path.display().to_string();
    let text = input::read_text(path).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot read: {e}")).in_file(&name)
    })?;
    serde_json::from_str(&text).map_err(|e| {
        InputError::new(ErrorKind::Syntax, e.to_string())
            .in_file(&name)
            .at(e.line() as u32, e.column().max(1) as u32)
    })
}
