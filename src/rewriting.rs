//! Applying rule systems of the library or of the user's own.

use crate::input_error::{ErrorKind, InputError};
use crate::pipeline::oracle::SolverOracle;
use gridlock_semantics::program::Program;
use gridlock_transforms::apply::{self, Derivation, Request};
use gridlock_transforms::rules::RuleSystem;
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
    apply::apply(program, system, request, &SolverOracle::default())
        .map_err(|error| InputError::usage(format!("rules `{}`: {error}", system.name())))
}
