//! Strategy expressions: `s; t`, `s <+ t`, calls.

use super::error::RuleError;
use super::lexer::{Token, TokenKind};
use super::parser::{Parsed, Parser};
use crate::language::strategy::{Definition, Strategy};

/// A text of nothing but strategy definitions.
pub fn definitions(file: &str, tokens: Vec<Token>) -> Result<Vec<Definition>, RuleError> {
    let mut parser = Parser::over(file, tokens);
    let mut found = Vec::new();
    while parser.peek().kind != TokenKind::End {
        if !parser.eat_word("strategy") {
            return parser.error("expected `strategy`");
        }
        found.push(parser.definition()?);
    }
    Ok(found)
}

impl Parser<'_> {
    /// `name(params) = body`; the cursor is behind `strategy`.
    pub(super) fn definition(&mut self) -> Parsed<Definition> {
        let at = self.at();
        let name = self.hyphenated()?;
        let mut params = Vec::new();
        if self.eat("(") {
            while !self.is(")") {
                params.push(self.hyphenated()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect("=")?;
        let body = self.strategy()?;
        Ok(Definition {
            name,
            params,
            body,
            at,
        })
    }

    /// `s <+ t` binds stronger than `s; t`.
    fn strategy(&mut self) -> Parsed<Strategy> {
        self.nested(Self::sequence)
    }

    fn sequence(&mut self) -> Parsed<Strategy> {
        let first = self.choice()?;
        if self.eat(";") {
            let rest = self.strategy()?;
            return Ok(Strategy::Then(Box::new(first), Box::new(rest)));
        }
        Ok(first)
    }

    fn choice(&mut self) -> Parsed<Strategy> {
        let first = self.strategy_primary()?;
        if self.eat("<+") {
            let rest = self.nested(Self::choice)?;
            return Ok(Strategy::Else(Box::new(first), Box::new(rest)));
        }
        Ok(first)
    }

    fn strategy_primary(&mut self) -> Parsed<Strategy> {
        if self.eat("(") {
            let inside = self.strategy()?;
            self.expect(")")?;
            return Ok(inside);
        }
        let at = self.at();
        let name = self.hyphenated()?;
        let mut args = Vec::new();
        if self.is("(") && self.peek().adjacent {
            self.advance();
            while !self.is(")") {
                args.push(self.strategy()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let wrong = |n: usize| {
            let message = format!(
                "`{name}` takes {n} argument{}",
                if n == 1 { "" } else { "s" }
            );
            RuleError::new(self.file, at, message)
        };
        let combinator: Option<fn(Box<Strategy>) -> Strategy> = match name.as_str() {
            "not" => Some(Strategy::Not),
            "all" => Some(Strategy::All),
            "one" => Some(Strategy::One),
            "some" => Some(Strategy::Some),
            "repeat" => Some(Strategy::Repeat),
            _ => None,
        };
        if let Some(combinator) = combinator {
            let [inside] = <[Strategy; 1]>::try_from(args).map_err(|_| wrong(1))?;
            return Ok(combinator(Box::new(inside)));
        }
        Ok(match (name.as_str(), args.len()) {
            ("id", 0) => Strategy::Id,
            ("fail", 0) => Strategy::Fail,
            ("id" | "fail", _) => return Err(wrong(0)),
            ("rule", 1) => match args.remove(0) {
                Strategy::Call { name, args, .. } if args.is_empty() => Strategy::Rule(name),
                _ => return Err(wrong(1)),
            },
            _ => Strategy::Call { name, args, at },
        })
    }
}
