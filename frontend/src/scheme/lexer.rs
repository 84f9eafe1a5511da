//! From text to tokens.

use super::literal::number;
use super::problem::{Problem, Reading};
use super::token::{Lexeme, Name, Token, in_line};
use super::words;
use gridlock_semantics::algebra::span::Span;

/// Longest first.
const SYMBOLS: [&str; 32] = [
    "====", ":=", "::", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "&",
    "|", "^", "~", "?", ":", ",", ";", ".", "(", ")", "[", "]", "{", "}", "#",
];

/// What other languages write, and what is written here.
const FOREIGN: [(&str, &str); 6] = [
    ("&&", "write `AND`"),
    ("||", "write `OR`"),
    ("+=", "write `x := x + …`"),
    ("-=", "write `x := x - …`"),
    ("=", "write `:=` to assign and `==` to compare"),
    ("!", "write `NOT`"),
];

pub fn tokens(text: &str) -> Reading<Vec<Token>> {
    let mut lexer = Lexer {
        rest: text.strip_prefix('\u{feff}').unwrap_or(text),
        line: 1,
        column: 1,
    };
    let mut found = Vec::new();
    loop {
        lexer.skip_space()?;
        let token = lexer.token()?;
        let is_end = token.lexeme == Lexeme::End;
        found.push(token);
        if is_end {
            return Ok(found);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    column: u32,
}

impl Lexer<'_> {
    fn advance(&mut self, length: usize) {
        let (passed, rest) = self.rest.split_at(length);
        let n_lines = passed.bytes().filter(|b| *b == b'\n').count();
        match passed.rfind('\n') {
            Some(last) => self.column = (length - last) as u32,
            None => self.column = self.column.saturating_add(length as u32),
        }
        self.line = self.line.saturating_add(n_lines as u32);
        self.rest = rest;
    }

    fn here(&self, length: usize) -> Span {
        in_line(self.line, self.column, length as u32)
    }

    /// White space and comments.
    fn skip_space(&mut self) -> Reading<()> {
        loop {
            let space = self.rest.find(|c: char| !c.is_whitespace());
            self.advance(space.unwrap_or(self.rest.len()));
            if self.rest.starts_with("//") {
                self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest.find("*/") else {
                    return Problem::at(self.here(2), "this comment is not closed by `*/`");
                };
                self.advance(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Reading<Token> {
        let Some(first) = self.rest.chars().next() else {
            return Ok(Token {
                lexeme: Lexeme::End,
                span: self.here(0),
            });
        };
        let (lexeme, length) = if first.is_ascii_alphabetic() || first == '_' {
            self.word()?
        } else if first == '`' {
            self.quoted()?
        } else if first.is_ascii_digit() {
            number(self.rest).or_else(|message| Problem::at(self.here(1), message))?
        } else {
            self.symbol(first)?
        };
        let start = self.here(length);
        self.advance(length);
        Ok(Token {
            lexeme,
            span: Span {
                end_line: self.line,
                end_column: self.column,
                ..start
            },
        })
    }

    fn symbol(&self, first: char) -> Reading<(Lexeme, usize)> {
        let known = SYMBOLS.into_iter().find(|s| self.rest.starts_with(s));
        let foreign = FOREIGN.into_iter().find(|(s, _)| self.rest.starts_with(s));
        match (known, foreign) {
            // `&&` is no `&`, but `!=` is no `!`.
            (known, Some((text, advice))) if known.is_none_or(|k| k.len() < text.len()) => {
                Problem::at(
                    self.here(text.len()),
                    format!("`{text}` is not used in schemes: {advice}"),
                )
            }
            (Some(symbol), _) => Ok((Lexeme::Symbol(symbol), symbol.len())),
            (None, _) => {
                let shown: String = match first.is_control() {
                    true => first.escape_default().collect(),
                    false => first.to_string(),
                };
                Problem::at(
                    self.here(first.len_utf8()),
                    format!("`{shown}` has no meaning here"),
                )
            }
        }
    }

    fn word(&self) -> Reading<(Lexeme, usize)> {
        let length = words::word_length(self.rest);
        let text = &self.rest[..length];
        let is_applied = || self.rest[length..].trim_start().starts_with('(');
        if let Some(word) = words::reserved(text)
            // `log` and the like are names people give: functions only where they are applied.
            && (!words::is_elementary(word) || is_applied())
        {
            return Ok((Lexeme::Word(word), length));
        }
        self.numbered(text, length)
    }

    /// A name between backquotes; `\`` and `\\` stand for the two characters, `\n` for a line's
    /// end.
    fn quoted(&self) -> Reading<(Lexeme, usize)> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((at, c)) = characters.next() {
            match c {
                '`' if text.is_empty() => {
                    return Problem::at(self.here(2), "a name of no characters");
                }
                '`' => return self.numbered(&text, at + 1),
                '\n' => break,
                '\\' => match characters.next() {
                    Some((_, c @ ('`' | '\\'))) => text.push(c),
                    Some((_, 'n')) => text.push('\n'),
                    _ => {
                        let message = "after `\\` in a name comes `` ` ``, `\\` or `n`";
                        return Problem::at(
                            in_line(self.line, self.column + at as u32, 1),
                            message,
                        );
                    }
                },
                c => text.push(c),
            }
        }
        Problem::at(self.here(1), "this name has no closing backquote")
    }

    /// The name with the number that may follow it.
    fn numbered(&self, text: &str, length: usize) -> Reading<(Lexeme, usize)> {
        let name = |number| Name {
            text: text.into(),
            number,
        };
        let Some(rest) = self.rest[length..].strip_prefix('#') else {
            return Ok((Lexeme::Name(name(1)), length));
        };
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let whole = length + 1 + n_digits;
        match rest[..n_digits].parse() {
            Ok(number) if number > 0 => Ok((Lexeme::Name(name(number)), whole)),
            _ => Problem::at(
                self.here(whole),
                "after `#` in a name comes a number from 1 up",
            ),
        }
    }
}
