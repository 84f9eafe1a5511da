//! `gridlock check`

use super::judging::JudgeOptions;
use super::output::Output;
use super::progress::Progress;
use super::subject::{EntryOptions, SourceOptions};
use super::witness_files::WitnessOptions;
use gridlock::check::check_file;
use gridlock::exit_status::ExitStatus;
use gridlock::input_error::InputError;
use gridlock::render;
use std::path::PathBuf;

/// Judge kernels: races, barriers, deadlock, bounds, uninitialised reads, arithmetic, assertions
///
/// With nothing but a file, every kernel in it and every property is judged. With a launch (by
/// --grid and --block, by a header comment or by host code in the file) that launch is judged;
/// without one, every launch, and where that cannot be decided a ladder of small launches. A
/// defect is reported only after it has been replayed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock check kernel.cu
  gridlock check kernel.cu --kernel scan --grid 2 --block 64 --arg n=100 --extent a=n
  gridlock check kernel.cu --property races,divergence --profile lockstep-warp
  gridlock check kernel.cu --grid 1 --block 64 --save-witness w.json; gridlock replay w.json
  gridlock check kernel.cu --require sizes --format json")]
pub struct Check {
    /// CUDA C++, C or scheme source
    file: PathBuf,
    #[command(flatten)]
    entry: EntryOptions,
    /// Properties to judge, separated by commas: races, divergence, deadlock, bounds,
    /// uninitialised-reads, arithmetic, assertions, host [default: all whose premises are there]
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NAMES",
        help_heading = "How to judge"
    )]
    property: Vec<String>,
    #[command(flatten)]
    judge: JudgeOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    witnesses: WitnessOptions,
}

impl Check {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = self.judge.request(&self.property)?;
        let requirement = self.judge.requirement()?;
        let entry = self.entry.request()?;
        let progress = Progress::start(&format!("judging {}", self.file.display()), None);
        let judgement = check_file(&self.file, &self.source.parse_options(), &entry, &request)?;
        drop(progress);
        let hint = self.witnesses.save(&judgement.defects)?;
        output.result(
            |sources, style| render::text::judgement(&judgement, &hint, sources, style),
            || render::json::judgement(&judgement),
        );
        Ok(ExitStatus::of_judgement(&judgement, requirement))
    }
}
