//! `gridlock explore`

use super::judging::{LimitOptions, ProfileOptions};
use super::output::Output;
use super::progress::Progress;
use super::subject::{EntryOptions, SourceOptions};
use super::supervised::{self, Bounds, CutShort, Established, ExploredSoFar, worker};
use super::witness_files::WitnessOptions;
use clap::ValueEnum;
use gridlock::input::deadline::Deadline;
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::input::request::{Request, parse_sampling};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::pages;
use gridlock::report::render;
use gridlock::report::render::profile_difference::ProfileDifference;
use gridlock::report::render::text::ReplayHint;
use gridlock::run::explored::Explored;
use gridlock::subject::closed::{Closed, closed};
use gridlock_boundary::input;
use gridlock_checker::explore::{Checkpoint, Engine, ExploreOptions, Strategy, explore_system_on};
use gridlock_checker::finding::Statistics;
use gridlock_checker::limits::{Limits, too_many_threads};
use gridlock_checker::report::defect::Defect;
use gridlock_checker::system::ExploredProgram;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::system::SetupError;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Visit the states of one launch: how many, how runs end, which defects, under any profile
///
/// Without a launch, one block of two threads. It lists what it finds and does not judge: exit
/// status 1 when there is a defect, 3 when a limit cut the search, 0 otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock explore kernel.cu --block 4
  gridlock explore kernel.cu --block 2 --profile paper --no-reduction
  gridlock explore kernel.cu --block 2 --profile paper-literal --against cuda
  gridlock explore kernel.cu --block 8 --limit-seconds 60 --checkpoint cut.search
  gridlock explore kernel.cu --block 8 --limit-seconds 600 --continue cut.search
  gridlock explore kernel.cu --block 6 --engine stateless
  gridlock explore kernel.cu --block 2 --dot states.dot && dot -Tsvg states.dot > states.svg
  gridlock explore kernel.cu --block 2 --html page.html")]
pub struct Explore {
    /// CUDA C++, OpenCL C, C or scheme source
    file: PathBuf,
    #[command(flatten)]
    entry: EntryOptions,
    #[command(flatten)]
    profile: ProfileOptions,
    /// Explore under this profile too, and list the ways runs end or get stuck and the defects
    /// under one of the two only, each with a schedule
    #[arg(long, value_name = "NAME|FILE", help_heading = "Profile")]
    against: Option<String>,
    /// The inputs: `random:SEED:COUNT`, of which the first is taken
    #[arg(long, value_name = "INPUTS")]
    inputs: Option<String>,
    /// How schedules are gone through
    #[arg(long, value_enum, default_value_t = EngineName::Stateful, help_heading = "Search")]
    engine: EngineName,
    /// Which state is expanded next
    #[arg(long, value_enum, default_value_t = Order::Breadth, help_heading = "Search")]
    order: Order,
    /// Visit every state, also those that can show nothing new
    #[arg(long, help_heading = "Search")]
    no_reduction: bool,
    /// Keep whole states instead of fingerprints
    #[arg(long, help_heading = "Search")]
    exact: bool,
    /// Stop at the first defect
    #[arg(long, help_heading = "Search")]
    stop_at_first: bool,
    /// Do not ask whether every run ends: safety only, in one search
    #[arg(long, help_heading = "Search")]
    no_termination: bool,
    /// When a limit cuts the search, keep it in this file, to be gone on with
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    checkpoint: Option<PathBuf>,
    /// Go on with the search kept in this file: same source, launch, profile and options, other
    /// limits
    #[arg(long = "continue", value_name = "FILE", help_heading = "Search")]
    continued: Option<PathBuf>,
    /// Write the graph of the states visited, for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    dot: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    witnesses: WitnessOptions,
    #[command(flatten)]
    source: SourceOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// Keep the states visited, expand each once
    Stateful,
    /// Follow runs, one for all that differ only in the order of independent steps, and keep no
    /// state: little memory, time by the number of runs. --limit-states counts steps
    Stateless,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Oldest first: witnesses are shortest
    Breadth,
    /// Newest first
    Depth,
    /// A random one
    Random,
    /// One in which threads are furthest from meeting at their barrier: finds divergence sooner
    Guided,
}

