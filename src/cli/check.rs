//! `gridlock check`

use super::judging::JudgeOptions;
use super::output::Output;
use super::progress::Progress;
use super::subject::{EntryOptions, SourceOptions};
use super::supervised::{self, Bounds, CutShort, Established, worker};
use super::witness_files::WitnessOptions;
use gridlock::input::deadline::Deadline;
use gridlock::input::error::InputError;
use gridlock::input::request::Request;
use gridlock::judge::check::{check_file, empty_judgement};
use gridlock::judge::preconditions::{self, Options, Vary};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
use std::collections::BTreeSet;
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
  gridlock check kernel.cu --require sizes --format json
  gridlock check kernel.cu --explain-conditions
  gridlock check kernel.cu --explain-conditions --vary block=1..64 --vary n=0..100 --extent a=n")]
pub struct Check {
    /// CUDA C++, OpenCL C, C or scheme source
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
    conditions: ConditionOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    witnesses: WitnessOptions,
}

/// Which launches to tell apart.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What must hold")]
struct ConditionOptions {
    /// Judge each kernel at many launches and arguments, say which are safe, and the simplest
    /// condition that tells them from the others; prove, if possible, that it suffices
    #[arg(long)]
    explain_conditions: bool,
    /// Values to try: `block=1..64`, `grid.y=1,2,4`, `n=0..100:5` (a scalar parameter), or for a
    /// pointer parameter its number of elements; both ends are included. What is neither varied
    /// nor fixed by --grid, --block or --arg takes values chosen from the kernel (repeatable)
    #[arg(long, value_name = "NAME=VALUES", requires = "explain_conditions")]
    vary: Vec<String>,
    /// Launches judged at most, for each kernel; --limit-seconds bounds their time
    #[arg(
        long,
        value_name = "N",
        default_value_t = Options::default().points,
        requires = "explain_conditions"
    )]
    vary_points: usize,
}

impl ConditionOptions {
    fn options(&self) -> Result<Option<Options>, InputError> {
        if self.vary_points == 0 {
            return Err(InputError::usage("--vary-points 0: a number above 0"));
        }
        let vary: Vec<Vary> = self
            .vary
            .iter()
            .map(|text| Vary::parse(text))
            .collect::<Result<_, _>>()?;
        let names: BTreeSet<&str> = vary.iter().map(|v| &*v.name).collect();
        if names.len() < vary.len() {
            return Err(InputError::usage("--vary: the same name twice"));
        }
        Ok(self.explain_conditions.then_some(Options {
            vary,
            points: self.vary_points,
        }))
    }
}

impl Check {
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        self.judge.limits.bounds()
    }

    pub fn cut_short(self, short: CutShort, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = self.judge.request(&self.file, &self.property)?;
        let empty = empty_judgement(&request);
        Ok(supervised::judgement(short, empty, &self.witnesses, output))
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = self.judge.request(&self.file, &self.property)?;
        let requirement = self.judge.requirement()?;
        output.reads([self.file.as_path()]);
        self.judge.profile.read_by(output);
        self.witnesses.check(output)?;
        let entry = self.entry.request()?;
        let options = self.conditions.options()?;
        let parse = self.source.parse_options_within(&request.limits);
        let progress = Progress::start(&format!("judging {}", self.file.display()), None);
        let judging = match (&options, &request.until) {
            // Half of the time is for what must hold.
            (Some(_), Some(until)) => Request {
                until: Some(Deadline::after(until.left() / 2.0)),
                ..request.clone()
            },
            _ => request.clone(),
        };
        let judgement = check_file(&self.file, &parse, &entry, &judging)?;
        if options.is_some() {
            worker::establish(|| Established::Whole(Box::new(judgement.clone())));
        }
        let explained = match &options {
            Some(options) => Some(preconditions::explain_file(
                &self.file,
                &parse,
                &entry,
                &request,
                options,
                &mut |what| progress.say(&format!("judging {what}")),
            )?),
            None => None,
        };
        drop(progress);
        output.speak_of(&self.file);
        let hint = self.witnesses.save(&judgement.defects, output);
        output.result(
            |sources, style| {
                let mut text = render::text::judgement(&judgement, &hint, sources, style);
                for explained in explained.iter().flatten() {
                    text.push('\n');
                    text.push_str(&render::preconditions::text(explained, style));
                }
                text
            },
            || {
                let mut report = render::json::judgement(&judgement);
                if let Some(explained) = &explained {
                    report["what_must_hold"] = serde_json::json!(explained);
                }
                report
            },
        );
        Ok(output.status(ExitStatus::of_judgement(&judgement, requirement)))
    }
}
