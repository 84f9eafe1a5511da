//! Runs in a child process, so that a hang is killed at a time limit and a crash is a result.
//! The child is the tool itself, called as `gridlock device-runner`: a JSON [`Job`] on stdin, a
//! JSON answer on stdout.

use crate::device::{DeviceError, DeviceInfo, DeviceKind, RunResult, open};
use gridlock_boundary::{child, program};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::Setup;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Name of the subcommand the child is called with.
pub const SUBCOMMAND: &str = "device-runner";

/// One program on one device, with one or more setups run one after another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Where the program is to run.
    pub device: DeviceKind,
    /// In surface form.
    pub program: Program,
    /// The runs to make, in order.
    pub setups: Vec<Setup>,
    /// How often each setup is run.
    pub repeat: u32,
}

/// What the child answers to a [`Job`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    /// The device that ran it.
    pub device: DeviceInfo,
    /// For each setup, its repetitions.
    pub runs: Vec<Vec<RunResult>>,
}

/// The child's side: reads a job, runs it, writes the result.
///
/// # Errors
/// Only those of the two streams; everything else is part of the answer.
pub fn serve(mut stdin: impl Read, mut stdout: impl Write) -> io::Result<()> {
    let mut text = String::new();
    stdin.read_to_string(&mut text)?;
    let answer: Result<JobResult, DeviceError> = match serde_json::from_str::<Job>(&text) {
        Ok(job) => run(&job),
        Err(error) => Err(DeviceError::setup(format!(
            "the job cannot be read: {error}"
        ))),
    };
    serde_json::to_writer(&mut stdout, &answer)?;
    stdout.flush()
}

/// Runs a job in this process.
///
/// # Errors
/// Those of [`open`]; what happens in a run is in its [`RunResult`].
pub fn run(job: &Job) -> Result<JobResult, DeviceError> {
    let mut device = open(job.device, &job.program)?;
    let runs = job
        .setups
        .iter()
        .map(|setup| (0..job.repeat.max(1)).map(|_| device.run(setup)).collect())
        .collect();
    Ok(JobResult {
        device: device.info().clone(),
        runs,
    })
}

/// Runs a job in a child process `exe device-runner`, killed after `limit`.
///
/// # Errors
/// Those of [`run`], [`DeviceError::TimedOut`] and [`DeviceError::Crashed`].
pub fn run_in_child(exe: &Path, job: &Job, limit: Duration) -> Result<JobResult, DeviceError> {
    let broken = |what: &str, error: &dyn std::fmt::Display| {
        DeviceError::api(&format!("{} {SUBCOMMAND}: {what}", exe.display()), error)
    };
    let text = serde_json::to_string(job).map_err(|e| broken("writing the job", &e))?;
    let mut command = program::command(exe);
    command
        .arg(SUBCOMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    child::dies_with_us(&mut command);
    let mut child = command.spawn().map_err(|e| broken("start", &e))?;
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(broken("start", &"no pipes"));
    };
    // Each stream in a thread of its own: none can block another.
    let writer = thread::spawn(move || {
        // A child that dies early closes the pipe; its status says so.
        let _ = stdin.write_all(text.as_bytes());
    });
    let reader = drain(stdout);
    let errors = drain(stderr);
    let status = wait(&mut child, limit).map_err(|e| broken("waiting", &e))?;
    let Some(status) = status else {
        return Err(DeviceError::TimedOut {
            seconds: limit.as_secs(),
        });
    };
    let join = |handle: thread::JoinHandle<Vec<u8>>| handle.join().unwrap_or_default();
    let (output, errors) = (join(reader), join(errors));
    // The writer ended with the pipe.
    drop(writer);
    if !status.success() {
        return Err(DeviceError::Crashed {
            status: status.to_string(),
            output: tail(&errors),
        });
    }
    match serde_json::from_slice::<Result<JobResult, DeviceError>>(&output) {
        Ok(answer) => answer,
        Err(error) => Err(DeviceError::Crashed {
            status: format!("{status}, but its answer cannot be read: {error}"),
            output: tail(&errors),
        }),
    }
}

fn drain(mut stream: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is kept.
        let _ = stream.read_to_end(&mut bytes);
        bytes
    })
}

/// Waits for the child; kills it at the limit and gives `None`.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<std::process::ExitStatus>> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= end {
            child::stop(child);
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The last lines of what a process said.
fn tail(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(10)..].join("\n")
}
