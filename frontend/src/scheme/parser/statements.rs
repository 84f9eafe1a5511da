//! Operators: control, assignments, calls.

use super::super::problem::{Problem, Reading};
use super::super::token::Lexeme;
use super::super::tree::{
    BodyTree, ForTree, RangeTree, StatementKind, StatementTree, Tree, TreeKind,
};
use super::super::words;
use super::Parser;
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::span::Span;

/// Words an operator may start with, those of the domain left out.
const STARTS: &[&str] = &[
    "SKIP", "BEGIN", "IF", "WHILE", "FOR", "PARALLEL", "ASSERT", "ASSUME", "WAIT", "CALL",
];

impl Parser<'_> {
    /// `body = [ statement { ( ";" | "THEN" ) statement } [ ";" ] ]`, up to one of `ends`, which
    /// are for the message.
    pub(super) fn body(&mut self, ends: &[&'static str]) -> Reading<BodyTree> {
        let mut body = BodyTree::default();
        while !self.ends_body() {
            let statement = self.nested(Self::statement)?;
            body.statements.push(statement);
            if !self.eat(";") && !self.eat("THEN") {
                break;
            }
        }
        if self.ends_body() && *self.peek() != Lexeme::End {
            return Ok(body);
        }
        let mut what: Vec<String> = ends.iter().map(|word| format!("`{word}`")).collect();
        if !body.statements.is_empty() {
            what.insert(0, "`;`".to_owned());
        }
        let last = what.pop().unwrap_or_default();
        let what = match what.is_empty() {
            true => last,
            false => format!("{} or {last}", what.join(", ")),
        };
        let first_words: Vec<&'static str> = ends
            .iter()
            .map(|end| end.split(' ').next().unwrap_or(end))
            .collect();
        self.expected(&what, &first_words)
    }

    /// No operator starts here, because one around ends or because the text does.
    fn ends_body(&self) -> bool {
        matches!(
            self.peek(),
            Lexeme::End | Lexeme::Word("END" | "ELSE" | "ELSIF" | "BRANCH")
        )
    }

    /// One operator; `nested` takes back the depth it may add.
    fn statement(&mut self) -> Reading<StatementTree> {
        let start = self.at();
        let kind = match self.peek() {
            Lexeme::Word(word) => match *word {
                "SKIP" => {
                    self.advance();
                    StatementKind::Skip
                }
                "BEGIN" => {
                    self.opened("BEGIN");
                    let body = self.body(&["END"])?;
                    self.close(&[])?;
                    StatementKind::Sequence(body)
                }
                "IF" => self.conditional_statement()?,
                "WHILE" => {
                    self.opened("WHILE");
                    let cond = self.expression()?;
                    let body = self.loop_body()?;
                    StatementKind::While { cond, body }
                }
                "FOR" => self.counted_loop()?,
                "PARALLEL" => self.parallel()?,
                "ASSERT" => {
                    self.advance();
                    StatementKind::Assert(self.expression()?)
                }
                "ASSUME" => {
                    self.advance();
                    StatementKind::Assume(self.expression()?)
                }
                "WAIT" => {
                    self.advance();
                    StatementKind::Wait(self.expression()?)
                }
                "CALL" => self.call(None)?,
                "call_gpu" => self.launch()?,
                word if words::is_operator(word) => self.operator(None)?,
                _ if self.starts_target() => self.assignment()?,
                _ => return self.expected("an operator", &[]),
            },
            Lexeme::Name(_) | Lexeme::Symbol("*" | "(" | "::") => self.assignment()?,
            _ => return self.expected("an operator", &[]),
        };
        let at = self.since(start);
        Ok(StatementTree { at, kind })
    }

    /// `KERNEL k::array[…]`, `const f32*(p)[…]`
    fn starts_target(&self) -> bool {
        self.starts_type() || matches!(self.peek(), Lexeme::Word("HOST" | "DEVICE" | "KERNEL"))
    }

    fn opened(&mut self, word: &'static str) {
        self.open.push((word, self.at().line));
        self.advance();
    }

    /// `"IF" u "THEN" body { "ELSIF" u "THEN" body } [ "ELSE" body ] "END" "IF"`
    fn conditional_statement(&mut self) -> Reading<StatementKind> {
        self.opened("IF");
        let mut branches = Vec::new();
        let otherwise = loop {
            let start = self.at();
            let cond = self.expression()?;
            self.expect("THEN")?;
            let then = self.body(&["ELSE", "END IF"])?;
            branches.push((start, cond, then));
            if self.eat("ELSIF") {
                // One inside the other, as if written `ELSE IF`.
                self.deeper()?;
                continue;
            }
            break match self.eat("ELSE") {
                true => self.body(&["END IF"])?,
                false => BodyTree::default(),
            };
        };
        self.close(&["IF"])?;
        // From the last branch outwards; each inner one is the `ELSE` of that in front.
        let mut otherwise = otherwise;
        while let Some((start, cond, then)) = branches.pop() {
            let kind = StatementKind::If {
                cond,
                then,
                otherwise,
            };
            if branches.is_empty() {
                return Ok(kind);
            }
            let at = self.since(start);
            otherwise = BodyTree {
                statements: vec![StatementTree { at, kind }],
            };
        }
        Ok(StatementKind::Skip)
    }

    /// `"LOOP" body "END" "OF" "LOOP"`
    fn loop_body(&mut self) -> Reading<BodyTree> {
        self.expect("LOOP")?;
        let body = self.body(&["END OF LOOP"])?;
        self.close(&["OF", "LOOP"])?;
        Ok(body)
    }

    fn counted_loop(&mut self) -> Reading<StatementKind> {
        self.opened("FOR");
        self.expect("(")?;
        let (counter, counter_at) = self.name()?;
        self.expect("FROM")?;
        let first = self.expression()?;
        let start = self.at();
        let range = self.range()?;
        let range_at = self.since(start);
        self.expect(")")?;
        let body = self.loop_body()?;
        Ok(StatementKind::For(Box::new(ForTree {
            counter,
            counter_at,
            first,
            range,
            range_at,
            body,
        })))
    }

    fn range(&mut self) -> Reading<RangeTree> {
        if self.eat("WHILE") {
            let cond = self.expression()?;
            self.expect("NEXT")?;
            let next = self.expression()?;
            return Ok(RangeTree::General { cond, next });
        }
        let is_down = self.eat("DOWN");
        let comparison = if self.eat("TO") {
            [BinaryOp::Le, BinaryOp::Ge][is_down as usize]
        } else if !is_down && self.eat("BELOW") {
            BinaryOp::Lt
        } else if is_down && self.eat("ABOVE") {
            BinaryOp::Gt
        } else {
            return match is_down {
                true => self.expected("`TO` or `ABOVE`", &["TO", "ABOVE"]),
                false => self.expected(
                    "`TO`, `BELOW`, `DOWN` or `WHILE`",
                    &["TO", "BELOW", "DOWN", "WHILE"],
                ),
            };
        };
        let bound = self.expression()?;
        let step = match self.eat("BY") {
            true => Some(self.expression()?),
            false => None,
        };
        Ok(RangeTree::Bound {
            comparison,
            bound,
            is_down,
            step,
        })
    }

    /// `"PARALLEL" "BRANCH" body "BRANCH" body … "END" "PARALLEL"`
    fn parallel(&mut self) -> Reading<StatementKind> {
        let start = self.at();
        self.opened("PARALLEL");
        let mut branches = Vec::new();
        loop {
            if branches.is_empty() {
                self.expect("BRANCH")?;
            } else if !self.eat("BRANCH") {
                break;
            }
            branches.push(self.body(&["BRANCH", "END PARALLEL"])?);
            self.deeper()?;
        }
        self.close(&["PARALLEL"])?;
        match branches.len() {
            1 => Problem::at(start, "`PARALLEL` needs two branches at least"),
            _ => Ok(StatementKind::Parallel(branches)),
        }
    }

    /// `"CALL" name "(" args ")"`
    fn call(&mut self, target: Option<Tree>) -> Reading<StatementKind> {
        self.expect("CALL")?;
        let (name, name_at) = self.name()?;
        let args = self.in_parentheses(|parser| parser.expression())?;
        Ok(StatementKind::Call {
            target,
            name,
            name_at,
            args,
        })
    }

    /// `target ":=" ( expression | "LOAD" cell | "CALL" … | operator )`
    fn assignment(&mut self) -> Reading<StatementKind> {
        let start = self.at();
        let first = self.peek().clone();
        let target = self.postfix()?;
        if !self.eat(":=") {
            return self.no_assignment(start, &first);
        }
        match self.peek() {
            Lexeme::Word("CALL") => self.call(Some(target)),
            Lexeme::Word("LOAD") => {
                self.advance();
                let cell = self.postfix()?;
                Ok(StatementKind::Load { target, cell })
            }
            Lexeme::Word("call_gpu") => Problem::at(self.at(), "`call_gpu` has no result"),
            Lexeme::Word(word) if words::is_operator(word) => self.operator(Some(target)),
            _ => {
                let value = self.expression()?;
                if let (TreeKind::Name(name), true) = (&value.kind, self.is("(")) {
                    let message = format!("a procedure is called by `CALL {}(…)`", name.text);
                    return Problem::at(value.at, message);
                }
                Ok(StatementKind::Assign { target, value })
            }
        }
    }

    /// What looked like an assignment but is none: most often a misspelt word.
    fn no_assignment<T>(&self, start: Span, first: &Lexeme) -> Reading<T> {
        if let Lexeme::Name(name) = first {
            let words = STARTS.iter().copied().chain(words::operators());
            if let Some(word) = words::nearest(&name.text, words) {
                let message = format!("{} is no operator (did you mean `{word}`?)", first.shown());
                return Problem::at(start, message);
            }
            if self.is("(") {
                let message = format!("a procedure is called by `CALL {}(…)`", name.text);
                return Problem::at(start, message);
            }
        }
        self.expected("`:=`", &[])
    }
}
