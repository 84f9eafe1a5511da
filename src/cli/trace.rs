//! `gridlock trace`

use super::judging::{ProfileOptions, WholeLimitOptions};
use super::output::Output;
use super::subject::{EntryOptions, SourceOptions};
use super::supervised;
use gridlock::input::error::InputError;
use gridlock::input::request::{Request, parse_sampling};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
use gridlock::report::schedule_text;
use gridlock::run::derivation::{End, derive};
use gridlock::subject::closed::closed;
use gridlock_checker::finding::ScheduleStep;
use gridlock_checker::limits::too_many_threads;
use gridlock_checker::replay::Counts;
use gridlock_checker::report::{Subject, SubjectLaunch};
use gridlock_checker::system::ExploredProgram;
use gridlock_frontend::ParseOptions;
use gridlock_semantics::setup::Launch;
use std::path::{Path, PathBuf};

/// Show one run as a derivation, rule by rule, on the reference semantics
///
/// It follows the schedule given, and from there on (or from the start) the one in which a thread
/// runs on as long as it can. Each step is one operator of the program that runs, in which memory is
/// read by an operator of its own: what it reads goes to a variable that the source does not have
/// (`t2 = load s[i]`). Other names are the source's. Exit status 0 when the run ended, 1 when it ended in a fault or
/// nobody could move, 3 when it was cut.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock trace kernel.cu --block 2
  gridlock trace kernel.cu --block 2 --profile paper-literal --schedule 'b0.t0+b0.t1'
  gridlock check kernel.cu --block 2 --save-witness w.json; gridlock trace --witness w.json
  gridlock trace sort.c --kernel bitonic_sort --arg n=4 --extent a=n --format json")]
pub struct Trace {
    /// CUDA C++, OpenCL C, C or scheme source
    #[arg(required_unless_present = "witness")]
    file: Option<PathBuf>,
    #[command(flatten)]
    entry: EntryOptions,
    #[command(flatten)]
    profile: ProfileOptions,
    /// The inputs: `random:SEED:COUNT`, of which the first is taken
    #[arg(long, value_name = "INPUTS")]
    inputs: Option<String>,
    /// Who moves, as `explore` shows it: `b0.t0+b0.t1, b0.t1 ×2` (`+` together, `×` or `x` how
    /// often, `(choice K)` for another result of the same step)
    #[arg(long, value_name = "STEPS")]
    schedule: Option<String>,
    /// Derive the run of a witness that --save-witness wrote: its program, launch, inputs, profile
    /// and schedule
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "schedule", "profile", "inputs"])]
    witness: Option<PathBuf>,
    /// Most steps to show
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    limit_depth: u64,
    #[command(flatten)]
    pub limits: WholeLimitOptions,
    #[command(flatten)]
    source: SourceOptions,
}

/// What is derived, along which schedule.
struct Run {
    system: ExploredProgram,
    subject: Subject,
    launch: Option<Launch>,
    schedule: Vec<ScheduleStep>,
    counts: Counts,
}

impl Trace {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let run = match (&self.witness, &self.file) {
            (Some(witness), _) => self.run_of_witness(witness)?,
            (None, Some(file)) => self.run_of_file(file)?,
            (None, None) => return Err(InputError::usage("a source or --witness is needed")),
        };
        let run = match run {
            Ok(run) => run,
            Err(limit) => return Ok(supervised::beyond(&limit, output)),
        };
        let derivation = derive(&run.system, &run.schedule, run.counts, self.limit_depth)
            .ok_or_else(|| InputError::usage(blocked(&run.schedule)))?;
        let (subject, profile) = (&run.subject, run.system.profile());
        output.speak_of(Path::new(&subject.file));
        output.result(
            |_, style| {
                let launch = run.launch.as_ref();
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

    /// The run, or the limit that it is beyond.
    fn run_of_witness(&self, path: &Path) -> Result<Result<Run, String>, InputError> {
        let witness = gridlock::run::witness::read(path)?;
        if let Some(why) = too_many_threads(&witness.setup) {
            return Ok(Err(why));
        }
        let system = gridlock::run::witness::system_of(
            &witness,
            &ParseOptions {
                choose_instances: true,
                ..self.source.parse_options()
            },
        )?;
        let mut launch = SubjectLaunch::default();
        if let Some(own) = &witness.setup.launch {
            launch.grid = Some(own.grid);
            launch.block = Some(own.block);
            launch.shared = Some(own.shared_bytes);
        }
        Ok(Ok(Run {
            system,
            subject: Subject {
                file: witness.file,
                kernel: witness.entry,
                launch,
                inputs: "those of the witness".to_owned(),
                host_launches: Vec::new(),
                host_tried: None,
            },
            launch: witness.setup.launch,
            counts: match witness.cycle.is_empty() {
                true => Counts::Visible,
                false => Counts::Every,
            },
            schedule: [witness.schedule, witness.cycle].concat(),
        }))
    }

    /// The run, or the limit that it is beyond.
    fn run_of_file(&self, file: &Path) -> Result<Result<Run, String>, InputError> {
        let request = Request {
            profile: self.profile.profile(file)?,
            sampling: match &self.inputs {
                Some(text) => parse_sampling(text)?,
                None => Default::default(),
            },
            device_limits: None,
            ..Request::default()
        };
        let schedule = self.schedule.as_deref().unwrap_or_default();
        let schedule = schedule_text::parse(schedule)?;
        let parse = self.source.parse_options();
        let closed = closed(file, &parse, &self.entry.request()?, &request)?;
        if let Some(why) = too_many_threads(&closed.setup) {
            return Ok(Err(why));
        }
        let system =
            ExploredProgram::new(&closed.prepared.surface, &closed.setup, &request.profile)
                .map_err(|e| InputError::usage(e.to_string()))?;
        Ok(Ok(Run {
            system,
            subject: closed.subject,
            launch: closed.setup.launch,
            schedule,
            counts: Counts::Visible,
        }))
    }
}

fn blocked(schedule: &[ScheduleStep]) -> String {
    format!(
        "the schedule `{}` cannot be followed: some step's actors cannot move as it says",
        schedule_text::text(schedule)
    )
}
