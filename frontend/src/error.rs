//! Why a file gave no program.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The file cannot be read.
    File,
    /// clang refuses it.
    Syntax,
    /// It uses what the algebra has no meaning for.
    Unsupported,
    /// There is no usable clang.
    Clang,
    /// clang reached one of [`crate::request::ReadLimits`].
    Limit,
    /// The options for reading it are none.
    Options,
    /// Our bug.
    Internal,
}

/// An error with its place. Line and column count from 1 and are 0 when there is no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FrontendError {
    pub kind: ErrorKind,
    pub message: String,
    /// As the user gave it; empty when there is no place.
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl FrontendError {
    /// An error without a place.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> FrontendError {
        FrontendError {
            kind,
            message: message.into(),
            file: String::new(),
            line: 0,
            column: 0,
        }
    }

    /// The same error at a place.
    pub fn at(mut self, file: &str, line: u32, column: u32) -> FrontendError {
        self.file = file.to_string();
        self.line = line;
        self.column = column;
        self
    }
}

impl fmt::Display for FrontendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:", self.file)?;
            if self.line > 0 {
                write!(f, "{}:{}:", self.line, self.column)?;
            }
            write!(f, " ")?;
        }
        match self.kind {
            ErrorKind::Unsupported => write!(f, "not supported: {}", self.message),
            _ => write!(f, "{}", self.message),
        }
    }
}
