//! `gridlock trace`

use super::judging::ProfileOptions;
use super::output::Output;
use super::subject::{EntryOptions, SourceOptions};
use gridlock::closed::closed;
use gridlock::derivation::{End, derive};
use gridlock::exit_status::ExitStatus;
use gridlock::input_error::InputError;
use gridlock::render;
use gridlock::request::{Request, parse_sampling};
use gridlock_semantics::system::ProgramSystem;
use std::path::PathBuf;

/// Show one run as a derivation, rule by rule, on the reference semantics
///
/// Of the schedules it takes the one in which a thread runs on as long as it can. Exit status 0
/// when the run ended, 1 when it ended in a fault or nobody could move, 3 when it was cut.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock trace kernel.cu --block 2
  gridlock trace kernel.cu --block 2 --profile paper-literal
  gridlock trace sort.c --kernel bitonic_sort --arg n=4 --extent a=n --format json")]
pub struct Trace {
    /// CUDA C++ or C source
    file: PathBuf,
    #[command(flatten)]
    entry: EntryOptions,
    #[command(flatten)]
    profile: ProfileOptions,
    /// The inputs: `random:SEED:COUNT`, of which the first is taken
    #[arg(long, value_name = "INPUTS")]
    inputs: Option<String>,
    /// Most steps to show
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    limit_depth: u64,
    #[command(flatten)]
    source: SourceOptions,
}

impl Trace {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = Request {
            profile: self.profile.profile()?,
            sampling: match &self.inputs {
                Some(text) => parse_sampling(text)?,
                None => Default::default(),
            },
            device_limits: None,
            ..Request::default()
        };
        let parse = self.source.parse_options();
        let closed = closed(&self.file, &parse, &self.entry.request()?, &request)?;
        let system = ProgramSystem::new(
            closed.prepared.surface.clone(),
            closed.setup.clone(),
            request.profile.clone(),
        )
        .map_err(|e| InputError::usage(e.to_string()))?;
        let derivation = derive(&system, self.limit_depth);
        let (subject, profile) = (&closed.subject, &request.profile);
        output.result(
            |_, style| {
                let launch = closed.setup.launch.as_ref();
                render::derivation::derivation(&derivation, subject, profile, launch, style)
            },
            || render::derivation::json(&derivation, subject, profile),
        );
        Ok(match derivation.end {
            End::Final(_) => ExitStatus::Reached,
            End::Fault(_) | End::Stuck => ExitStatus::Refuted,
            End::Cut => ExitStatus::NotReached,
        })
    }
}
