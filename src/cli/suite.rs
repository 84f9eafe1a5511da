//! `gridlock suite`

use super::judging::LimitOptions;
use super::output::Output;
use super::progress::Progress;
use super::subject::SourceOptions;
use super::supervised::{self, Asked, Cut};
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::input::request::Request;
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::pages;
use gridlock::report::render;
use gridlock::suite::agreement::Row;
use gridlock::suite::baseline::Baseline;
use gridlock::suite::child::Children;
use gridlock::suite::finished::Finished;
use gridlock::suite::{self, Labelled};
use gridlock_boundary::program;
use gridlock_checker::verdict::Reason;
use gridlock_frontend::ParseOptions;
use serde_json::json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Judge a folder of kernels whose headers say what must come out
///
/// A header stands in the first comment lines: `// gridlock: verdict = refuted`, `kind =`,
/// `profile =`, `grid =`, `block =`, `arg = n=100`, `extent = a=n`, `contents = a=zero`, `why =`; `few-grid =`,
/// `few-block =` and `few-arg =` under profiles where any set of threads fires; or GPUVerify's
/// `//pass` or `//xfail:…` on line 1 and `//--gridDim=… --blockDim=…` on line 2, where writes of the same value are
/// no race without `--no-benign-tolerance`. An expectation of `passed` is met by
/// `proved`. A line that ends in `// <-- guilty` must be named by the defect found. A file
/// without a header is not judged, and named at the end; one whose header has a mistake in it is an error.
#[derive(Debug, clap::Args)]
#[command(mut_arg("limit_seconds", |option| option.help(
    "Seconds for one kernel, all engines together [default: 60]"
)))]
#[command(mut_arg("limit_bytes", |option| option.help(
    "Bytes a search may hold, at least 1 MiB; from 512 MiB on the process of a file, with all it starts, has no more \
     either"
)))]
#[command(after_help = "\
Examples:
  gridlock suite tests/corpus
  gridlock suite tests/corpus --format json
  gridlock suite tests/corpus --baseline yesterday.json
  gridlock suite tests/corpus --continue rows.jsonl
  gridlock suite kernels --profile cuda-hw --limit-seconds 10")]
