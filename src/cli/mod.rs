//! One file a subcommand. Only these files and `main` print.

mod check;
mod check_several;
mod completions;
mod device_cases;
mod device_runner;
mod devices;
mod diff;
mod equiv;
mod explore;
mod given;
mod gpu_run;
mod judging;
mod lift;
mod logging;
mod lower;
mod man;
mod normalise;
mod offload;
mod output;
mod part;
mod profiles;
mod progress;
mod prove;
mod replay;
mod rewrite;
mod screen;
mod sides;
mod stepping;
mod subject;
mod suite;
mod summarise;
pub mod supervised;
mod trace;
mod verify;
mod watched;
mod witness_files;

use clap::{CommandFactory, Parser, Subcommand};
use gridlock::input::error::InputError;
use gridlock::report::exit_status::ExitStatus;
use output::{Colour, Format, Output};
use std::ffi::OsString;
use supervised::{Bounds, CutShort};

const ABOUT: &str = "Does this GPU program still do what the original did, under every schedule \
                     the hardware may choose?";

const AFTER: &str = "\
Examples:
  gridlock check kernel.cu
  gridlock check kernel.cu --grid 4 --block 64 --arg n=200 --profile cuda-hw
  gridlock equiv before.cu after.cu --grid 4 --block 64
  gridlock verify examples/tree-sum/pipeline.toml
  gridlock offload program.c -o folder

Exit status:
  0  the required level is reached    1  refuted, different, or not as expected
  2  bad input or usage               3  undecided, or below the required level
What takes too long, too much memory, or is interrupted (SIGINT, SIGTERM) ends with the report of
what is known by then, and status 3, or 1 where a defect is.
Where a file that was asked for cannot be written, the report is printed all the same, with a
warning, and the status is 2, or 1 where it would be.";

/// Check, transform, compare and run GPU programs.
#[derive(Debug, Parser)]
#[command(name = "gridlock", version, about = ABOUT, after_help = AFTER)]
#[command(
    propagate_version = true,
    infer_long_args = false,
    max_term_width = 100
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct Global {
    /// How results are written to standard output
    #[arg(long, global = true, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    format: Format,
    /// With --format json: the report as text too, in the field `text`
    #[arg(long, global = true)]
    with_text: bool,
    /// Whether text has colours; `auto`: on a terminal only
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    color: Colour,
    /// Log to standard error what is being done; twice for every detail
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[expect(
    clippy::large_enum_variant,
    reason = "one is made in a run of the tool"
)]
#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
    Equiv(equiv::Equiv),
    Verify(verify::Verify),
    Explore(explore::Explore),
    Prove(prove::Prove),
    Summarise(summarise::Summarise),
    Offload(offload::Offload),
    Rewrite(rewrite::Rewrite),
    Normalise(normalise::Normalise),
    Lower(lower::Lower),
    Lift(lift::Lift),
    Diff(diff::Diff),
    Replay(replay::ReplayCommand),
    Trace(trace::Trace),
    Profiles(profiles::Profiles),
    Devices(devices::Devices),
    Suite(suite::Suite),
    Completions(completions::Completions),
    Man(man::Man),
    #[command(hide = true)]
    DeviceRunner(device_runner::DeviceRunner),
    #[command(hide = true)]
    GpuRun(gpu_run::GpuRun),
}

impl Command {
    const fn name(&self) -> &'static str {
        match self {
            Command::Check(_) => "check",
            Command::Equiv(_) => "equiv",
            Command::Verify(_) => "verify",
            Command::Explore(_) => "explore",
            Command::Prove(_) => "prove",
            Command::Summarise(_) => "summarise",
            Command::Offload(_) => "offload",
            Command::Rewrite(_) => "rewrite",
            Command::Normalise(_) => "normalise",
            Command::Lower(_) => "lower",
            Command::Lift(_) => "lift",
            Command::Diff(_) => "diff",
            Command::Replay(_) => "replay",
            Command::Trace(_) => "trace",
            Command::Profiles(_) => "profiles",
            Command::Devices(_) => "devices",
            Command::Suite(_) => "suite",
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
            Command::DeviceRunner(_) => "device-runner",
            Command::GpuRun(_) => "gpu-run",
        }
    }

    fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        match self {
            Command::Check(command) => command.run(output),
            Command::Equiv(command) => command.run(output),
            Command::Verify(command) => command.run(output),
            Command::Explore(command) => command.run(output),
            Command::Prove(command) => command.run(output),
            Command::Summarise(command) => command.run(output),
            Command::Offload(command) => command.run(output),
            Command::Rewrite(command) => command.run(output),
            Command::Normalise(command) => command.run(output),
            Command::Lower(command) => command.run(output),
            Command::Lift(command) => command.run(output),
            Command::Diff(command) => command.run(output),
            Command::Replay(command) => command.run(output),
            Command::Trace(command) => command.run(output),
            Command::Profiles(command) => command.run(output),
            Command::Devices(command) => command.run(output),
            Command::Suite(command) => command.run(output),
            Command::Completions(command) => command.run(Cli::command(), output),
            Command::Man(command) => command.run(Cli::command(), output),
            Command::DeviceRunner(command) => command.run(),
            Command::GpuRun(command) => command.run(output),
        }
    }
}

