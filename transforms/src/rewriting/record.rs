//! What is asked of a rewriting, and what is told of it.

use crate::terms::conversion::{NotAProgram, TermProgram};
use crate::terms::term::Term;
use gridlock_semantics::algebra::span::Span;
use serde::{Deserialize, Serialize};
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumption {
    /// Name of the rule.
    pub rule: String,
    /// The condition in the words of the program.
    pub text: String,
    /// The condition itself, over the program's variables; analyses are helper terms.
    #[serde(skip)]
    pub formula: Option<Term>,
}

/// One application of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Application {
    /// Name of the rule.
    pub rule: String,
    /// Procedure it happened in.
    pub procedure: String,
    /// Place in the source of what was replaced.
    pub span: Span,
    /// What each metavariable of the rule's source matched, printed.
    pub bindings: BTreeMap<String, String>,
    /// What it takes for granted.
    pub assumptions: Vec<Assumption>,
}

/// A place where a rule's source matched but a condition did not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Name of the rule.
    pub rule: String,
    /// Procedure it would have happened in.
    pub procedure: String,
    /// Place in the source of what would have been replaced.
    pub span: Span,
    /// The condition, as the rule file has it.
    pub condition: String,
    /// What it asks, in the words of the rule file, where it has any.
    pub asks: Option<String>,
    /// What of the program stands against it, in words, where that can be named.
    pub reason: Option<String>,
    /// False when the condition does not hold, true when no analysis could tell.
    pub unknown: bool,
}

/// A loop that no rule matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// Procedure it stands in.
    pub procedure: String,
    /// Its place in the source.
    pub span: Span,
    /// The rule that comes nearest, where the loop counts.
    pub rule: Option<String>,
    /// The first part of the loop that this rule does not match, in words.
    pub part: String,
}

/// How often a strategy asked for a rule at a place, and how often its left side was tried there: the
/// others the index ruled out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tries {
    /// Rules asked for at a place.
    pub asked: u64,
    /// Of these, the ones whose left side was tried.
    pub tried: u64,
}

/// What is kept of a rewriting, and how it is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Keep the program behind each application.
    pub keep_steps: bool,
    /// Try every rule asked for, without the index.
    pub try_all: bool,
}

/// Why a rewriting gave no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransformError {
    /// The request names a strategy that is not there.
    #[error("the rule system has no strategy `{name}` (it has: {known})")]
    UnknownStrategy {
        /// The name asked for.
        name: String,
        /// Those there are, in one line.
        known: String,
    },
    /// The request gives a parameter that is not there.
    #[error("the rule system has no parameter `{name}` (it has: {known})")]
    UnknownParameter {
        /// The name given.
        name: String,
        /// Those there are, in one line.
        known: String,
    },
    /// The value of a parameter is of the wrong kind.
    #[error("parameter `{name}`: `{value}` is not {expected}")]
    BadParameter {
        /// Of the parameter.
        name: String,
        /// The value given.
        value: String,
        /// What it must be, with its article.
        expected: &'static str,
    },
    /// The request names a procedure that is not there.
    #[error("the program has no procedure `{name}`")]
    UnknownProcedure {
        /// The name asked for.
        name: String,
    },
    /// A template cannot be built from what was matched.
    #[error("rule `{rule}`: {message}")]
    IllSorted {
        /// Name of the rule.
        rule: String,
        /// What does not fit.
        message: String,
    },
    /// The strategy ended in a term that is no program.
    #[error(transparent)]
    NotAProgram(#[from] NotAProgram),
    /// The operating system gave no thread; says why.
    #[error("cannot start a thread to rewrite in: {0}")]
    NoThread(String),
}

/// An application and what came out of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The application.
    pub application: Application,
    /// Child numbers, from the program down to the term the rule was applied to; those of a program between
    /// steps, where blocks stand in blocks.
    pub path: Vec<usize>,
    pub(crate) after: TermProgram,
}
