//! Rule files: heading, parameters, rules, strategies.

use super::error::{RuleError, TextPosition};
use super::lexer::{Token, TokenKind, tokens};
use super::pattern::{
    Action, Clause, Condition, Local, Meta, MetaId, Parameter, ParameterValue, Pattern,
    PatternKind, Rule,
};
use super::sort::Sort;
use crate::language::strategy::Definition;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::BinaryOp;
use std::sync::Arc;

/// A rule file as it stands.
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    pub name: String,
    /// What the system is for.
    pub about: String,
    /// Paper and section.
    pub source: String,
    /// What is proved or tested of it.
    pub status: String,
    /// Systems of the library whose rules and strategies this one may use, each with its place.
    pub uses: Vec<(String, TextPosition)>,
    /// Binary operators whose operands patterns match in either order.
    pub commutative: Vec<BinaryOp>,
    /// Binary operators whose operands patterns match however they are bracketed.
    pub associative: Vec<BinaryOp>,
    pub parameters: Vec<Parameter>,
    pub rules: Vec<Rule>,
    pub strategies: Vec<Definition>,
}

/// Reads a rule file without checking it.
pub fn parse(file: &str, text: &str) -> Result<RuleFile, RuleError> {
    let mut parser = Parser::over(file, tokens(file, text)?);
    parser.lines = text.lines().collect();
    parser.rule_file()
}

pub struct Parser<'a> {
    pub(super) file: &'a str,
    lines: Vec<&'a str>,
    tokens: Vec<Token>,
    position: usize,
    /// Expressions, statements and strategies being read inside each other.
    depth: usize,
    /// Of the rule being read.
    pub(super) metas: Vec<Meta>,
    pub(super) locals: Vec<Local>,
    pub(super) parameters: Vec<String>,
}

/// A text nested deeper is refused.
const DEEPEST: usize = 100;

pub type Parsed<T> = Result<T, RuleError>;

