//! `gridlock replay`

use super::given::ProjectOptions;
use super::judging::WholeLimitOptions;
use super::output::Output;
use super::stepping;
use super::subject::SourceOptions;
use super::supervised::{self, Bounds};
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::page::pages;
use gridlock::report::render::replay::{Columns, json as replay_json};
use gridlock::report::stepping::stepper::Stepper;
use gridlock::report::stepping::timeline::Timeline;
use gridlock::run::witness;
use gridlock_checker::limits::too_many_threads;
use gridlock_frontend::ParseOptions;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Step through a witness, forward and back: one column a thread, one row a step
///
/// On a terminal it is stepped through with keys (`h` shows them); elsewhere, or with `--print`,
/// the same is printed. Exit status 0 when the defect shows again, 3 when it does not, 2 when the
/// witness no longer fits its program.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock check kernel.cu --grid 1 --block 64 --save-witness w.json
  gridlock replay w.json
  gridlock replay w.json --print --all
  gridlock replay w.json --watch s[0] --watch i
  gridlock replay w.json --html page.html
  gridlock replay w.json --all --format json")]
pub struct ReplayCommand {
    /// A witness that --save-witness or --witness-dir wrote
    witness: PathBuf,
    /// Print the whole run, also on a terminal
    #[arg(long)]
    print: bool,
    /// Step line by line instead of on the whole screen: n next, p previous, j N jump to step N,
    /// q quit
    #[arg(long, conflicts_with = "print")]
    step: bool,
    /// Show private steps too (computations no other thread can see)
    #[arg(long)]
    all: bool,
    /// Watch a cell `a[3]` or a variable `i`, `b0.t1:i` from the start (repeatable)
    #[arg(long, value_name = "NAME")]
    watch: Vec<String>,
    /// Write a page that shows the schedule as lanes, with source and values; it stands alone and
    /// opens in any browser
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    limits: WholeLimitOptions,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    project: ProjectOptions,
}

impl ReplayCommand {
    /// Somebody who steps through a run has the terminal, and the time.
    pub fn bounds(&self) -> Result<Option<Bounds>, InputError> {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        match self.step || is_terminal && !self.print {
            true => Ok(None),
            false => self.limits.bounds().map(Some),
        }
    }

    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        output.reads([self.witness.as_path()]);
        let witness = witness::read(&self.witness)?;
        output.reads([Path::new(&witness.file)]);
        output.writes(&self.html)?;
        output.speak_of(Path::new(&witness.file));
        if let Some(limit) = too_many_threads(&witness.setup) {
            return Ok(supervised::beyond(&limit, output));
        }
        let of = self.project.of(Path::new(&witness.file))?;
        let parse = ParseOptions {
            // As `check`, which found the witness.
            choose_instances: true,
            ..of.options(self.source.parse_options())
        };
        let replay = witness::follow(&witness, &parse)?;
        let status = match replay.reproduced {
            true => ExitStatus::Reached,
            false => ExitStatus::NotReached,
        };
        let style = output.style();
        let timeline = Timeline::new(&witness, &replay, self.all);
        let mut stepper = Stepper::new(timeline);
        for name in &self.watch {
            stepper.watch(name);
            if let Some(message) = stepper.message.take() {
                return Err(InputError::usage(format!("--watch: {message}")));
            }
        }
        if let Some(path) = &self.html {
            let command = format!("gridlock replay {}", self.witness.display());
            let page = pages::of_replay(&stepper.timeline, command, &mut output.sources);
            output.write(path, page.html())?;
        }
        if self.step && !output.is_json() {
            let columns = Columns::new(&stepper.timeline, style);
            stepping::line_by_line(&columns, output);
            return Ok(status);
        }
        let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let wants_screen = !self.print && self.html.is_none() && !output.is_json();
        if is_terminal && wants_screen {
            stepping::on_terminal(&mut stepper, &mut output.sources, style.colour).map_err(
                |e| InputError::new(ErrorKind::File, format!("the terminal cannot be used: {e}")),
            )?;
            // What was seen last stays on the terminal.
            output.line(&Columns::new(&stepper.timeline, style).conclusion());
            return Ok(status);
        }
        output.result(
            |_, style| Columns::new(&stepper.timeline, *style).listing_with(&stepper.watched),
            || replay_json(&witness, &replay),
        );
        Ok(status)
    }
}
