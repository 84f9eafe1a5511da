//! Tokens of the rule language.

use super::error::{RuleError, TextPosition};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Ident(String),
    /// `$x`
    Meta(String),
    /// `$xs*`: the star stands right behind the name.
    Run(String),
    /// Value; whether it has the suffix `u`.
    Int(i128, bool),
    Text(String),
    Symbol(&'static str),
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub at: TextPosition,
    /// First on its line: such a `[` opens a condition, never a subscript.
    pub starts_line: bool,
    /// No space in front: joins `parallelise-loop` into one name.
    pub adjacent: bool,
}

/// Longest first.
const SYMBOLS: [&str; 48] = [
    "<<<", ">>>", "<<=", ">>=", "<=>", "->", "=>", "<+", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "|=", "&=", "+", "-", "*", "/", "%", "<",
    ">", "=", "!", "~", "&", "|", "^", "?", ":", ",", ";", ".", "(", ")", "[", "]",
];

pub fn tokens(file: &str, text: &str) -> Result<Vec<Token>, RuleError> {
    let mut found = Vec::new();
    let mut place = TextPosition { line: 1, column: 1 };
    let mut rest = text;
    let mut starts_line = true;
    let mut adjacent = false;
    'next: loop {
        let Some(first) = rest.chars().next() else {
            found.push(Token {
                kind: TokenKind::End,
                at: place,
                starts_line: true,
                adjacent: false,
            });
            return Ok(found);
        };
        if first == '\n' {
            (place.line, place.column) = (place.line + 1, 1);
            (starts_line, adjacent) = (true, false);
            rest = &rest[1..];
            continue;
        }
        if first.is_whitespace() {
            place.column += 1;
            adjacent = false;
            rest = &rest[first.len_utf8()..];
            continue;
        }
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        let (kind, length) = if first.is_ascii_alphabetic() || first == '_' {
            let length = word_length(rest);
            (TokenKind::Ident(rest[..length].to_owned()), length)
        } else if first == '$' {
            let length = 1 + word_length(&rest[1..]);
            if length == 1 {
                return Err(RuleError::new(file, place, "a name must follow `$`"));
            }
            let name = rest[1..length].to_owned();
            if rest[length..].starts_with('*') && !rest[length..].starts_with("*=") {
                (TokenKind::Run(name), length + 1)
            } else {
                (TokenKind::Meta(name), length)
            }
        } else if first.is_ascii_digit() {
            integer(file, place, rest)?
        } else if first == '"' {
            let Some(end) = rest[1..].find('"') else {
                return Err(RuleError::new(file, place, "this text has no closing `\"`"));
            };
            (TokenKind::Text(rest[1..=end].to_owned()), end + 2)
        } else {
            let known = SYMBOLS.iter().chain(&["{", "}"]);
            let symbol = known.copied().find(|s| rest.starts_with(s));
            let Some(symbol) = symbol else {
                let message = format!("`{first}` has no meaning here");
                return Err(RuleError::new(file, place, message));
            };
            (TokenKind::Symbol(symbol), symbol.len())
        };
        found.push(Token {
            kind,
            at: place,
            starts_line,
            adjacent,
        });
        for c in rest[..length].chars() {
            if c == '\n' {
                (place.line, place.column) = (place.line + 1, 1);
            } else {
                place.column += 1;
            }
        }
        rest = &rest[length..];
        (starts_line, adjacent) = (false, true);
        continue 'next;
    }
}

fn word_length(text: &str) -> usize {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.find(|c| !word(c)).unwrap_or(text.len())
}

fn integer(file: &str, at: TextPosition, text: &str) -> Result<(TokenKind, usize), RuleError> {
    let length = word_length(text);
    let digits = text[..length].trim_end_matches(['u', 'U']);
    let unsigned = digits.len() < length;
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => digits.parse::<i128>(),
    };
    match value {
        Ok(value) => Ok((TokenKind::Int(value, unsigned), length)),
        Err(_) => {
            let message = format!("`{}` is not an integer", &text[..length]);
            Err(RuleError::new(file, at, message))
        }
    }
}
