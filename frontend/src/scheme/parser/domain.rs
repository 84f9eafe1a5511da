//! Basic operators of the domain: a word, its operands in parentheses, clauses.

use super::super::problem::{Problem, Reading};
use super::super::token::Lexeme;
use super::super::tree::{LaunchTree, OperatorTree, StatementKind, Tree};
use super::Parser;
use gridlock_semantics::algebra::operator::Scope;

impl Parser<'_> {
    /// `word [ "(" operands ")" ] [ "SCOPE" scope ] [ "STREAM" stream ] [ "NON_BLOCKING" ]`
    pub(super) fn operator(&mut self, target: Option<Tree>) -> Reading<StatementKind> {
        let word_at = self.at();
        let Lexeme::Word(word) = *self.peek() else {
            return self.expected("an operator", &[]);
        };
        self.advance();
        let operands = match self.is("(") {
            true => self.in_parentheses(|parser| parser.expression())?,
            false => Vec::new(),
        };
        let scope = match self.eat("SCOPE") {
            true => Some(self.scope()?),
            false => None,
        };
        let stream = self.in_stream()?;
        let is_non_blocking = self.eat("NON_BLOCKING");
        Ok(StatementKind::Operator(Box::new(OperatorTree {
            word,
            word_at,
            target,
            operands,
            scope,
            stream,
            is_non_blocking,
        })))
    }

    fn scope(&mut self) -> Reading<Scope> {
        let scope = match self.peek() {
            Lexeme::Word("BLOCK") => Scope::Block,
            Lexeme::Word("DEVICE") => Scope::Device,
            Lexeme::Word("SYSTEM") => Scope::System,
            _ => {
                let all = ["BLOCK", "DEVICE", "SYSTEM"];
                return self.expected("`BLOCK`, `DEVICE` or `SYSTEM`", &all);
            }
        };
        self.advance();
        Ok(scope)
    }

    /// `[ "STREAM" stream ]`
    fn in_stream(&mut self) -> Reading<Option<Tree>> {
        match self.eat("STREAM") {
            true => Ok(Some(self.expression()?)),
            false => Ok(None),
        }
    }

    /// `"call_gpu" name "(" args ")" "GRID" extents "BLOCK" extents [ "SHARED" bytes ]
    /// [ "STREAM" stream ] [ "COOPERATIVE" ]`
    pub(super) fn launch(&mut self) -> Reading<StatementKind> {
        self.expect("call_gpu")?;
        let (kernel, kernel_at) = self.name()?;
        let args = self.in_parentheses(|parser| parser.expression())?;
        self.expect("GRID")?;
        let grid = self.extents()?;
        self.expect("BLOCK")?;
        let block = self.extents()?;
        let shared_bytes = match self.eat("SHARED") {
            true => Some(self.expression()?),
            false => None,
        };
        let stream = self.in_stream()?;
        let is_cooperative = self.eat("COOPERATIVE");
        Ok(StatementKind::Launch(Box::new(LaunchTree {
            kernel,
            kernel_at,
            args,
            grid,
            block,
            shared_bytes,
            stream,
            is_cooperative,
        })))
    }

    /// `"(" x [ "," y [ "," z ] ] ")"`
    fn extents(&mut self) -> Reading<Vec<Tree>> {
        let start = self.at();
        let extents = self.in_parentheses(|parser| parser.expression())?;
        match extents.len() {
            1..=3 => Ok(extents),
            n => Problem::at(
                self.since(start),
                format!("one to three extents (x, y, z) are needed here, not {n}"),
            ),
        }
    }
}
