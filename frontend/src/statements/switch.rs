//! `switch`: a chain of `if`s over the value, one for each run of cases that fall through into one
//! another. In a run the statements of a case stand once, under the condition that it was entered
//! or one before it: a barrier behind two labels is one barrier.
//!
//! **Lemma (entered cases).** The value is computed once, before any case, so that one entry is taken; from there
//! on statements run in their order until a jump leaves.

use crate::body::code::Code;
use crate::body::flow::{Last, LoopFlags, Taken};
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::syntax::kind::Kind;
use crate::syntax::statement::Statement;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::span::Span;
use std::sync::Arc;

/// The labels at one place, and the statements from there to the next labels.
#[derive(Default)]
struct Section<'n> {
    values: Vec<&'n Node>,
    is_default: bool,
    statements: Vec<&'n Node>,
}

/// Sections that fall through into one another.
struct Run<'s, 'n> {
    sections: &'s [Section<'n>],
    /// Whether the value is one of a section's labels; `None` without labels.
    labels: &'s [Option<Expr>],
}

impl Run<'_, '_> {
    /// Where some section of the run was entered: whether that was section `at` or one before it.
    fn is_entered_until(&self, at: usize) -> Expr {
        let (until, behind) = self.labels.split_at(at + 1);
        let has_default = self.sections[..=at].iter().any(|s| s.is_default);
        match (has_default, any_of(until), any_of(behind)) {
            // A value without a label enters at the default.
            (true, _, behind) => behind.map_or(Expr::bool(true), constant::not),
            (false, until, _) => until.unwrap_or_else(|| Expr::bool(false)),
        }
    }
}

/// A jump in the last statement of a case needs no flag of its own.
const LAST: Last = Last {
    of_switch: true,
    of_function: false,
    of_loop_body: false,
};

fn any_of(conds: &[Option<Expr>]) -> Option<Expr> {
    let conds = conds.iter().flatten().cloned();
    conds.reduce(|a, b| constant::binary(BinaryOp::Or, a, b))
}

impl Code<'_, '_> {
    /// The statements of a section up to its `break` or another jump, and whether control goes on
    /// into the next section behind them.
    fn own<'n>(&self, section: &Section<'n>) -> (Vec<&'n Node>, bool) {
        let mut list = Vec::new();
        for &statement in &section.statements {
            if statement.is(Kind::BreakStmt) {
                return (list, false);
            }
            list.push(statement);
            if self.jumps(statement) {
                return (list, false);
            }
        }
        (list, true)
    }

    fn push_switch(&mut self) {
        self.enter_loop();
        if let Some(flags) = self.last_loop() {
            flags.is_switch = true;
        }
    }
}

impl Body<'_, '_> {
    pub(crate) fn switch(&mut self, node: &Node, cond: &Node, body: &Node) -> Result<Taken> {
        let span = self.head_span(node, cond);
        let mut value = self.value(cond)?;
        let sections = self.sections(body)?;
        let mut before_last = sections.iter().rev().skip(1);
        // A case may assign a variable before it falls through.
        let is_kept = match value.kind {
            ExprKind::Const(_) => false,
            ExprKind::Var(_) => before_last.any(|section| self.own(section).1),
            _ => true,
        };
        if is_kept {
            value = self.keep(value, span);
        }
        self.push_switch();
        let made = self.apart(|b| match value.kind {
            ExprKind::Const(_) => b.chosen_case(&value, &sections),
            _ => b.cases(&value, &sections, span),
        });
        let LoopFlags { left, .. } = self.leave_loop();
        let (ops, taken) = made?;
        if let Some(var) = left {
            let value = Expr::bool(false);
            self.emit(Basic::Assign { var, value }, span);
        }
        self.ops.extend(ops);
        Ok(Taken {
            left: false,
            ..taken
        })
    }

