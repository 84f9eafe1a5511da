//! Errors: why no program was made of a file.

use std::fmt;

/// What kind of error it is: the user's file, the options, the machine, or a mistake of this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The file cannot be read.
    File,
    /// clang, or the reader of schemes, rejects its text.
    Syntax,
    /// A construct at file scope has no meaning in the algebra, and concerns every procedure.
    Unsupported,
    /// There is no usable clang, or it failed without a diagnostic.
    Clang,
    /// clang reached one of the [`ReadLimits`](crate::ReadLimits).
    Limit,
    /// Some of the [`ParseOptions`](crate::ParseOptions) make no sense: `-D` without the name of a macro, or a
    /// standard that is not one word.
    Options,
    /// A mistake of this crate.
    Internal,
}

/// An error with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FrontendError {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong, without the place.
    pub message: String,
    /// The file's name as the user gave it; empty when the error has no place.
    pub file: String,
    /// The line, from 1; 0 when the error has no place in the file.
    pub line: u32,
    /// The column in bytes, from 1; 0 when the error has no place in the file.
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

/// A file that cannot be read or written: what was tried, and why it failed.
pub(crate) fn file_error(what: &str, error: &std::io::Error) -> FrontendError {
    FrontendError::new(ErrorKind::File, format!("{what}: {error}"))
}
