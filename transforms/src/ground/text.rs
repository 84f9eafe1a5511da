//! Ground terms as text: `_f(_a, [1, -2], [1 : _x], _g(NIL))`; a function without arguments needs no brackets.

use super::bank::{Bank, Head, HeadId, TermId};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// Where a text is no term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TextError {
    /// Counted from 1, in bytes.
    pub column: usize,
    /// What was expected there, or what was found.
    pub message: String,
}

enum Open {
    /// A name of [`Reader::names`], and the number of values before.
    Function(u32, usize),
    List(usize),
    /// The same, behind a colon: what comes is the rest.
    Rest(usize),
}

/// Reads one term, all of `text`.
///
/// # Errors
/// It is none; the column says where.
pub fn read(bank: &mut Bank, text: &str) -> Result<TermId, TextError> {
    Reader::default().read(bank, text)
}

/// Reads terms of one bank; knows the names it has met.
#[derive(Default)]
pub struct Reader {
    names: FxHashMap<Arc<str>, u32>,
    /// By name: heads by their number of arguments.
    heads: Vec<(Arc<str>, Vec<Option<HeadId>>)>,
    values: Vec<TermId>,
    /// Brackets not closed, with the number of values before each.
    open: Vec<Open>,
}

impl Reader {
    /// Reads one term, all of `text`. One reader is for one bank.
    ///
    /// # Errors
    /// It is none; the column says where.
    pub fn read(&mut self, bank: &mut Bank, text: &str) -> Result<TermId, TextError> {
        self.values.clear();
        self.open.clear();
        let at = 0;
        let (reader, text) = (self, text);
        Line {
            reader,
            bank,
            text,
            at,
        }
        .term()
    }
}

struct Line<'a> {
    reader: &'a mut Reader,
    bank: &'a mut Bank,
    text: &'a str,
    at: usize,
}

impl<'a> Line<'a> {
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
    fn word(&mut self) -> &'a str {
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

    /// The number of a name.
    fn name(&mut self, name: &str) -> u32 {
        if let Some(known) = self.reader.names.get(name) {
            return *known;
        }
        let number = self.reader.heads.len() as u32;
        let name: Arc<str> = name.into();
        self.reader.heads.push((name.clone(), Vec::new()));
        self.reader.names.insert(name, number);
        number
    }

    fn head(&mut self, name: u32, n_args: usize) -> HeadId {
        let (name, heads) = &mut self.reader.heads[name as usize];
        if let Some(Some(head)) = heads.get(n_args) {
            return *head;
        }
        let head = Head::Function(name.clone(), n_args as u32);
        let head = self.bank.head_number(&head);
        // Long argument lists are rare: of those each is looked up.
        if n_args < 16 {
            heads.resize(heads.len().max(n_args + 1), None);
            heads[n_args] = Some(head);
        }
        head
    }

    fn leaf(&mut self, head: &Head) {
        let head = self.bank.head_number(head);
        let made = self.bank.term(head, &[]);
        self.reader.values.push(made);
    }

    fn term(mut self) -> Result<TermId, TextError> {
        loop {
            // A term begins here.
            match self.peek() {
                Some(b'[') => {
                    self.at += 1;
                    self.reader.open.push(Open::List(self.reader.values.len()));
                    if self.peek() != Some(b']') {
                        continue;
                    }
                }
                Some(b'_') => {
                    let name = self.word();
                    let name = self.name(name);
                    if self.peek() == Some(b'(') {
                        self.at += 1;
                        self.reader
                            .open
                            .push(Open::Function(name, self.reader.values.len()));
                        if self.peek() != Some(b')') {
                            continue;
                        }
                    } else {
                        let head = self.head(name, 0);
                        let made = self.bank.term(head, &[]);
                        self.reader.values.push(made);
                    }
                }
                Some(b'-' | b'0'..=b'9') => {
                    let start = self.at;
                    let Some(value) = integer(self.word()) else {
                        self.at = start;
                        return self.error("no number");
                    };
                    self.leaf(&Head::Int(value));
                }
                Some(b'N') => {
                    let start = self.at;
                    if self.word() != "NIL" {
                        self.at = start;
                        return self.error("expected a term");
                    }
                    self.leaf(&Head::Nil);
                }
                Some(_) => return self.error("expected a term: `_name(…)`, a list or a number"),
                None => return self.error("the term ends too soon"),
            }
            // It has ended, and perhaps what is around it.
            loop {
                match (self.peek(), self.reader.open.last()) {
                    (Some(b','), Some(Open::Function(..) | Open::List(_))) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b':'), Some(&Open::List(first))) => {
                        self.at += 1;
                        self.reader.open.pop();
                        self.reader.open.push(Open::Rest(first));
                        break;
                    }
                    (Some(b')'), Some(Open::Function(..)))
                    | (Some(b']'), Some(Open::List(_) | Open::Rest(_))) => {
                        self.at += 1;
                        self.close();
                    }
                    (None, None) => return Ok(self.reader.values[0]),
                    (None, Some(_)) => return self.error("a bracket is not closed"),
                    (Some(_), None) => return self.error("one term a line"),
                    (Some(_), Some(_)) => return self.error("expected `,` or a closing bracket"),
                }
            }
        }
    }

    fn close(&mut self) {
        let made = match self.reader.open.pop() {
            Some(Open::Function(name, first)) => {
                let head = self.head(name, self.reader.values.len() - first);
                let made = self.bank.term(head, &self.reader.values[first..]);
                self.reader.values.truncate(first);
                made
            }
            Some(open @ (Open::List(first) | Open::Rest(first))) => {
                let (nil, cons) = (
                    self.bank.head_number(&Head::Nil),
                    self.bank.head_number(&Head::Cons),
                );
                let rest = match open {
                    Open::Rest(_) => self.reader.values.pop(),
                    _ => None,
                };
                let mut list = match rest {
                    Some(rest) => rest,
                    None => self.bank.term(nil, &[]),
                };
                for value in self.reader.values.drain(first..).rev() {
                    list = self.bank.term(cons, &[value, list]);
                }
                list
            }
            None => return,
        };
        self.reader.values.push(made);
    }
}

fn integer(word: &str) -> Option<i128> {
    // Most are short, and a word of the machine is read quicker.
    match word.len() {
        ..=18 => word.parse::<i64>().ok().map(i128::from),
        _ => word.parse().ok(),
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
