//! What is asked of a transformation and what comes out.

use crate::conversion::NotAProgram;
use gridlock_semantics::program::Program;
use gridlock_semantics::span::Span;
use std::collections::BTreeMap;

/// How to apply a rule system.
#[derive(Clone, Debug)]
pub struct Request {
    /// A strategy of the rule file; `main` when not said.
    pub strategy: Option<String>,
    /// Values of the system's parameters that differ from their defaults.
    pub params: BTreeMap<String, String>,
    /// Only this procedure is rewritten; all when not said.
    pub procedure: Option<String>,
    /// Applications of rules and turns of `repeat` allowed.
    pub fuel: u64,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            strategy: None,
            params: BTreeMap::new(),
            procedure: None,
            fuel: 10_000,
        }
    }
}

/// Something a rule takes for granted: the checker is to discharge it, or the report states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    pub rule: String,
    /// The condition in the words of the program.
    pub text: String,
}

/// One application of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    pub rule: String,
    /// Procedure it happened in.
    pub procedure: String,
    /// Place in the source of what was replaced.
    pub span: Span,
    /// What each metavariable of the rule's source matched, printed.
    pub bindings: BTreeMap<String, String>,
    pub assumptions: Vec<Assumption>,
}

/// A place where a rule's source matched but a condition did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub rule: String,
    pub procedure: String,
    pub span: Span,
    /// The condition, as the rule file has it.
    pub condition: String,
    /// False when the condition does not hold, true when no analysis could tell.
    pub unknown: bool,
}

/// The outcome of a rewriting.
#[derive(Clone, Debug)]
pub struct Derivation {
    pub program: Program,
    pub applications: Vec<Application>,
    /// False when the fuel ran out before the strategy was done.
    pub normal: bool,
    /// Of all applications, without repetition.
    pub assumptions: Vec<Assumption>,
    /// Why rules did not apply, first refusal of each rule and place.
    pub refusals: Vec<Refusal>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformError {
    #[error("the rule system has no strategy `{name}` (it has: {known})")]
    UnknownStrategy { name: String, known: String },
    #[error("the rule system has no parameter `{name}` (it has: {known})")]
    UnknownParameter { name: String, known: String },
    #[error("parameter `{name}`: `{value}` is not {expected}")]
    BadParameter {
        name: String,
        value: String,
        expected: &'static str,
    },
    #[error("the program has no procedure `{name}`")]
    UnknownProcedure { name: String },
    #[error("rule `{rule}`: {message}")]
    IllSorted { rule: String, message: String },
    #[error(transparent)]
    NotAProgram(#[from] NotAProgram),
}
