//! Errors of rule files, with their place.

use std::fmt;

/// A place in a rule file; lines and columns count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextPosition {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// A rule file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The file as the user gave it, or the name of a built-in system.
    pub file: String,
    /// From 1; 0 where the file as a whole is meant.
    pub line: u32,
    /// From 1, in characters; 0 where the file as a whole is meant.
    pub column: u32,
    /// What is wrong, one phrase.
    pub message: String,
}

impl RuleError {
    /// An error at a place of `file`.
    pub fn new(file: &str, at: TextPosition, message: impl Into<String>) -> RuleError {
        RuleError {
            file: file.to_owned(),
            line: at.line,
            column: at.column,
            message: message.into(),
        }
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RuleError {
            file,
            line,
            column,
            message,
        } = self;
        write!(f, "{file}:{line}:{column}: {message}")
    }
}

impl std::error::Error for RuleError {}
