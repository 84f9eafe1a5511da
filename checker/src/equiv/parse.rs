//! Reads observation maps.

use crate::equiv::map::ObservationMap;
use crate::equiv::map::{MapError, Range, Relation, Side, Term, TermOp};
use std::str::FromStr;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    Number(i64),
    Sign(&'static str),
    End,
}

const SIGNS: [&str; 14] = [
    "==", "..", "+", "-", "*", "/", "%", "(", ")", "[", "]", ".", ",", ";",
];

struct Parser<'a> {
    text: &'a str,
    /// Each token with the byte range it stands in.
    tokens: Vec<(Token, std::ops::Range<usize>)>,
    at: usize,
}

/// The relations of a map; none for blank text.
pub fn parse(text: &str) -> Result<Vec<Relation>, MapError> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        at: 0,
    };
    let mut relations = Vec::new();
    loop {
        while parser.takes(";") {}
        if *parser.peek() == Token::End {
            return Ok(relations);
        }
        relations.push(parser.relation()?);
        if *parser.peek() != Token::End && !parser.takes(";") {
            return Err(parser.wrong("a relation ends here; write `;` before the next"));
        }
    }
}

fn error(text: &str, byte: usize, message: impl Into<String>) -> MapError {
    MapError {
        text: text.to_owned(),
        column: text[..byte].chars().count() + 1,
        message: message.into(),
    }
}

fn tokens(text: &str) -> Result<Vec<(Token, std::ops::Range<usize>)>, MapError> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let word = |accept: fn(char) -> bool| {
            let rest = &text[at..];
            at + rest.find(|c| !accept(c)).unwrap_or(rest.len())
        };
        let (token, end) = if first == '\n' {
            (Token::Sign(";"), at + 1)
        } else if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first.is_ascii_digit() {
            let end = word(|c| c.is_ascii_digit());
            let number = text[at..end]
                .parse()
                .map_err(|_| error(text, at, "the number is too large"))?;
            (Token::Number(number), end)
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = word(|c| c.is_ascii_alphanumeric() || c == '_');
            (Token::Name(text[at..end].to_owned()), end)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| text[at..].starts_with(sign)) {
            (Token::Sign(sign), at + sign.len())
        } else {
            return Err(error(text, at, format!("`{first}` means nothing here")));
        };
        found.push((token, at..end));
        at = end;
    }
    found.push((Token::End, text.len()..text.len()));
    Ok(found)
}

impl Parser<'_> {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    fn takes(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.peek(), Token::Sign(s) if *s == sign);
        self.at += is_it as usize;
        is_it
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_it = matches!(self.peek(), Token::Name(name) if name == word);
        self.at += is_it as usize;
        is_it
    }

    fn wrong(&self, message: impl Into<String>) -> MapError {
        error(self.text, self.tokens[self.at].1.start, message)
    }

    fn expect(&mut self, sign: &str) -> Result<(), MapError> {
        if self.takes(sign) {
            Ok(())
        } else {
            Err(self.wrong(format!("expected `{sign}`")))
        }
    }

    fn name(&mut self, what: &str) -> Result<String, MapError> {
        match self.next() {
            Token::Name(name) => Ok(name),
            _ => {
                self.at -= (self.at > 0) as usize;
                Err(self.wrong(format!("expected {what}")))
            }
        }
    }

    fn relation(&mut self) -> Result<Relation, MapError> {
        let start = self.tokens[self.at].1.start;
        let left = self.sum()?;
        self.expect("==")?;
        let right = self.sum()?;
        let end = self.tokens[self.at - 1].1.end;
        let mut ranges = Vec::new();
        if self.takes_word("for") {
            loop {
                let index = self.name("an index")?;
                if !self.takes_word("in") {
                    return Err(self.wrong("expected `in`"));
                }
                let from = self.sum()?;
                self.expect("..")?;
                let to = self.sum()?;
                ranges.push(Range { index, from, to });
                if !self.takes(",") {
                    break;
                }
            }
        }
        Ok(Relation {
            left,
            right,
            ranges,
            text: self.text[start..end].to_owned(),
        })
    }

    fn sum(&mut self) -> Result<Term, MapError> {
        let mut left = self.product()?;
        loop {
            let op = if self.takes("+") {
                TermOp::Add
            } else if self.takes("-") {
                TermOp::Sub
            } else {
                return Ok(left);
            };
            left = Term::Binary(op, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Term, MapError> {
        let mut left = self.factor()?;
        loop {
            let op = if self.takes("*") {
                TermOp::Mul
            } else if self.takes("/") {
                TermOp::Div
            } else if self.takes("%") {
                TermOp::Rem
            } else {
                return Ok(left);
            };
            left = Term::Binary(op, Box::new(left), Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Result<Term, MapError> {
        if self.takes("(") {
            let inner = self.sum()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.takes("-") {
            let operand = self.factor()?;
            return Ok(Term::Binary(
                TermOp::Sub,
                Box::new(Term::Number(0)),
                Box::new(operand),
            ));
        }
        match self.peek().clone() {
            Token::Number(number) => {
                self.at += 1;
                Ok(Term::Number(number))
            }
            Token::Name(name) => {
                self.at += 1;
                let side = match name.as_str() {
                    "new" => Side::New,
                    "old" => Side::Old,
                    _ => return Ok(Term::Name(name)),
                };
                self.expect(".")?;
                let array = self.name("an array")?;
                if array == "result" && !matches!(self.peek(), Token::Sign("[")) {
                    return Ok(Term::Result(side));
                }
                self.expect("[")?;
                let index = Box::new(self.sum()?);
                self.expect("]")?;
                Ok(Term::Cell { side, array, index })
            }
            Token::Sign(_) | Token::End => {
                Err(self.wrong("expected a number, a name, `new.array[…]` or `old.array[…]`"))
            }
        }
    }
}

impl FromStr for ObservationMap {
    type Err = MapError;

    fn from_str(text: &str) -> Result<ObservationMap, MapError> {
        Ok(match parse(text)? {
            relations if relations.is_empty() => ObservationMap::Identity,
            relations => ObservationMap::Relations(relations),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_maps() {
        for (text, n) in [
            ("", 0),
            ("new.out[b] == old.out[b * B]", 1),
            ("new.out[b] == old.out[2*b] + old.out[2*b+1];", 1),
            (
                "new.a[i] == old.a[i] for i in 0..N\n new.b[i*4+j] == old.b[i] for i in 0..N, j in 0..4",
                2,
            ),
            ("new.result == old.result", 1),
            ("new.s[0] == -(old.s[0] - 3) % 7", 1),
        ] {
            assert_eq!(parse(text).map(|r| r.len()), Ok(n), "{text}");
        }
        let relation = &parse("new.out[b] == old.out[b * B] for b in 0..4").unwrap()[0];
        assert_eq!(relation.text, "new.out[b] == old.out[b * B]");
        assert_eq!(relation.ranges[0].index, "b");
    }

    #[test]
    fn refuses_what_is_no_map() {
        for (text, column) in [
            ("new.out[b]", 11),
            ("new.out[b] = old.out[b]", 12),
            ("new.out[b == old.out[b]", 11),
            ("new.out == old.out", 9),
            ("new.out[b] == old.out[b] for b of 3", 32),
            ("new.out[b] == old.out[b] new.c[0] == old.c[0]", 26),
            ("new.out[99999999999999999999] == 1", 9),
            ("new.out[b] == $", 15),
            ("== 1", 1),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.column, column, "{error}");
        }
    }
}
