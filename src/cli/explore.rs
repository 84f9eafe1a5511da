//! `gridlock explore`

use super::judging::{LimitOptions, ProfileOptions};
use super::output::Output;
use super::progress::Progress;
use super::subject::{EntryOptions, SourceOptions};
use clap::ValueEnum;
use gridlock::closed::closed;
use gridlock::exit_status::ExitStatus;
use gridlock::input_error::{ErrorKind, InputError};
use gridlock::render;
use gridlock::render::profile_difference::ProfileDifference;
use gridlock::request::{Request, parse_sampling};
use gridlock_checker::explore::{ExploreOptions, Strategy, explore_program};
use gridlock_checker::replay;
use std::path::PathBuf;

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
  gridlock explore kernel.cu --block 2 --dot states.dot && dot -Tsvg states.dot > states.svg")]
pub struct Explore {
    /// CUDA C++ or C source
    file: PathBuf,
    #[command(flatten)]
    entry: EntryOptions,
    #[command(flatten)]
    profile: ProfileOptions,
    /// Explore under this profile too, and list how runs end under one of the two only
    #[arg(long, value_name = "NAME|FILE", help_heading = "Profile")]
    against: Option<String>,
    /// The inputs: `random:SEED:COUNT`, of which the first is taken
    #[arg(long, value_name = "INPUTS")]
    inputs: Option<String>,
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
    /// Write the graph of the states visited, for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    dot: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    source: SourceOptions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Oldest first: witnesses are shortest
    Breadth,
    /// Newest first
    Depth,
    /// A random one
    Random,
}

impl Explore {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let request = Request {
            profile: self.profile.profile()?,
            sampling: match &self.inputs {
                Some(text) => parse_sampling(text)?,
                None => Default::default(),
            },
            limits: self.limits.limits()?,
            device_limits: None,
            ..Request::default()
        };
        let closed = closed(
            &self.file,
            &self.source.parse_options(),
            &self.entry.request()?,
            &request,
        )?;
        let options = ExploreOptions {
            strategy: match self.order {
                Order::Breadth => Strategy::Breadth,
                Order::Depth => Strategy::Depth,
                Order::Random => Strategy::Random {
                    seed: request.sampling.seed,
                },
            },
            reduction: !self.no_reduction,
            exact: self.exact,
            graph: self.dot.is_some(),
            stop_at_first: self.stop_at_first,
        };
        let (program, profile) = (&closed.prepared.surface, &request.profile);
        let progress = Progress::start("exploring", None);
        let exploration =
            explore_program(program, &closed.setup, profile, &request.limits, &options)
                .map_err(|e| InputError::usage(e.to_string()))?;
        let mut defects = Vec::new();
        for finding in &exploration.findings {
            match replay::defect(program, &closed.setup, profile, finding, 0) {
                Some(defect) => defects.push(defect),
                None => tracing::error!("a {} did not replay", finding.kind.name()),
            }
        }
        drop(progress);
        if let (Some(path), Some(graph)) = (&self.dot, &exploration.graph) {
            std::fs::write(path, graph.to_dot()).map_err(|e| {
                InputError::new(ErrorKind::File, format!("cannot write: {e}"))
                    .in_file(path.display().to_string())
            })?;
        }
        let other = match &self.against {
            None => None,
            Some(name) => {
                let profile = gridlock::profiles::find(name)?;
                let explored =
                    explore_program(program, &closed.setup, &profile, &request.limits, &options)
                        .map_err(|e| InputError::usage(e.to_string()))?;
                Some((profile, explored))
            }
        };
        let difference = other.as_ref().map(|(other, explored)| {
            let names = [profile.name.as_str(), other.name.as_str()];
            ProfileDifference::new(names, [&exploration, explored])
        });
        let subject = &closed.subject;
        output.result(
            |sources, style| {
                let e = &exploration;
                let mut text =
                    render::exploration::exploration(e, subject, profile, &defects, sources, style);
                text.extend(difference.as_ref().map(|d| d.text(style)));
                text
            },
            || {
                let mut body = render::exploration::json(&exploration, subject, profile, &defects);
                if let (Some(fields), Some(difference)) = (body.as_object_mut(), &difference) {
                    fields.insert("against".to_owned(), difference.json());
                }
                body
            },
        );
        // What did not replay is no defect, but neither is the search's answer whole.
        let all_replayed = defects.len() == exploration.findings.len();
        let others_complete = other.as_ref().is_none_or(|(_, explored)| explored.complete);
        let complete = exploration.complete && others_complete && all_replayed;
        Ok(ExitStatus::of_exploration(complete, !defects.is_empty()))
    }
}
