//! Places in source text.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Index of a file in [`crate::algebra::program::Program::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A range of source text. Lines and columns count from 1; line 0 means "no place"
/// (an operator made by a rule that has no source of its own).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// The text it is in.
    pub file: FileId,
    /// Of the first character.
    pub line: u32,
    /// Of the first character.
    pub column: u32,
    /// Of the last character.
    pub end_line: u32,
    /// Behind the last character.
    pub end_column: u32,
}

impl Span {
    /// The span of everything that has no place in a source text.
    pub const NONE: Span = Span {
        file: FileId(0),
        line: 0,
        column: 0,
        end_line: 0,
        end_column: 0,
    };

    /// Whether it is the span without a place.
    pub fn is_none(&self) -> bool {
        self.line == 0
    }
}

/// A source text a program was read from; `name` is the path as the user gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// The path as the user gave it.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
}
