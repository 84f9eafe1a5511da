//! `gridlock rewrite`

use super::judging::WholeLimitOptions;
use super::output::Output;
use super::progress::Progress;
use super::subject::{SourceOptions, pairs};
use gridlock::input::error::InputError;
use gridlock::pipeline::rewriting::{self, Trace};
use gridlock::report::exit_status::ExitStatus;
use gridlock::report::render;
use gridlock::words::rewriting_steps;
use gridlock_frontend::Unsupported;
use gridlock_transforms::rewriting::record::{Manner, Request};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Apply a rule system to a program and show what came out, and every application
///
/// Nothing is judged: whether the new program still does what the old one did is for `verify`,
/// `equiv` and `check`. Exit status 0 when rules were applied and the strategy came to its end, 3 when no
/// rule was applied, or the fuel ran out before the end (not normal).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock rewrite kernel.cu --rules shared-memory
  gridlock rewrite sort.c --rules parallelise-loop --param block=64
  gridlock rewrite kernel.cu --rules my.rules --strategy once --list
  gridlock rewrite kernel.cu --rules my.rules --trace --trace-file steps.json
  gridlock rewrite kernel.cu --replay steps.json")]
pub struct Rewrite {
    /// CUDA C++, OpenCL C, C or scheme source
    file: PathBuf,
    /// A rule system of the library by name, or a .rules file
    #[arg(
        long,
        short,
        value_name = "NAME|FILE",
        required_unless_present = "replay"
    )]
    rules: Option<String>,
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
    /// Show the derivation step by step: rule, place, what it matched, what it changed
    #[arg(long)]
    trace: bool,
    /// Write the steps to a file, for --replay
    #[arg(long, value_name = "FILE")]
    trace_file: Option<PathBuf>,
    /// Apply the steps of a trace at their places instead of a strategy; the first that does not apply is
    /// an error
    #[arg(long, value_name = "FILE", conflicts_with_all = ["strategy", "kernel", "params"])]
    replay: Option<PathBuf>,
    /// Try every rule the strategy asks for, also those the index rules out (for measurements)
    #[arg(long)]
    try_all: bool,
    #[command(flatten)]
    pub limits: WholeLimitOptions,
    #[command(flatten)]
    source: SourceOptions,
}

impl Rewrite {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        output.reads(
            [Some(&self.file), self.replay.as_ref()]
                .into_iter()
                .flatten()
                .map(PathBuf::as_path),
        );
        output.reads(self.rules.as_ref().map(Path::new));
        output.writes(&self.trace_file)?;
        let trace = self.replay.as_deref().map(Trace::load).transpose()?;
        let rules = match (&self.rules, &trace) {
            (Some(rules), _) => rules.clone(),
            (None, Some(trace)) => trace.rules.clone(),
            (None, None) => return Err(InputError::usage("no rules")),
        };
        let system = rewriting::rule_system(&rules, Path::new(""))?;
        let parsed = gridlock::input::source::parse(&self.file, &self.source.parse_options())?;
        output.reads(
            parsed
                .program
                .files
                .iter()
                .map(|file| Path::new(&*file.name)),
        );
        output.left_out(&parsed);
        match &self.kernel {
            Some(name) => rewriting::must_be_read(&parsed, name)?,
            None => output.not_read(&parsed, &self.file),
        }
        let request = Request {
            strategy: Some(self.strategy.clone()),
            params: pairs("param", &self.params)?,
            procedure: self.kernel.clone(),
            fuel: self.fuel,
        };
        let manner = Manner {
            keep_steps: self.trace || self.trace_file.is_some(),
            try_all: self.try_all,
        };
        let progress = Progress::start("rewriting", None);
        let derivation = match &trace {
            Some(trace) => rewriting::replay(&parsed.program, &system, trace)?,
            None => rewriting::rewrite_in(&parsed.program, &system, &request, manner)?,
        };
        drop(progress);
        let params = trace.map_or(request.params, |trace| trace.params);
        let steps = || rewriting_steps::json(&parsed.program, &derivation.steps);
        if let Some(file) = &self.trace_file {
            let steps = &derivation.steps;
            let trace = rewriting_steps::record(&rules, &params, &parsed.program, steps);
            output.write(file, format!("{trace:#}\n"))?;
        }
        output.result(
            |_, style| match self.trace {
                true => rewriting_steps::text(&parsed.program, &derivation, style),
                false => render::rewriting::rewriting(&derivation, self.list, style),
            },
            || {
                let mut object = render::rewriting::json(&derivation, system.name());
                object["not_read"] = parsed.unsupported.iter().map(not_read).collect();
                if self.trace {
                    // As it was given: a replay reads it again.
                    object["rules"] = json!(rules);
                    object["params"] = json!(params);
                    object["steps"] = json!(steps());
                }
                object
            },
        );
        Ok(
            match derivation.normal && !derivation.applications.is_empty() {
                true => ExitStatus::Reached,
                false => ExitStatus::NotReached,
            },
        )
    }
}

/// A procedure that could not be read, and why.
fn not_read(lost: &Unsupported) -> Value {
    json!({
        "procedure": lost.proc,
        "file": lost.file,
        "line": lost.line,
        "column": lost.column,
        "message": lost.message,
    })
}
