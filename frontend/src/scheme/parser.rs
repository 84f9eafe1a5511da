//! From tokens to trees, by recursive descent: one function a rule of the grammar
//! (`docs/scheme.md`).

mod declarations;
mod domain;
mod expressions;
mod statements;

use super::problem::{Problem, Reading};
use super::token::{Lexeme, Name, Token};
use super::tree::SchemeTree;
use super::words;
use gridlock_semantics::algebra::span::Span;

/// How deep operators may be nested, and how deep expressions.
pub const DEEPEST: u32 = 500;

pub fn parse(tokens: &[Token]) -> Reading<SchemeTree> {
    let mut parser = Parser {
        tokens,
        next: 0,
        depth: 0,
        open: Vec::new(),
    };
    parser.scheme()
}

struct Parser<'t> {
    /// The last is `Lexeme::End`.
    tokens: &'t [Token],
    next: usize,
    depth: u32,
    /// What is open: its word and line.
    open: Vec<(&'static str, u32)>,
}

impl Parser<'_> {
    fn peek(&self) -> &Lexeme {
        &self.tokens[self.next].lexeme
    }

    /// The token after the next.
    fn peek_second(&self) -> &Lexeme {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].lexeme
    }

    fn at(&self) -> Span {
        self.tokens[self.next].span
    }

    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// From `start` to the end of the last token read.
    fn since(&self, start: Span) -> Span {
        let last = self.tokens[self.next.saturating_sub(1)].span;
        Span {
            end_line: last.end_line,
            end_column: last.end_column,
            ..start
        }
    }

    fn is(&self, text: &str) -> bool {
        matches!(self.peek(), Lexeme::Word(t) | Lexeme::Symbol(t) if *t == text)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, text: &'static str) -> Reading<()> {
        match self.eat(text) {
            true => Ok(()),
            false => self.expected(&format!("`{text}`"), &[text]),
        }
    }

    /// `Err`: what was expected here and what stands here instead; `meant` are words that the
    /// name found may be a misspelling of.
    fn expected<T>(&self, what: &str, meant: &[&'static str]) -> Reading<T> {
        let found = self.peek();
        let mut message = format!("expected {what}, found {}", found.shown());
        if let Lexeme::Name(name) = found {
            if let Some(word) = words::nearest(&name.text, meant.iter().copied()) {
                message.push_str(&format!(" (did you mean `{word}`?)"));
            }
        } else if let (Lexeme::Word(word), "a name") = (found, what) {
            message.push_str(&format!(
                ", which is reserved; a name spelled so is written `` `{word}` ``"
            ));
        }
        if *found == Lexeme::End
            && let Some((word, line)) = self.open.last()
        {
            message.push_str(&format!("; the `{word}` of line {line} is not closed"));
        }
        Problem::at(self.at(), message)
    }

    /// Reads something that may hold another of its kind.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Reading<T>) -> Reading<T> {
        let depth = self.depth;
        self.deeper()?;
        let result = read(self);
        self.depth = depth;
        result
    }

    fn deeper(&mut self) -> Reading<()> {
        if self.depth >= DEEPEST {
            return self.too_deep();
        }
        self.depth += 1;
        Ok(())
    }

    fn too_deep<T>(&self) -> Reading<T> {
        Problem::at(self.at(), format!("nested more than {DEEPEST} deep"))
    }

    fn name(&mut self) -> Reading<(Name, Span)> {
        match self.peek() {
            Lexeme::Name(name) => {
                let found = (name.clone(), self.at());
                self.advance();
                Ok(found)
            }
            _ => self.expected("a name", &[]),
        }
    }

    /// `( item, item, … )`
    fn in_parentheses<T>(&mut self, read: impl Fn(&mut Self) -> Reading<T>) -> Reading<Vec<T>> {
        self.expect("(")?;
        let items = self.list(")", read)?;
        Ok(items)
    }

    /// `item, item, … close`
    fn list<T>(
        &mut self,
        close: &'static str,
        read: impl Fn(&mut Self) -> Reading<T>,
    ) -> Reading<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(read(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(",") {
                return self.expected(&format!("`,` or `{close}`"), &[]);
            }
        }
    }
}
