//! `gridlock normalise`

use super::judging::WholeLimitOptions;
use super::output::Output;
use super::progress::Progress;
use gridlock::input::error::{ErrorKind, InputError};
use gridlock::pipeline::rewriting;
use gridlock::report::exit_status::ExitStatus;
use gridlock_boundary::input;
use gridlock_transforms::ground::{
    Bank, GroundRules, Normaliser, NotFirstOrder, Reader, TermId, print,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Bring ground terms to normal form by rules: simplifiers and other systems without a program
///
/// Terms are written as in rules, one a line: `_f(_a, [1, 2])`. The system's rules have helper terms,
/// lists, integers and metavariables on both sides, no conditions, and `strategy main =
/// innermost(a <+ b <+ …)`. Exit status 0, or 3 when the fuel ran out before (not normal).
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gridlock normalise terms.txt --rules simplify.rules
  gridlock normalise terms.txt --rules simplify.rules --statistics
  gridlock normalise terms.txt --rules simplify.rules --trace")]
pub struct Normalise {
    /// Terms, one a line; empty lines and those that begin with // are passed over
    file: PathBuf,
    /// A rule system of the library by name, or a .rules file
    #[arg(long, short, value_name = "NAME|FILE")]
    rules: String,
    /// Most applications of rules to one term
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    fuel: u64,
    /// Rewrite each term as if it were the first, without what is known from those before
    #[arg(long)]
    each_anew: bool,
    /// Keep each application and show it, the first 10 000 of them
    #[arg(long)]
    trace: bool,
    /// Keep each application and show how many there were
    #[arg(long)]
    provenance: bool,
    /// How often each rule was applied, and how fast, in place of the normal forms
    #[arg(long)]
    statistics: bool,
    #[command(flatten)]
    pub limits: WholeLimitOptions,
}

/// Applications that `--trace` shows.
const MOST_SHOWN: usize = 10_000;

/// What came out.
struct Outcome<'r> {
    bank: Bank,
    rules: &'r GroundRules,
    normal: Vec<TermId>,
    by_rule: Vec<u64>,
    applied: u64,
    provenance: Vec<(u32, TermId)>,
    /// The line that was not normal when the fuel ran out, and how many rules were applied to it.
    spent: Option<(usize, u64)>,
    /// Rewriting alone, without reading and printing.
    took: Duration,
}

impl Normalise {
    pub fn run(self, output: &mut Output) -> Result<ExitStatus, InputError> {
        let system = rewriting::rule_system(&self.rules, Path::new(""))?;
        let name = self.file.display().to_string();
        let text = input::read_text(&self.file).map_err(|error| {
            InputError::new(ErrorKind::File, error.to_string()).in_file(name.clone())
        })?;
        let mut bank = Bank::default();
        let rules = GroundRules::new(&system, &mut bank).map_err(|error| self.refused(&error))?;
        let (mut terms, mut reader) = (Vec::new(), Reader::default());
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.trim_start().starts_with("//") {
                continue;
            }
            let term = reader.read(&mut bank, line).map_err(|error| {
                let column = error.column.min(u32::MAX as usize) as u32;
                InputError::new(ErrorKind::Syntax, error.message)
                    .in_file(name.clone())
                    .at(number as u32 + 1, column)
            })?;
            terms.push((number + 1, term));
        }
        let outcome = self.rewrite(bank, &rules, &terms);
        output.result(|_, _| self.text(&outcome), || self.json(&outcome));
        Ok(match outcome.spent {
            None => ExitStatus::Reached,
            Some(_) => ExitStatus::NotReached,
        })
    }

    fn refused(&self, error: &NotFirstOrder) -> InputError {
        let refused = InputError::new(ErrorKind::Unsupported, error.to_string());
        let refused = refused.in_file(self.rules.clone());
        match error {
            NotFirstOrder::Rule { line, column, .. } => refused.at(*line, *column),
            NotFirstOrder::Strategy => refused,
        }
    }

    fn rewrite<'r>(
        &self,
        mut bank: Bank,
        rules: &'r GroundRules,
        terms: &[(usize, TermId)],
    ) -> Outcome<'r> {
        let progress = Progress::start("rewriting", None);
        let mut normaliser = Normaliser::new(rules, self.trace || self.provenance);
        let mut normal = Vec::with_capacity(terms.len());
        let mut spent = None;
        let started = Instant::now();
        for &(line, term) in terms {
            if self.each_anew {
                normaliser.forget();
            }
            let before = normaliser.statistics().applied;
            match normaliser.normalise(&mut bank, term, self.fuel) {
                Ok(found) => normal.push(found),
                Err(error) => {
                    spent = Some((line, error.applied - before));
                    break;
                }
            }
        }
        let took = started.elapsed();
        drop(progress);
        Outcome {
            normal,
            by_rule: normaliser.statistics().by_rule.clone(),
            applied: normaliser.statistics().applied,
            provenance: normaliser.provenance().to_vec(),
            bank,
            rules,
            spent,
            took,
        }
    }

    fn text(&self, outcome: &Outcome<'_>) -> String {
        let mut text = String::new();
        if self.trace {
            let names: Vec<_> = outcome.rules.names().collect();
            for &(rule, before) in outcome.provenance.iter().take(MOST_SHOWN) {
                text.push_str(names[rule as usize]);
                text.push_str(": ");
                print(&outcome.bank, before, &mut text);
                text.push('\n');
            }
        }
        if self.trace
            && let Some(more) = outcome.provenance.len().checked_sub(MOST_SHOWN + 1)
        {
            text.push_str(&format!("… and {} more\n", more + 1));
        }
        if self.statistics || self.provenance {
            text.push_str(&statistics(outcome));
        } else {
            for &term in &outcome.normal {
                print(&outcome.bank, term, &mut text);
                text.push('\n');
            }
        }
        if let Some((line, applied)) = outcome.spent {
            text.push_str(&format!(
                "line {line}: not normal after {applied} applications of rules\n"
            ));
        }
        text
    }

    fn json(&self, outcome: &Outcome<'_>) -> serde_json::Value {
        let shown = |term: TermId| {
            let mut text = String::new();
            print(&outcome.bank, term, &mut text);
            text
        };
        let names = outcome.rules.names().map(|name| name.to_string());
        let by_rule: serde_json::Map<String, serde_json::Value> = names
            .zip(outcome.by_rule.iter().map(|n| json!(n)))
            .collect();
        json!({
            "normal": outcome.normal.iter().map(|term| shown(*term)).collect::<Vec<_>>(),
            "applied": outcome.applied,
            "by-rule": by_rule,
            "terms": outcome.bank.len(),
            "seconds": outcome.took.as_secs_f64(),
            "not-normal-line": outcome.spent.map(|(line, _)| line),
        })
    }
}

fn statistics(outcome: &Outcome<'_>) -> String {
    let mut text = String::new();
    for (name, times) in outcome.rules.names().zip(&outcome.by_rule) {
        text.push_str(&format!("{times:>12}  {name}\n"));
    }
    let seconds = outcome.took.as_secs_f64();
    let rate = outcome.applied as f64 / seconds.max(1e-9) / 1e6;
    text.push_str(&format!(
        "{:>12}  applications to {} terms in {seconds:.3} s, {rate:.1} million a second; {} different terms",
        outcome.applied,
        outcome.normal.len(),
        outcome.bank.len(),
    ));
    if !outcome.provenance.is_empty() {
        text.push_str("; each kept");
    }
    text.push('\n');
    text
}
