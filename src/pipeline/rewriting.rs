//! Applying rule systems of the library or of the user's own.

use crate::input::error::{ErrorKind, InputError};
use crate::input::source::unsupported_error;
use crate::pipeline::oracle::SolverOracle;
use gridlock_boundary::input;
use gridlock_checker::report::assumption::Assumption;
use gridlock_frontend::{Parsed, Unsupported};
use gridlock_semantics::algebra::program::Program;
use gridlock_transforms::rewriting::apply::{self, Derivation};
use gridlock_transforms::rewriting::record::{self, Manner, Request};
use gridlock_transforms::rewriting::steps::{self, Recorded, ReplayError};
use gridlock_transforms::rules::RuleSystem;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A rule system of the library by name, or the one in a `.rules` file relative to `folder`.
///
/// # Errors
/// An unknown name, a file that cannot be read, a rule that is refused (with its place).
pub fn rule_system(name: &str, folder: &Path) -> Result<RuleSystem, InputError> {
    if !name.ends_with(".rules") {
        return RuleSystem::built_in(name).ok_or_else(|| {
            let known: Vec<&str> = RuleSystem::built_in_names().collect();
            InputError::usage(format!(
                "no rule system `{name}` in the library (it has: {}); a file ends in .rules",
                known.join(", ")
            ))
        });
    }
    RuleSystem::load(&folder.join(name)).map_err(|error| {
        let kind = if error.line == 0 {
            ErrorKind::File
        } else {
            ErrorKind::Syntax
        };
        let located = InputError::new(kind, error.message).in_file(error.file);
        match error.line {
            0 => located,
            line => located.at(line, error.column),
        }
    })
}

/// Applies a system; what the rules' own analyses leave open the solver is asked.
///
/// # Errors
/// A strategy, parameter or procedure that does not exist; a rule that makes no program.
pub fn rewrite(
    program: &Program,
    system: &RuleSystem,
    request: &Request,
) -> Result<Derivation, InputError> {
    rewrite_in(program, system, request, Manner::default())
}

/// The same, in a given manner.
///
/// # Errors
/// As [`rewrite`].
pub fn rewrite_in(
    program: &Program,
    system: &RuleSystem,
    request: &Request,
    manner: Manner,
) -> Result<Derivation, InputError> {
    apply::apply_in(program, system, request, manner, &SolverOracle::default())
        .map_err(|error| InputError::usage(format!("rules `{}`: {error}", system.name())))
}

/// Refuses to rewrite a procedure that is in the source and could not be read.
///
/// # Errors
/// What of it could not be read, with its place.
pub fn must_be_read(parsed: &Parsed, procedure: &str) -> Result<(), InputError> {
    let is_it = |lost: &&Unsupported| lost.proc == procedure;
    let lost = parsed.unsupported.iter().find(is_it);
    match lost.filter(|_| parsed.program.find_proc(procedure).is_none()) {
        Some(lost) => Err(unsupported_error(lost)),
        None => Ok(()),
    }
}

/// What a rule took for granted where it was applied.
pub fn of_a_rule(assumed: &record::Assumption) -> Assumption {
    Assumption::RuleCondition {
        rule: assumed.rule.clone(),
        condition: assumed.text.clone(),
    }
}

/// A derivation as it is written down: the rule system, and the steps.
#[derive(Clone, Debug, Deserialize)]
pub struct Trace {
    /// By name, or a file as it was given.
    pub rules: String,
    /// Values of the system's parameters that differ from their defaults.
    #[serde(default)]
    pub params: BTreeMap<String, String>,
    /// The applications, in order.
    pub steps: Vec<Recorded>,
}

impl Trace {
    /// Reads what `gridlock rewrite --trace` wrote, with or without what is around it in JSON output.
    ///
    /// # Errors
    /// The file cannot be read, or is none.
    pub fn load(path: &Path) -> Result<Trace, InputError> {
        let name = path.display().to_string();
        let text = input::read_text(path).map_err(|error| {
            InputError::new(ErrorKind::File, error.to_string()).in_file(name.clone())
        })?;
        serde_json::from_str(&text).map_err(|error| {
            InputError::new(ErrorKind::Syntax, format!("no trace of rules: {error}"))
                .in_file(name)
                .at(error.line() as u32, error.column().max(1) as u32)
        })
    }
}

/// Applies the steps of a trace at their places.
///
/// # Errors
/// The first step that does not apply; what [`rewrite`] refuses.
pub fn replay(
    program: &Program,
    system: &RuleSystem,
    trace: &Trace,
) -> Result<Derivation, InputError> {
    let request = Request {
        params: trace.params.clone(),
        ..Request::default()
    };
    let oracle = SolverOracle::default();
    steps::replay(program, system, &request, &trace.steps, &oracle).map_err(|error| match error {
        ReplayError::Transform(error) => {
            InputError::usage(format!("rules `{}`: {error}", system.name()))
        }
        step @ ReplayError::Step { .. } => InputError::usage(step.to_string()),
    })
}
