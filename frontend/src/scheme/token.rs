//! Tokens of the notation.

use gridlock_semantics::algebra::span::{FileId, Span};
use gridlock_semantics::algebra::types::ScalarType;
use std::sync::Arc;

/// A name. Several things of one scope may have the same text: `i`, `i#2`, `i#3`; the number only
/// tells them apart and is not part of the name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub text: Arc<str>,
    pub number: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Lexeme {
    Name(Name),
    /// A reserved word.
    Word(&'static str),
    /// `17`, `0xff`, `17u8`
    Int(u128, Option<ScalarType>),
    /// Digits as written, without the suffix: `1.5`, `2e-3f32`
    Float(Arc<str>, Option<ScalarType>),
    Symbol(&'static str),
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub lexeme: Lexeme,
    pub span: Span,
}

impl Lexeme {
    /// As messages show it.
    pub fn shown(&self) -> String {
        match self {
            Lexeme::Name(name) if name.number > 1 => format!("`{}#{}`", name.text, name.number),
            Lexeme::Name(name) => format!("`{}`", name.text),
            Lexeme::Word(word) | Lexeme::Symbol(word) => format!("`{word}`"),
            Lexeme::Int(value, _) => format!("the number {value}"),
            Lexeme::Float(digits, _) => format!("the number {digits}"),
            Lexeme::End => "the end of the file".to_owned(),
        }
    }
}

/// A span inside one line; columns count bytes from 1, as those of C sources.
pub fn in_line(line: u32, column: u32, length: u32) -> Span {
    Span {
        file: FileId(0),
        line,
        column,
        end_line: line,
        end_column: column + length,
    }
}
