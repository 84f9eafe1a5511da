//! What is wrong with what the user gave us: exit status 2 with a place. Never a defect of the
//! program judged, never a bug of ours (those panic).

use serde::{Deserialize, Serialize};
use std::fmt;

/// The contract's `error.kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// The options or arguments of the command are wrong.
    Usage,
    /// A file cannot be read or written.
    File,
    /// A text is not of its language.
    Syntax,
    /// The input has a construct that the tool does not know.
    Unsupported,
    /// The launch does not fit the kernel or the device.
    Launch,
    /// Reading it took more than a limit allows. Nothing is known of it then: exit status 3.
    Limit,
    /// The tool or the machine failed; nothing the user gave is wrong.
    Internal,
}

impl ErrorKind {
    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::Usage => "usage",
            ErrorKind::File => "file",
            ErrorKind::Syntax => "syntax",
            ErrorKind::Unsupported => "unsupported",
            ErrorKind::Launch => "launch",
            ErrorKind::Limit => "limit",
            ErrorKind::Internal => "internal",
        }
    }
}

/// A located message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InputError {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong, in a sentence without a place.
    pub message: String,
    /// As the user named it; `None` where no file is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Where no function of a file can be read: what stands in the way of each. The error itself is that of the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
}

/// A function that cannot be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// Its name; an instance of a template has its arguments in it.
    pub function: String,
    /// What is missing, in a sentence without a place.
    pub message: String,
    /// Where that stands, which may be in a file that is included.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

impl InputError {
    /// An error without a place.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> InputError {
        InputError {
            kind,
            message: message.into(),
            file: None,
            line: None,
            column: None,
            unread: Vec::new(),
        }
    }

    /// An error of kind [`ErrorKind::Usage`].
    pub fn usage(message: impl Into<String>) -> InputError {
        InputError::new(ErrorKind::Usage, message)
    }

    /// An error of kind [`ErrorKind::Launch`].
    pub fn launch(message: impl Into<String>) -> InputError {
        InputError::new(ErrorKind::Launch, message)
    }

    /// With the file it is about.
    pub fn in_file(mut self, file: impl Into<String>) -> InputError {
        self.file = Some(file.into());
        self
    }

    /// With the place in that file; line and column from 1.
    pub fn at(mut self, line: u32, column: u32) -> InputError {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    /// The places that stand in the way of functions, in their order, each once, with the names of those functions.
    pub fn unread_places(&self) -> Vec<(&Unread, Vec<&str>)> {
        let mut places: Vec<(&Unread, Vec<&str>)> = Vec::new();
        for unread in &self.unread {
            let place = |u: &Unread| (u.file.clone(), u.line, u.column, u.message.clone());
            match places
                .iter_mut()
                .find(|(first, _)| place(first) == place(unread))
            {
                Some((_, functions)) => functions.push(&unread.function),
                None => places.push((unread, vec![&unread.function])),
            }
        }
        places
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            if let (Some(line), Some(column)) = (self.line, self.column) {
                write!(f, "{line}:{column}:")?;
            }
            write!(f, " ")?;
        }
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for InputError {}