pub struct Suite {
    /// Folder with .cu, .c and .cl files
    dir: PathBuf,
    /// Profile of files whose header names none
    #[arg(long, short, value_name = "NAME|FILE", default_value = "cuda")]
    profile: String,
    /// Device whose limits launches must keep, or `none`
    #[arg(long, value_name = "DEVICE", default_value = "none")]
    device_limits: String,
    /// Files judged at the same time [default: the number of processors]
    #[arg(long, short, value_name = "N")]
    jobs: Option<usize>,
    /// Seconds for one file, all its kernels and profiles together; then its process is stopped
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    file_seconds: f64,
    /// Keep rows in this file as they come, and do not judge again what stands there: so a suite that was
    /// stopped goes on where it was, with the same options
    #[arg(long = "continue", value_name = "FILE")]
    continued: Option<PathBuf>,
    /// An earlier run (`--format json`): only what got worse since then is a failure
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write a page with the rows; it stands alone and opens in any browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Judge this file in this process and print its rows (for the tool's own use)
    #[arg(long, value_name = "FILE", hide = true)]
    alone: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    source: SourceOptions,
}

impl Suite {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = Request {
            profile: gridlock::input::profiles::find(&self.profile)?,
            device_limits: (self.device_limits != "none").then_some(self.device_limits),
            limits: self.limits.limits()?,
            ..Request::default()
        };
        let mut parse = self.source.parse_options_within(&request.limits);
        parse.choose_instances = true;
        if let Some(file) = &self.alone {
            return judge_alone(file, &request, &parse, output);
        }
        if !(self.file_seconds.is_finite() && self.file_seconds > 0.0) {
            let given = self.file_seconds;
            return Err(InputError::usage(format!(
                "--file-seconds {given}: a number of seconds above 0"
            )));
        }
        let baseline = self.baseline.as_deref().map(Baseline::load).transpose()?;
        let jobs = match self.jobs {
            Some(0) => return Err(InputError::usage("--jobs 0: at least one")),
            Some(jobs) => jobs,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let folder = suite::read_folder(&self.dir)?;
        let mut rows = Vec::new();
        let kept = self.continued.as_deref().map(|path| {
            let judged = (&request.profile, &request.device_limits, &request.limits);
            let asked = format!("{judged:?} {} {:?}", self.file_seconds, self.source);
            Finished::open(path, asked)
        });
        let mut kept = kept.transpose()?;
        let mut corpus = folder.labelled;
        if let Some(kept) = &kept {
            corpus.retain(|labelled| match kept.rows_of(&labelled.path) {
                Some(known) => {
                    rows.extend(known.iter().cloned());
                    false
                }
                None => true,
            });
        }
        let signals = Asked::listen();
        let is_stopped = || signals.end_was_asked().is_some();
        let progress = Progress::start("judging", Some(corpus.len() as u64));
        let mut not_kept = Ok(());
        let found = match std::env::current_exe() {
            Ok(tool) => {
                let command = |labelled: &Labelled| {
                    let mut command = program::command(&tool);
                    command.args(alone(std::env::args_os().skip(1), &labelled.path));
                    supervised::as_worker(&mut command);
                    command
                };
                let children = Children {
                    command: &command,
                    seconds: self.file_seconds,
                    bytes: request.limits.bytes,
                    is_stopped: &is_stopped,
                };
                let mut done = |labelled: &Labelled, rows: &[Row]| {
                    progress.step(&labelled.path.display().to_string());
                    if let (Some(kept), true) = (&mut kept, not_kept.is_ok()) {
                        not_kept = kept.keep(&labelled.path, rows);
                    }
                };
                suite::run_in_children(&corpus, &request, &children, jobs, &mut done)
            }
            // Nobody knows where the tool is: then it is one process.
            Err(_) => {
                let mut done = |row: &Row| progress.step(&row.file);
                suite::run(&corpus, &request, &parse, jobs, &mut done)
            }
        };
        rows.extend(found);
        let interrupted = signals.end_was_asked();
        output.note(not_kept);
        drop(progress);
        rows.extend(folder.mistaken);
        rows.sort_by(|a, b| a.file.cmp(&b.file));
        let defines = &self.source.defines;
        if let Some(path) = &self.html {
            let n = rows.iter().filter(|row| row.agrees).count();
            let about = vec![format!("{n} of {} as expected", rows.len())];
            let title = format!("suite {}", self.dir.display());
            let page = pages::of_suite(&rows, &title, about, &mut output.sources);
            output.write_or_note(path, page.html());
        }
        let worse = baseline.map(|baseline| baseline.regressions(&self.dir, &rows));
        let as_expected = match &worse {
            Some(worse) => worse.is_empty(),
            None => rows.iter().all(|row| row.agrees),
        };
        output.result(
            |_, style| {
                let mut text = render::suite::suite(
                    &rows,
                    (&folder.unlabelled, worse.as_deref()),
                    &self.dir,
                    &request.profile.name,
                    style,
                );
                if !defines.is_empty() {
                    text.push_str(&format!("read with -D {}\n", defines.join(" -D ")));
                }
                if let Some(signal) = interrupted {
                    text.push_str(&format!("Cut short: {}\n", Cut::Signal(signal)));
                }
                text
            },
            || {
                json!({
                    "profile": render::json::profile(&request.profile),
                    "profiles": render::json::profiles(rows.iter().map(|row| &*row.profile)),
                    "dir": self.dir,
                    "defines": defines,
                    "rows": rows,
                    "totals": render::suite::totals(&rows),
                    "regressions": worse,
                    "unlabelled": folder.unlabelled,
                    "reason": interrupted.map(|_| Reason::Interrupted),
                })
            },
        );
        if interrupted.is_some() {
            // The rows that are missing are neither as expected nor not.
            let status = match rows.iter().all(|row| row.agrees) {
                true => ExitStatus::NotReached,
                false => ExitStatus::Refuted,
            };
            return Ok(output.status(status));
        }
        Ok(output.status(ExitStatus::of_expectations(as_expected)))
    }
}

/// The arguments of this command for one file: those given, and after the command's name what says which. The name
/// is part of the option, whatever it begins with.
fn alone(given: impl Iterator<Item = OsString>, file: &Path) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = given.collect();
    let mut option = OsString::from("--alone=");
    option.push(file);
    let after = arguments.iter().position(|argument| argument == "suite");
    arguments.insert(after.map_or(0, |at| at + 1), option);
    arguments
}

/// The child's part: the rows of one file on standard output.
fn judge_alone(
    file: &Path,
    request: &Request,
    parse: &ParseOptions,
    output: &mut Output,
) -> Result<ExitStatus, InputError> {
    let rows = suite::judge_alone(&suite::read_file(file)?, request, parse);
    let text = serde_json::to_string(&rows)
        .map_err(|error| InputError::new(ErrorKind::Internal, error.to_string()))?;
    output.print(&format!("{text}\n"));
    Ok(ExitStatus::Reached)
}
