//! Ground terms as text: `_f(_a, [1, -2], [1 : _x], _g(NIL))`; a function without arguments needs no brackets.

use super::bank::{Bank, Head, HeadId, TermId};
use std::fmt::Write as _;
use std::sync::Arc;

/// Where a text is no term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TextError {
    /// Counted from 1, in bytes.
    pub column: usize,
    pub message: String,
}

enum Open {
    Function(Arc<str>, usize),
    List(usize),
    /// The same, behind a colon: what comes is the rest.
    Rest(usize),
}

/// Reads one term, all of `text`.
///
/// # Errors
/// It is none; the column says where.
pub fn read(bank: &mut Bank, text: &str) -> Result<TermId, TextError> {
    Reader {
        bank,
        text,
        at: 0,
        values: Vec::new(),
        open: Vec::new(),
        names: NameCache::default(),
    }
    .term()
}

/// The last names met, by text: most are one of a few.
#[derive(Default)]
struct NameCache {
    known: Vec<(Arc<str>, u32, HeadId)>,
}

struct Reader<'a> {
    bank: &'a mut Bank,
    text: &'a str,
    at: usize,
    values: Vec<TermId>,
    /// Brackets not closed, with the number of values before each.
    open: Vec<Open>,
    names: NameCache,
}

impl Reader<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, TextError> {
        Err(TextError {
            column: self.at + 1,
            message: message.into(),
        })
    }

    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// The word at hand.
    fn word(&mut self) -> &str {
        let bytes = self.text.as_bytes();
        let start = self.at;
        while bytes
            .get(self.at)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'-')
        {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    fn head(&mut self, name: &str, n_args: usize) -> HeadId {
        let known = self.names.known.iter();
        let mut known = known.filter(|(n, count, _)| &**n == name && *count as usize == n_args);
        if let Some((_, _, head)) = known.next() {
            return *head;
        }
        let name: Arc<str> = name.into();
        let head = Head::Function(name.clone(), n_args as u32);
        let head = self.bank.head_number(&head);
        self.names.known.push((name, n_args as u32, head));
        head
    }

    fn term(mut self) -> Result<TermId, TextError> {
        loop {
            // A term begins here.
            match self.peek() {
                Some(b'[') => {
                    self.at += 1;
                    self.open.push(Open::List(self.values.len()));
                    if self.peek() != Some(b']') {
                        continue;
                    }
                }
                Some(b'_') => {
                    let name: Arc<str> = self.word().into();
                    if self.peek() == Some(b'(') {
                        self.at += 1;
                        self.open.push(Open::Function(name, self.values.len()));
                        if self.peek() != Some(b')') {
                            continue;
                        }
                    } else {
                        let head = self.head(&name, 0);
                        let made = self.bank.term(head, &[]);
                        self.values.push(made);
                    }
                }
                Some(b'-' | b'0'..=b'9') => {
                    let start = self.at;
                    let Ok(value) = self.word().parse::<i128>() else {
                        self.at = start;
                        return self.error("no number");
                    };
                    let head = self.bank.head_number(&Head::Int(value));
                    let made = self.bank.term(head, &[]);
                    self.values.push(made);
                }
                Some(b'N') => {
                    let start = self.at;
                    if self.word() != "NIL" {
                        self.at = start;
                        return self.error("expected a term");
                    }
                    let head = self.bank.head_number(&Head::Nil);
                    let made = self.bank.term(head, &[]);
                    self.values.push(made);
                }
                Some(_) => return self.error("expected a term: `_name(…)`, a list or a number"),
                None => return self.error("the term ends too soon"),
            }
            // It has ended, and perhaps what is around it.
            loop {
                match (self.peek(), self.open.last()) {
                    (Some(b','), Some(Open::Function(..) | Open::List(_))) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b':'), Some(&Open::List(first))) => {
                        self.at += 1;
                        self.open.pop();
                        self.open.push(Open::Rest(first));
                        break;
                    }
                    (Some(b')'), Some(Open::Function(..)))
                    | (Some(b']'), Some(Open::List(_) | Open::Rest(_))) => {
                        self.at += 1;
                        self.close();
                    }
                    (None, None) => return Ok(self.values[0]),
                    (None, Some(_)) => return self.error("a bracket is not closed"),
                    (Some(_), None) => return self.error("one term a line"),
                    (Some(_), Some(_)) => return self.error("expected `,` or a closing bracket"),
                }
            }
        }
    }

    fn close(&mut self) {
        let made = match self.open.pop() {
            Some(Open::Function(name, first)) => {
                let head = self.head(&name, self.values.len() - first);
                let made = self.bank.term(head, &self.values[first..]);
                self.values.truncate(first);
                made
            }
            Some(open @ (Open::List(first) | Open::Rest(first))) => {
                let (nil, cons) = (
                    self.bank.head_number(&Head::Nil),
                    self.bank.head_number(&Head::Cons),
                );
                let rest = match open {
                    Open::Rest(_) => self.values.pop(),
                    _ => None,
                };
                let mut list = match rest {
                    Some(rest) => rest,
                    None => self.bank.term(nil, &[]),
                };
                for value in self.values.drain(first..).rev() {
                    list = self.bank.term(cons, &[value, list]);
                }
                list
            }
            None => return,
        };
        self.values.push(made);
    }
}

/// Writes a term as [`read`] reads it.
pub fn print(bank: &Bank, term: TermId, into: &mut String) {
    enum Part {
        Term(TermId),
        /// The rest of a list.
        Rest(TermId),
        Text(&'static str),
    }
    let mut parts = vec![Part::Term(term)];
    while let Some(part) = parts.pop() {
        match part {
            Part::Text(text) => into.push_str(text),
            Part::Term(term) => {
                let args = bank.args_of(term);
                match bank.head(bank.head_of(term)) {
                    Head::Int(value) => {
                        let _ = write!(into, "{value}");
                    }
                    Head::Nil => into.push_str("NIL"),
                    Head::Cons => {
                        into.push('[');
                        parts.push(Part::Rest(args[1]));
                        parts.push(Part::Term(args[0]));
                    }
                    Head::Function(name, _) => {
                        into.push_str(name);
                        if !args.is_empty() {
                            into.push('(');
                            parts.push(Part::Text(")"));
                            for (number, arg) in args.iter().enumerate().rev() {
                                parts.push(Part::Term(*arg));
                                if number > 0 {
                                    parts.push(Part::Text(", "));
                                }
                            }
                        }
                    }
                }
            }
            Part::Rest(term) => match (bank.head(bank.head_of(term)), bank.args_of(term)) {
                (Head::Nil, _) => into.push(']'),
                (Head::Cons, [first, rest]) => {
                    into.push_str(", ");
                    parts.push(Part::Rest(*rest));
                    parts.push(Part::Term(*first));
                }
                _ => {
                    into.push_str(" : ");
                    parts.push(Part::Text("]"));
                    parts.push(Part::Term(term));
                }
            },
        }
    }
}