    /// The value is known: the one case that is entered, and those it falls through into.
    fn chosen_case(&mut self, value: &Expr, sections: &[Section<'_>]) -> Result<Taken> {
        let mut entered = sections.iter().position(|s| s.is_default);
        for (index, section) in sections.iter().enumerate() {
            let labels = self.labels(value, section)?;
            if labels.as_ref().and_then(constant::truth) == Some(true) {
                entered = Some(index);
            }
        }
        let Some(first) = entered else {
            return Ok(Taken::default());
        };
        let mut list = Vec::new();
        for section in &sections[first..] {
            let (own, falls) = self.own(section);
            list.extend(own);
            if !falls {
                break;
            }
        }
        self.statements(&list, LAST)
    }

    /// A chain of `if`s over the runs of cases that fall through into one another.
    fn cases(&mut self, value: &Expr, sections: &[Section<'_>], span: Span) -> Result<Taken> {
        let mut labels = Vec::with_capacity(sections.len());
        for section in sections {
            labels.push(self.labels(value, section)?);
        }
        let mut taken = Taken::default();
        let mut runs: Vec<(Option<Expr>, Vec<Arc<Op>>)> = Vec::new();
        let mut by_default = Vec::new();
        let mut first = 0;
        while first < sections.len() {
            let falls = |at: &usize| self.own(&sections[*at]).1;
            let last = (first..sections.len()).find(|at| !falls(at));
            let last = last.unwrap_or(sections.len() - 1);
            let run = Run {
                sections: &sections[first..=last],
                labels: &labels[first..=last],
            };
            let (ops, more) = self.apart(|b| b.run(&run, 0, span))?;
            taken = taken.or(more);
            match run.sections.iter().any(|s| s.is_default) {
                // The run with the default ends the chain: values without a label reach it, and so do those of its
                // labels.
                true => by_default = ops,
                false => runs.push((any_of(run.labels), ops)),
            }
            first = last + 1;
        }
        let mut chain = by_default;
        for (cond, ops) in runs.into_iter().rev() {
            // A section has at least one label or `default`.
            let cond = cond.unwrap_or_else(|| Expr::bool(false));
            chain = self.block(|b| {
                b.emit_if(cond, sequence(ops), sequence(chain), span);
                Ok(())
            })?;
        }
        self.ops.extend(chain);
        Ok(taken)
    }

    /// The sections of a run from `at` on, each under the condition that it or one before it was
    /// entered; the last of them always is.
    fn run(&mut self, run: &Run<'_, '_>, at: usize, span: Span) -> Result<Taken> {
        let (own, _) = self.own(&run.sections[at]);
        if at + 1 == run.sections.len() {
            return self.statements(&own, LAST);
        }
        let (ops, taken) = self.apart(|b| b.statements(&own, Last::default()))?;
        if !ops.is_empty() {
            self.emit_if(run.is_entered_until(at), sequence(ops), Op::skip(), span);
        }
        if !taken.any() {
            return self.run(run, at + 1, span);
        }
        let goes_on = constant::not(self.is_taken(taken));
        let (rest, more) = self.apart(|b| b.run(run, at + 1, span))?;
        self.emit_if(goes_on, sequence(rest), Op::skip(), span);
        Ok(taken.or(more))
    }

    /// Whether the value is one of the labels of a section; `None` without labels.
    fn labels(&mut self, value: &Expr, section: &Section<'_>) -> Result<Option<Expr>> {
        let mut conds = Vec::new();
        for &label in &section.values {
            let at = label;
            let label = self.value(label)?;
            if label.ty != value.ty {
                return self.refuse(at, "this case");
            }
            conds.push(Some(constant::binary(BinaryOp::Eq, value.clone(), label)));
        }
        Ok(any_of(&conds))
    }

    fn sections<'n>(&self, body: &'n Node) -> Result<Vec<Section<'n>>> {
        let mut sections: Vec<Section<'n>> = Vec::new();
        let list = match body.statement() {
            Statement::Block(statements) => statements,
            _ => std::slice::from_ref(body),
        };
        for statement in list {
            let mut statement = statement;
            let mut is_new = true;
            while let Statement::Case { values, inner } = statement.statement() {
                if is_new && sections.last().is_none_or(|s| !s.statements.is_empty()) {
                    sections.push(Section::default());
                }
                is_new = false;
                let Some(section) = sections.last_mut() else {
                    return self.refuse(statement, "this case");
                };
                match values {
                    [] => section.is_default = true,
                    [value] => section.values.push(value),
                    _ => return self.refuse(statement, "a range of cases"),
                }
                statement = inner;
            }
            if has_label(statement) {
                return self.refuse(statement, "a case inside another statement");
            }
            match sections.last_mut() {
                Some(section) => section.statements.push(statement),
                // Code before the first label is never reached; only its declarations count.
                None if statement.is(Kind::DeclStmt) => {
                    return self.refuse(statement, "a declaration before the first case");
                }
                None => {}
            }
        }
        Ok(sections)
    }
}

/// Whether a statement holds a label of this `switch`.
fn has_label(node: &Node) -> bool {
    match node.kind() {
        Kind::CaseStmt | Kind::DefaultStmt => true,
        Kind::SwitchStmt | Kind::LambdaExpr => false,
        _ => node.inner.iter().any(has_label),
    }
}