impl<'a> Parser<'a> {
    pub(super) fn over(file: &'a str, tokens: Vec<Token>) -> Parser<'a> {
        Parser {
            file,
            lines: vec![],
            tokens,
            position: 0,
            depth: 0,
            metas: vec![],
            locals: vec![],
            parameters: vec![],
        }
    }
}

impl Parser<'_> {
    /// Reads something that may contain its own kind, to a depth no rule needs.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return self.error("nested too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Refuses chains (`a + b + …`, `a[i][j]…`) as deep as nested texts.
    pub(super) fn chained(&self, links: usize) -> Parsed<()> {
        if links >= DEEPEST {
            return self.error("nested too deeply");
        }
        Ok(())
    }

    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.position]
    }

    pub(super) fn peek_after(&self, n: usize) -> &Token {
        &self.tokens[(self.position + n).min(self.tokens.len() - 1)]
    }

    pub(super) fn at(&self) -> TextPosition {
        self.peek().at
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek().clone();
        if token.kind != TokenKind::End {
            self.position += 1;
        }
        token
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(RuleError::new(self.file, self.at(), message))
    }

    pub(super) fn is(&self, symbol: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Symbol(s) if s == symbol)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Ident(w) if w == word)
    }

    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) {
            return Ok(());
        }
        let found = self.found();
        self.error(format!("expected `{symbol}`, found {found}"))
    }

    pub(super) fn found(&self) -> String {
        match &self.peek().kind {
            TokenKind::Ident(word) => format!("`{word}`"),
            TokenKind::Meta(name) => format!("`${name}`"),
            TokenKind::Run(name) => format!("`${name}*`"),
            TokenKind::Int(value, _) => format!("`{value}`"),
            TokenKind::Text(text) => format!("\"{text}\""),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::End => "the end of the file".into(),
        }
    }

    pub(super) fn ident(&mut self) -> Parsed<String> {
        if let TokenKind::Ident(word) = &self.peek().kind {
            let word = word.clone();
            self.advance();
            return Ok(word);
        }
        let found = self.found();
        self.error(format!("expected a name, found {found}"))
    }

    /// A name that may contain hyphens: `parallelise-loop`.
    pub(super) fn hyphenated(&mut self) -> Parsed<String> {
        let mut name = self.ident()?;
        while self.is("-")
            && self.peek().adjacent
            && matches!(
                self.peek_after(1).kind,
                TokenKind::Ident(_) | TokenKind::Int(..)
            )
            && self.peek_after(1).adjacent
        {
            self.advance();
            name.push('-');
            match self.advance().kind {
                TokenKind::Ident(word) => name.push_str(&word),
                TokenKind::Int(value, _) => name.push_str(&value.to_string()),
                _ => {}
            }
        }
        Ok(name)
    }

    fn text(&mut self) -> Parsed<String> {
        if let TokenKind::Text(text) = &self.peek().kind {
            let words: Vec<&str> = text.split_whitespace().collect();
            let text = words.join(" ");
            self.advance();
            return Ok(text);
        }
        let found = self.found();
        self.error(format!("expected a text in quotes, found {found}"))
    }

    /// The metavariable `name`, made on first sight.
    pub(super) fn meta(&mut self, name: &str, is_run: bool, at: TextPosition) -> Parsed<MetaId> {
        if let Some(id) = self.metas.iter().position(|m| m.name == name) {
            return Ok(id);
        }
        self.metas.push(Meta {
            name: name.to_owned(),
            sort: Sort::Any,
            is_run,
            at,
        });
        Ok(self.metas.len() - 1)
    }

    fn rule_file(&mut self) -> Parsed<RuleFile> {
        let mut file = RuleFile::default();
        let heading = self.at();
        if !self.eat_word("system") {
            return self.error("a rule file begins with `system NAME`");
        }
        file.name = self.hyphenated()?;
        loop {
            let at = self.at();
            if self.peek().kind == TokenKind::End {
                break;
            }
            match self.ident()?.as_str() {
                "about" => file.about = self.text()?,
                "source" => file.source = self.text()?,
                "status" => file.status = self.text()?,
                "commutative" => {
                    use gridlock_semantics::algebra::expr::BinaryOp::*;
                    let known = [Add, Mul, BitAnd, BitOr, BitXor, Eq, Ne, And, Or];
                    file.commutative
                        .extend(self.operators("commutative", &known)?);
                }
                "associative" => {
                    use gridlock_semantics::algebra::expr::BinaryOp::*;
                    let known = [Add, Mul, BitAnd, BitOr, BitXor, And, Or];
                    file.associative
                        .extend(self.operators("associative", &known)?);
                }
                "uses" => loop {
                    let at = self.at();
                    file.uses.push((self.hyphenated()?, at));
                    if !self.eat(",") {
                        break;
                    }
                },
                "param" => self.parameter(&mut file, at)?,
                "rule" => {
                    let rule = self.rule(at)?;
                    file.rules.push(rule);
                }
                "pair" => {
                    let [up, down] = self.pair(at)?;
                    file.rules.extend([up, down]);
                }
                "strategy" => {
                    let definition = self.definition()?;
                    file.strategies.push(definition);
                }
                other => {
                    let message = format!(
                        "expected `about`, `source`, `status`, `commutative`, `associative`, \
                         `uses`, `param`, `rule`, `pair` or `strategy`, found `{other}`"
                    );
                    return Err(RuleError::new(self.file, at, message));
                }
            }
        }
        for (field, text) in [
            ("about", &file.about),
            ("source", &file.source),
            ("status", &file.status),
        ] {
            if text.is_empty() {
                let message = format!("the heading lacks `{field} \"…\"`");
                return Err(RuleError::new(self.file, heading, message));
            }
        }
        Ok(file)
    }

    /// The operators behind a word of the heading, those among `known`.
    fn operators(&mut self, word: &str, known: &[BinaryOp]) -> Parsed<Vec<BinaryOp>> {
        let mut found = Vec::new();
        while let TokenKind::Symbol(symbol) = self.peek().kind {
            let Some(op) = binary_operator(symbol) else {
                break;
            };
            if !known.contains(&op) {
                return self.error(format!("`{symbol}` is not {word}"));
            }
            self.advance();
            found.push(op);
        }
        match found.is_empty() {
            true => self.error(format!("`{word}` is followed by operators")),
            false => Ok(found),
        }
    }

    fn parameter(&mut self, file: &mut RuleFile, at: TextPosition) -> Parsed<()> {
        let name = self.ident()?;
        self.expect("=")?;
        let default = match self.peek().kind.clone() {
            TokenKind::Int(value, _) => ParameterValue::Int(value),
            TokenKind::Text(text) => ParameterValue::Text(text),
            _ => return self.error("a parameter's default is an integer or a text"),
        };
        self.advance();
        self.parameters.push(name.clone());
        file.parameters.push(Parameter { name, default, at });
        Ok(())
    }

    fn rule(&mut self, at: TextPosition) -> Parsed<Rule> {
        self.metas.clear();
        self.locals.clear();
        let name: Arc<str> = self.hyphenated()?.into();
        self.expect(":")?;
        let source = self.outermost()?;
        let mut clauses = Vec::new();
        loop {
            if self.is("[") {
                self.advance();
                loop {
                    clauses.push(Clause::Condition(self.condition()?));
                    if !self.eat(",") {
                        break;
                    }
                }
                self.expect("]")?;
            } else if self.eat_word("where") {
                loop {
                    clauses.push(self.binding()?);
                    if !self.eat(",") {
                        break;
                    }
                }
            } else {
                break;
            }
        }
        self.expect("->")?;
        let destination = self.outermost()?;
        let mut actions = Vec::new();
        if self.eat("[") {
            loop {
                actions.push(self.action()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        Ok(Rule {
            name,
            source,
            clauses,
            destination,
            actions,
            metas: std::mem::take(&mut self.metas),
            locals: std::mem::take(&mut self.locals),
            at,
        })
    }

    /// A pattern in the sense of paper 2, section 3.4: `pair NAME: high <=> low` stands for the
    /// rules `NAME-up` (abstraction, low to high) and `NAME-down` (lowering, high to low).
    fn pair(&mut self, at: TextPosition) -> Parsed<[Rule; 2]> {
        self.metas.clear();
        self.locals.clear();
        let name = self.hyphenated()?;
        self.expect(":")?;
        let high = self.outermost()?;
        self.expect("<=>")?;
        let low = self.outermost()?;
        let metas = std::mem::take(&mut self.metas);
        let rule = |direction: &str, source: &Pattern, destination: &Pattern| Rule {
            name: format!("{name}-{direction}").into(),
            source: source.clone(),
            clauses: vec![],
            destination: destination.clone(),
            actions: vec![],
            metas: metas.clone(),
            locals: vec![],
            at,
        };
        Ok([rule("up", &low, &high), rule("down", &high, &low)])
    }

    /// A source or a destination: a procedure, statements, or an expression.
    fn outermost(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        if let Some(kind) = self.procedure_kind() {
            return self.procedure(kind);
        }
        if self.is("(") || self.is("&") {
            return self.expression();
        }
        let mut statements = Vec::new();
        while !self.ends_statements() {
            statements.push(self.statement()?);
        }
        Ok(Pattern::new(PatternKind::Statements(statements), at))
    }

    /// Whether what follows is no statement any more: a clause, an arrow, the next item.
    fn ends_statements(&self) -> bool {
        match &self.peek().kind {
            TokenKind::End => true,
            TokenKind::Symbol(symbol) => {
                *symbol == "->"
                    || *symbol == "<=>"
                    || *symbol == "}"
                    || *symbol == ","
                    || *symbol == ")"
                    || *symbol == "["
            }
            TokenKind::Ident(word) => {
                matches!(word.as_str(), "where" | "rule" | "pair" | "strategy")
            }
            _ => false,
        }
    }

    fn condition(&mut self) -> Parsed<Condition> {
        let assumed = self.eat_word("assume");
        let start = self.position;
        let formula = self.expression()?;
        let text = self.text_between(start, self.position);
        let explanation = if self.eat(":") {
            Some(self.text()?)
        } else {
            None
        };
        Ok(Condition {
            assumed,
            formula,
            text,
            explanation,
        })
    }

    /// The file's own words for a range of tokens, on one line.
    fn text_between(&self, from: usize, to: usize) -> String {
        let (start, end) = (self.tokens[from].at, self.tokens[to].at);
        let mut text = String::new();
        for line in start.line..=end.line {
            let Some(content) = self.lines.get(line as usize - 1) else {
                continue;
            };
            let chars: Vec<char> = content.chars().collect();
            let first = if line == start.line {
                start.column as usize - 1
            } else {
                0
            };
            let last = if line == end.line {
                end.column as usize - 1
            } else {
                chars.len()
            };
            if let Some(part) = chars.get(first..last) {
                text.extend(part);
                text.push(' ');
            }
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn binding(&mut self) -> Parsed<Clause> {
        let at = self.at();
        for (word, space) in [("__shared__", Space::Shared), ("__host__", Space::Host)] {
            if self.is_word(word) {
                return Ok(Clause::Declare(self.array_declaration(space)?));
            }
        }
        let TokenKind::Meta(name) = &self.peek().kind else {
            return self.error("`where` binds metavariables: `where $x = …`");
        };
        let name = name.clone();
        self.advance();
        if self.metas.iter().any(|m| m.name == name) {
            let message = format!("`${name}` is bound already");
            return Err(RuleError::new(self.file, at, message));
        }
        let meta = self.meta(&name, false, at)?;
        self.expect("=")?;
        Ok(Clause::Bind(meta, self.expression()?))
    }

    fn action(&mut self) -> Parsed<Action> {
        let at = self.at();
        match self.ident()?.as_str() {
            "add_procedure" => {
                self.expect("(")?;
                let Some(kind) = self.procedure_kind() else {
                    return self.error(
                        "`add_procedure` adds a `__global__`, `__device__` or `__host__` procedure",
                    );
                };
                let procedure = self.procedure(kind)?;
                self.expect(")")?;
                Ok(Action::AddProcedure(procedure))
            }
            "set_launch" => {
                self.expect("(")?;
                let kernel = self.expression()?;
                self.expect(",")?;
                let grid = self.expression()?;
                self.expect(",")?;
                let block = self.expression()?;
                self.expect(")")?;
                Ok(Action::SetLaunch {
                    kernel,
                    grid,
                    block,
                })
            }
            other => {
                let message =
                    format!("no action `{other}`: there are `add_procedure`, `set_launch`");
                Err(RuleError::new(self.file, at, message))
            }
        }
    }
}

pub fn binary_operator(symbol: &str) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match symbol {
        "+" => Add,
        "-" => Sub,
        "*" => Mul,
        "/" => Div,
        "%" => Rem,
        "<<" => Shl,
        ">>" => Shr,
        "&" => BitAnd,
        "|" => BitOr,
        "^" => BitXor,
        "<" => Lt,
        "<=" => Le,
        ">" => Gt,
        ">=" => Ge,
        "==" => Eq,
        "!=" => Ne,
        "&&" => And,
        "||" => Or,
        _ => return None,
    })
}
