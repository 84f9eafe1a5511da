//! `gridlock suite`

use super::judging::LimitOptions;
use super::output::Output;
use super::progress::Progress;
use super::subject::SourceOptions;
use gridlock::exit_status::ExitStatus;
use gridlock::input_error::InputError;
use gridlock::render;
use gridlock::request::Request;
use gridlock::suite;
use serde_json::json;
use std::path::PathBuf;

/// Judge a folder of kernels whose headers say what must come out
///
/// A header stands in the first comment lines: `// gridlock: verdict = refuted`, `kind =`,
/// `profile =`, `grid =`, `block =`, `arg = n=100`, `extent = a=n`, `contents = a=zero`, `why =`; `few-grid =`,
/// `few-block =` and `few-arg =` under profiles where any set of threads fires; or GPUVerify's
/// `//pass`, `//xfail:…` and `//--gridDim=… --blockDim=…`. An expectation of `passed` is met by
/// `proved`. A line that ends in `// <-- guilty` must be named by the defect found. A file
/// without a header is not judged, and named at the end; one whose header has a mistake in it is an error.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock suite tests/corpus
  gridlock suite tests/corpus --format json
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
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    source: SourceOptions,
}

impl Suite {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = Request {
            profile: gridlock::profiles::find(&self.profile)?,
            device_limits: (self.device_limits != "none").then_some(self.device_limits),
            limits: self.limits.limits()?,
            ..Request::default()
        };
        let jobs = match self.jobs {
            Some(0) => return Err(InputError::usage("--jobs 0: at least one")),
            Some(jobs) => jobs,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        let folder = suite::read_folder(&self.dir)?;
        let corpus = folder.labelled;
        let progress = Progress::start("judging", Some(corpus.len() as u64));
        let parse = self.source.parse_options();
        let mut rows = suite::run(&corpus, &request, &parse, jobs, &mut |row| {
            progress.step(&row.file);
        });
        drop(progress);
        rows.extend(folder.mistaken);
        rows.sort_by(|a, b| a.file.cmp(&b.file));
        let all_agree = rows.iter().all(|row| row.agrees);
        output.result(
            |_, style| {
                render::suite::suite(
                    &rows,
                    &folder.unlabelled,
                    &self.dir,
                    &request.profile.name,
                    style,
                )
            },
            || {
                json!({
                    "profile": render::json::profile(&request.profile),
                    "profiles": render::json::profiles(rows.iter().map(|row| &*row.profile)),
                    "rows": rows,
                    "unlabelled": folder.unlabelled,
                })
            },
        );
        Ok(ExitStatus::of_expectations(all_agree))
    }
}