/// What a search that is interrupted has to end: some of a second, or as long as it takes to write what it has.
const WITHOUT_CHECKPOINT: Duration = Duration::from_millis(800);
const WITH_CHECKPOINT: Duration = Duration::from_secs(20);

impl Explore {
    pub fn bounds(&self) -> Result<Bounds, InputError> {
        Ok(Bounds {
            to_end: Some(match &self.checkpoint {
                None => WITHOUT_CHECKPOINT,
                Some(_) => WITH_CHECKPOINT,
            }),
            ..self.limits.bounds()?
        })
    }

    pub fn cut_short(self, short: CutShort, output: &mut Output) -> ExitStatus {
        let parse = self.source.parse_options();
        supervised::exploration(short, &self.witnesses.read_as(&parse), output)
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = Request {
            profile: self.profile.profile(&self.file)?,
            sampling: match &self.inputs {
                Some(text) => parse_sampling(text)?,
                None => Default::default(),
            },
            limits: self.limits.limits()?,
            device_limits: None,
            until: self.limits.until(),
            ..Request::default()
        };
        output.reads([self.file.as_path()]);
        self.profile.read_by(output);
        // A checkpoint may take the place of the one that is gone on from.
        if self.checkpoint != self.continued {
            output.reads(self.continued.as_deref());
        }
        output.writes(
            [&self.checkpoint, &self.dot, &self.witnesses.html]
                .into_iter()
                .flatten(),
        )?;
        self.witnesses.check(output)?;
        worker::end_gently();
        let closed = closed(
            &self.file,
            &self.source.parse_options_within(&request.limits),
            &self.entry.request()?,
            &request,
        )?;
        self.refuse_what_needs_states()?;
        let options = ExploreOptions {
            engine: match self.engine {
                EngineName::Stateful => Engine::Stateful,
                EngineName::Stateless => Engine::Stateless,
            },
            strategy: match self.order {
                Order::Breadth => Strategy::Breadth,
                Order::Depth => Strategy::Depth,
                Order::Random => Strategy::Random {
                    seed: request.sampling.seed,
                },
                Order::Guided => Strategy::Guided,
            },
            reduction: !self.no_reduction,
            exact: self.exact,
            graph: self.dot.is_some() || self.witnesses.html.is_some(),
            stop_at_first: self.stop_at_first,
        };
        let explore = |profile: &Profile, limits: &Limits| {
            let (program, setup) = (&closed.prepared.surface, &closed.setup);
            Explored::asking(
                !self.no_termination,
                program,
                setup,
                profile,
                limits,
                &options,
            )
            .map_err(|e| InputError::usage(e.to_string()))
        };
        let against = self.against.as_deref().map(gridlock::input::profiles::find);
        let against = against.transpose()?;
        let tell = |defects: &[Defect], statistics: Statistics| {
            worker::establish(|| {
                Established::Exploration(Box::new(ExploredSoFar {
                    profile: request.profile.clone(),
                    subject: closed.subject.clone(),
                    assumptions: closed.assumptions.clone(),
                    defects: defects.to_vec(),
                    statistics,
                }))
            });
        };
        tell(&[], Statistics::default());
        let progress = Progress::start("exploring", None);
        // The second search has what the first leaves of the time, and half at least.
        let limits = |n_searches: usize| Limits {
            seconds: request.deadline(n_searches).left(),
            ..request.limits
        };
        let n_searches = 1 + usize::from(against.is_some());
        let explored = match self.checkpoint.is_some() || self.continued.is_some() {
            true => self.explore_on(&closed, &request, &limits(n_searches), &options, output)?,
            false => explore(&request.profile, &limits(n_searches))?,
        };
        tell(&explored.defects, explored.exploration.statistics);
        let other = against.as_ref().map(|profile| explore(profile, &limits(1)));
        let other = other.transpose()?;
        drop(progress);
        let exploration = &explored.exploration;
        if let (Some(path), Some(graph)) = (&self.dot, &exploration.graph) {
            output.write_or_note(path, graph.to_dot());
        }
        let difference = other
            .as_ref()
            .map(|other| ProfileDifference::new([&explored, other]));
        let subject = &closed.subject;
        output.speak_of(Path::new(&subject.file));
        let hint = self
            .witnesses
            .clone()
            .read_as(&self.source.parse_options())
            .save(&explored.defects, output);
        if let Some(path) = &self.witnesses.html {
            let saved = |index: usize| match &hint {
                ReplayHint::Saved(files) => files.get(index).cloned().flatten(),
                ReplayHint::HowToSave => None,
            };
            let program = &closed.prepared.surface;
            let page =
                pages::of_exploration(&explored, subject, program, &saved, &mut output.sources);
            output.write_or_note(path, page.html());
        }
        output.result(
            |sources, style| {
                let assumed = &closed.assumptions;
                let mut text = render::exploration::exploration(
                    &explored, subject, assumed, &hint, sources, style,
                );
                text.extend(difference.as_ref().map(|d| d.text(style)));
                text
            },
            || {
                let mut body = render::exploration::json(&explored, subject, &closed.assumptions);
                if let (Some(fields), Some(difference)) = (body.as_object_mut(), &difference) {
                    fields.insert("against".to_owned(), difference.json());
                }
                body
            },
        );
        // What did not replay is no defect, but neither is the search's answer whole.
        let whole = |e: &Explored| e.exploration.complete && e.all_replayed;
        let complete = whole(&explored) && other.as_ref().is_none_or(whole);
        let status = ExitStatus::of_exploration(complete, !explored.defects.is_empty());
        Ok(output.status(status))
    }

