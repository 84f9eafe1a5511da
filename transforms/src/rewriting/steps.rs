//! A derivation step by step: each application with its place in the term and the program behind it, so that
//! it can be shown and done again.

use crate::analysis::Oracle;
use crate::rewriting::apply::{Derivation, begin, end};
use crate::rewriting::record::{Application, Refusal, Request, Step, TransformError};
use crate::rewriting::stack::deeply;
use crate::rules::RuleSystem;
use crate::terms::conversion::TermProgram;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::print::{self, PrintOptions};
use serde::{Deserialize, Serialize};

/// A program between two steps as it is printed; `None` where helper terms keep it from being one.
fn printed(term: &TermProgram, original: &Program) -> Option<String> {
    let program = crate::rewriting::apply::finished(term.clone(), original).ok()?;
    Some(print::program(&program, PrintOptions::default()))
}

/// The term itself, which is written on one line, a line for each statement.
fn line_by_line(term: &TermProgram) -> String {
    let text = term.root.to_string().replace("; ", ";\n");
    text.replace("{ ", "{\n").replace(" }", "\n}")
}

/// The program before and after each step, printed so that the two can be compared.
pub fn texts(original: &Program, steps: &[Step]) -> Vec<(String, String)> {
    let first = TermProgram::from_program(original);
    let terms = std::iter::once(&first).chain(steps.iter().map(|step| &step.after));
    let all: Vec<(&TermProgram, Option<String>)> =
        terms.map(|term| (term, printed(term, original))).collect();
    let neighbours = all.windows(2);
    neighbours
        .map(|pair| match (&pair[0].1, &pair[1].1) {
            (Some(before), Some(after)) => (before.clone(), after.clone()),
            _ => (line_by_line(pair[0].0), line_by_line(pair[1].0)),
        })
        .collect()
}

/// What a step needs to be done again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Rule, place, bindings and assumptions.
    #[serde(flatten)]
    pub application: Application,
    /// As [`Step::path`].
    pub path: Vec<usize>,
}

impl Step {
    /// What a record keeps of the step.
    pub fn recorded(&self) -> Recorded {
        Recorded {
            application: self.application.clone(),
            path: self.path.clone(),
        }
    }
}

/// Why a derivation cannot be done again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The request does not fit the rule system, or what came out is no program.
    #[error(transparent)]
    Transform(#[from] TransformError),
    /// The first step that does not apply; counted from 1.
    #[error("step {number}: rule `{rule}` does not apply{place}: {why}")]
    Step {
        /// Counted from 1.
        number: usize,
        /// Name of the rule.
        rule: String,
        /// ` in kernel, line 3`, where the record says so.
        place: String,
        /// What was found in its stead, one phrase.
        why: String,
    },
}

/// Applies the recorded steps at the same places, and nothing else.
///
/// # Errors
/// The first step that does not apply, or that matches something else than was recorded.
pub fn replay(
    program: &Program,
    system: &RuleSystem,
    request: &Request,
    recorded: &[Recorded],
    oracle: &dyn Oracle,
) -> Result<Derivation, ReplayError> {
    deeply(|| again(program, system, request, recorded, oracle))?
}

fn again(
    program: &Program,
    system: &RuleSystem,
    request: &Request,
    recorded: &[Recorded],
    oracle: &dyn Oracle,
) -> Result<Derivation, ReplayError> {
    let mut rewriter = begin(program, system, request, oracle)?;
    rewriter.fuel = rewriter.fuel.max(recorded.len() as u64);
    rewriter.keeps_steps = true;
    for (index, step) in recorded.iter().enumerate() {
        let Recorded { application, path } = step;
        let failed = |why: String| ReplayError::Step {
            number: index + 1,
            rule: application.rule.clone(),
            place: match application.span.is_none() {
                true => format!(" in {}", application.procedure),
                false => format!(
                    " in {}, line {}",
                    application.procedure, application.span.line
                ),
            },
            why,
        };
        if system.rules().iter().all(|r| *r.name != application.rule) {
            return Err(failed(format!("`{}` has no such rule", system.name())));
        }
        let n_refusals = rewriter.refusals.len();
        let done = rewriter.rule(&application.rule, path);
        let applied = match done {
            Ok(applied) => applied,
            Err(crate::rewriting::rewriter::Stop::Error(error)) => return Err(error.into()),
            Err(crate::rewriting::rewriter::Stop::OutOfFuel) => {
                return Err(failed("out of fuel".into()));
            }
        };
        if !applied {
            let refusals = &rewriter.refusals[n_refusals..];
            let why = |refusal: &Refusal| match refusal.unknown {
                true => format!("`{}` could not be decided", refusal.condition),
                false => format!("`{}` does not hold", refusal.condition),
            };
            let why = refusals.last().map(why);
            return Err(failed(why.unwrap_or("its source does not match".into())));
        }
        let made = rewriter.applications.last().map(in_words);
        if let Some(made) = made.filter(|made| *made != in_words(application)) {
            return Err(failed(differences(&in_words(application), &made)));
        }
    }
    Ok(end(rewriter, program, true)?)
}

/// As it is recorded: of an assumption the words, without its formula.
fn in_words(application: &Application) -> Application {
    let mut recorded = application.clone();
    for assumption in &mut recorded.assumptions {
        assumption.formula = None;
    }
    recorded
}

fn differences(recorded: &Application, made: &Application) -> String {
    for (name, value) in &recorded.bindings {
        let now = made.bindings.get(name).map_or("", String::as_str);
        if now != value {
            return format!("`{name}` is `{now}`, recorded was `{value}`");
        }
    }
    if recorded.procedure != made.procedure {
        return format!("it is in {}", made.procedure);
    }
    if recorded.assumptions != made.assumptions {
        return "it assumes something else".into();
    }
    format!(
        "it is at line {}, column {}; recorded was line {}, column {}",
        made.span.line, made.span.column, recorded.span.line, recorded.span.column
    )
}
