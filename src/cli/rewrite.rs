//! `gridlock rewrite`

use super::output::Output;
use super::progress::Progress;
use super::subject::{SourceOptions, pairs};
use gridlock::exit_status::ExitStatus;
use gridlock::input_error::InputError;
use gridlock::render;
use gridlock::rewriting;
use gridlock_transforms::apply::Request;
use std::path::{Path, PathBuf};

/// Apply a rule system to a program and show what came out, and every application
///
/// Nothing is judged: whether the new program still does what the old one did is for `verify`,
/// `equiv` and `check`. Exit status 0 when the strategy came to its end, 3 when the fuel ran out
/// before (not normal).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock rewrite kernel.cu --rules shared-memory
  gridlock rewrite sort.c --rules parallelise-loop --param block=64
  gridlock rewrite kernel.cu --rules my.rules --strategy once --list")]
pub struct Rewrite {
    /// CUDA C++, OpenCL C, C or scheme source
    file: PathBuf,
    /// A rule system of the library by name, or a .rules file
    #[arg(long, short, value_name = "NAME|FILE")]
    rules: String,
    /// A strategy the rule system defines
    #[arg(long, short, value_name = "NAME", default_value = "main")]
    strategy: String,
    /// Value of a parameter of the rule system (repeatable)
    #[arg(long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// Rewrite only this procedure
    #[arg(long, short, value_name = "NAME", visible_alias = "procedure")]
    kernel: Option<String>,
    /// Most applications of rules and turns of `repeat`
    #[arg(long, value_name = "N", default_value_t = Request::default().fuel)]
    fuel: u64,
    /// Show where each rule was applied with what it matched, and where it was refused
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    source: SourceOptions,
}

impl Rewrite {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let system = rewriting::rule_system(&self.rules, Path::new(""))?;
        let parsed = gridlock::source::parse(&self.file, &self.source.parse_options())?;
        let request = Request {
            strategy: Some(self.strategy),
            params: pairs("param", &self.params)?,
            procedure: self.kernel,
            fuel: self.fuel,
        };
        let progress = Progress::start("rewriting", None);
        let derivation = rewriting::rewrite(&parsed.program, &system, &request)?;
        drop(progress);
        output.result(
            |_, style| render::rewriting::rewriting(&derivation, self.list, style),
            || render::rewriting::json(&derivation, system.name()),
        );
        Ok(match derivation.normal {
            true => ExitStatus::Reached,
            false => ExitStatus::NotReached,
        })
    }
}