    /// The search with checkpoints.
    fn explore_on(
        &self,
        closed: &Closed,
        request: &Request,
        limits: &Limits,
        options: &ExploreOptions,
        output: &mut Output,
    ) -> Result<Explored, InputError> {
        let deadline = Deadline::after(limits.seconds);
        let usage = |e: SetupError| InputError::usage(e.to_string());
        if too_many_threads(&closed.setup).is_some() {
            // Neither is there a checkpoint.
            let asked = !self.no_termination;
            let (program, setup) = (&closed.prepared.surface, &closed.setup);
            return Explored::asking(asked, program, setup, &request.profile, limits, options)
                .map_err(usage);
        }
        let (program, setup) = (&closed.prepared.surface, &closed.setup);
        let system = ExploredProgram::new(program, setup, &request.profile).map_err(usage)?;
        let in_file = |path: &PathBuf, text: String| {
            InputError::new(ErrorKind::File, text).in_file(path.display().to_string())
        };
        let from = match &self.continued {
            None => None,
            Some(path) => {
                // It is held whole, like the search.
                let bytes = input::read_up_to(path, request.limits.bytes);
                let bytes = bytes.map_err(|e| in_file(path, format!("cannot read: {e}")))?;
                let read = Checkpoint::of_bytes(bytes);
                Some(read.map_err(|e| in_file(path, e.to_string()))?)
            }
        };
        let searched = explore_system_on(&system, limits, options, from.as_ref());
        let (exploration, checkpoint) = searched.map_err(|e| match &self.continued {
            Some(path) => in_file(path, e.to_string()),
            None => InputError::usage(e.to_string()),
        })?;
        if let (Some(path), Some(checkpoint)) = (&self.checkpoint, checkpoint) {
            output.write_or_note(path, checkpoint.as_bytes());
        }
        let asked = !self.no_termination;
        Explored::of(
            exploration,
            asked,
            program,
            setup,
            &request.profile,
            (limits, deadline),
        )
        .map_err(usage)
    }

    /// What only a search that keeps states can do.
    fn refuse_what_needs_states(&self) -> Result<(), InputError> {
        let given = [
            (self.no_reduction, "--no-reduction"),
            (self.exact, "--exact"),
            (self.dot.is_some(), "--dot"),
            (self.order != Order::Breadth, "--order"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, option)) if self.engine == EngineName::Stateless => Err(InputError::usage(
                format!("{option} and --engine stateless: that search keeps no states"),
            )),
            _ => Ok(()),
        }
    }
}