impl Command {
    /// The limits under which the command runs in a process of its own; `None` where it cannot take long, has
    /// the terminal, or looks after processes itself.
    ///
    /// # Errors
    /// A limit is none: seconds that are not a number would never end.
    fn bounds(&self) -> Result<Option<Bounds>, InputError> {
        let bounds = match self {
            Command::Check(command) => return command.bounds(),
            Command::Equiv(command) => command.bounds(),
            Command::Verify(command) => command.bounds(),
            Command::Explore(command) => command.bounds(),
            Command::Prove(command) => command.bounds(),
            Command::Summarise(command) => command.limits.bounds(),
            Command::Offload(command) => command.bounds(),
            Command::Rewrite(command) => command.limits.bounds(),
            Command::Normalise(command) => command.limits.bounds(),
            Command::Lower(command) => command.limits.bounds(),
            Command::Lift(command) => command.limits.bounds(),
            Command::Diff(command) => command.bounds(),
            Command::Replay(command) => return command.bounds(),
            Command::Trace(command) => command.limits.bounds(),
            Command::GpuRun(command) => return command.bounds(),
            Command::Profiles(_)
            | Command::Devices(_)
            | Command::Suite(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::DeviceRunner(_) => return Ok(None),
        };
        bounds.map(Some)
    }

    /// What is judged again whenever it changes, if that was asked for.
    fn watch(&self) -> Option<watched::Watch> {
        match self {
            Command::Check(command) => command.watch(),
            Command::Equiv(command) => command.watch(),
            _ => None,
        }
    }

    fn reads_standard_input(&self) -> bool {
        matches!(self, Command::Check(command) if command.reads_standard_input())
    }

    /// # Errors
    /// A format for findings, of a command that gives none.
    fn allows(&self, format: Format) -> Result<(), InputError> {
        let gives_findings = matches!(
            self,
            Command::Check(_) | Command::Equiv(_) | Command::Prove(_)
        );
        let name = match format {
            Format::Text | Format::Json => return Ok(()),
            Format::Sarif => "sarif",
            Format::Github => "github",
        };
        match gives_findings {
            true => Ok(()),
            false => Err(InputError::usage(format!(
                "--format {name}: `{}` gives no findings; check, equiv and prove do",
                self.name()
            ))),
        }
    }

    /// The report where the process that was to give it did not.
    fn cut_short(self, short: CutShort, output: &mut Output) -> Result<ExitStatus, InputError> {
        match self {
            Command::Check(command) => command.cut_short(short, output),
            Command::Equiv(command) => command.cut_short(short, output),
            Command::Prove(command) => command.cut_short(short, output),
            Command::Explore(command) => Ok(command.cut_short(short, output)),
            Command::Verify(_) => Ok(supervised::report(short, output)),
            _ => Ok(supervised::nothing(short, output)),
        }
    }
}

/// Runs the tool on `arguments` (the program's name first).
pub fn run(arguments: Vec<OsString>) -> ExitStatus {
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, &arguments),
    };
    logging::start(cli.global.verbose);
    let name = cli.command.name();
    let output = Output::new(name, cli.global.format, cli.global.color);
    let mut output = output.with_text(cli.global.with_text);
    // A process that runs a device is started by a worker, and is none; that of a file of a suite is one.
    let is_worker = !matches!(cli.command, Command::DeviceRunner(_)) && supervised::worker::begin();
    if let Some(part) = part::Part::asked().filter(|_| !is_worker) {
        part.end_with_it();
    }
    if let (Some(watch), false) = (cli.command.watch(), is_worker) {
        return watched::run(&watch, &arguments, output);
    }
    let bounds = match is_worker {
        true => Ok(None),
        false => cli.command.bounds(),
    };
    let input = match cli.command.reads_standard_input() && !is_worker {
        true => supervised::standard_input::kept().map(Some),
        false => Ok(None),
    };
    let allowed = cli.command.allows(cli.global.format).and(input);
    let ran = allowed.and_then(|input| {
        bounds.map(|bounds| bounds.and_then(|b| supervised::run(&b, &arguments, input)))
    });
    let result = match ran {
        Ok(Some(Ok(status))) => Ok(status),
        Ok(Some(Err(short))) => cli.command.cut_short(short, &mut output),
        Ok(None) => cli.command.run(&mut output),
        Err(error) => Err(error),
    };
    match result {
        Ok(status) => output.finish(status),
        Err(error) => {
            output.error(&error);
            output.finish(ExitStatus::of_error(&error))
        }
    }
}

/// Help and version are results; anything else clap says is an error of usage.
fn usage(error: &clap::Error, arguments: &[OsString]) -> ExitStatus {
    if !error.use_stderr() {
        let mut output = Output::new("", Format::Text, Colour::Auto);
        output.note_printed(error.print());
        return output.finish(ExitStatus::Reached);
    }
    if wants_json(arguments) {
        let command = arguments
            .iter()
            .skip(1)
            .filter_map(|a| a.to_str())
            .find(|a| !a.starts_with('-') && *a != "json")
            .unwrap_or("");
        let text = error.render().to_string();
        // The first paragraph says what is wrong; the rest repeats the usage.
        let message = text.split("\n\n").next().unwrap_or("").trim();
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let mut output = Output::new(command, Format::Json, Colour::Never);
        output.error(&InputError::usage(message));
        return output.finish(ExitStatus::BadInput);
    }
    // Standard error: there is nowhere left to say that it cannot be written to.
    let _ = error.print();
    ExitStatus::BadInput
}

/// Whether the format asked for is JSON, read by hand because the arguments did not parse.
fn wants_json(arguments: &[OsString]) -> bool {
    let texts: Vec<&str> = arguments.iter().filter_map(|a| a.to_str()).collect();
    texts.contains(&"--format=json") || texts.windows(2).any(|pair| pair == ["--format", "json"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_has_long_help_with_an_example() {
        for command in Cli::command().get_subcommands() {
            if command.is_hide_set() {
                continue;
            }
            let name = command.get_name();
            assert!(command.get_about().is_some(), "{name} has no description");
            let after = command.get_after_help().map(ToString::to_string);
            let example = format!("gridlock {name}");
            assert!(
                after.is_some_and(|text| text.contains(&example)),
                "{name} has no example"
            );
        }
    }
}
