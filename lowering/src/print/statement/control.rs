//! Branches and loops, as `if`, `else if`, `while` and `for`.

use super::{Done, Statements, is_exit};
use crate::print::liveness::{matters, read_vars};
use crate::print::scope::id_range;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::{Op, OpKind};
use gridlock_semantics::analysis::loops::CountedLoop;
use std::sync::Arc;

impl Statements<'_> {
    /// Whether a counted loop can be printed as a `for`: its step must not read what is declared
    /// inside the body.
    pub(super) fn fits_a_for(&self, counted: &CountedLoop<'_>) -> bool {
        let inside = id_range(counted.while_op);
        let scopes = &self.function.scopes;
        read_vars(counted.step_op).iter().all(|var| {
            scopes.lifetimes.get(var).is_none_or(|lives| {
                lives
                    .iter()
                    .all(|life| life.0 <= inside.0 || life.0 > inside.1)
            })
        })
    }

    pub(super) fn for_loop(&mut self, counted: &CountedLoop<'_>) -> Done {
        self.declare_before(counted.init_op);
        self.declare_before(counted.while_op);
        let init = self.assignment(counted.init_op, counted.var, counted.init)?;
        self.known.execute(counted.init_op);
        let OpKind::While { cond, body } = &counted.while_op.kind else {
            return Ok(());
        };
        let head = self.known.at_loop_head(cond, body);
        self.known = head;
        let text = self
            .with_printer(counted.while_op, |p| p.condition(cond))?
            .text;
        // What holds before the step.
        let mut before_step = self.known.clone();
        before_step.assume(cond, true);
        before_step.execute(counted.body);
        let after_head = std::mem::replace(&mut self.known, before_step);
        let step = self.assignment(counted.step_op, counted.var, counted.step)?;
        self.known = after_head;
        let line = format!("for ({init}; {text}; {step}) {{");
        self.loop_body(&line, cond, counted.body)
    }

    /// Prints a loop whose head is known; leaves what is known after it.
    pub(super) fn loop_body(&mut self, line: &str, cond: &Expr, body: &Arc<Op>) -> Done {
        let head = self.known.clone();
        if self.is_empty(body) {
            let bare = line.trim_end_matches(" {");
            self.layout.line(bare);
            self.layout.indent();
            self.layout.line(";");
            self.layout.dedent();
        } else {
            self.layout.open(line);
            self.known.assume(cond, true);
            self.print(body, false)?;
            self.layout.close("}");
        }
        self.known = head;
        self.known.assume(cond, false);
        Ok(())
    }

    pub(super) fn branch(
        &mut self,
        op: &Arc<Op>,
        cond: &Expr,
        then: &Arc<Op>,
        otherwise: &Arc<Op>,
        tail: bool,
    ) -> Done {
        let (no_then, no_else) = (self.is_empty(then), self.is_empty(otherwise));
        if no_then && no_else {
            return Ok(());
        }
        let text = if no_then {
            self.with_printer(op, |p| p.negated(cond))?.text
        } else {
            self.with_printer(op, |p| p.condition(cond))?.text
        };
        let mut yes = self.known.clone();
        yes.assume(cond, true);
        let mut no = self.known.clone();
        no.assume(cond, false);
        // An early `return` reads best on one line of its own.
        if no_else && is_exit(then) {
            self.layout.open(&format!("if ({text})"));
            self.known = yes;
            self.print(then, tail)?;
            self.layout.dedent();
            self.known = no;
            return Ok(());
        }
        self.layout.open(&format!("if ({text}) {{"));
        if no_then {
            self.known = no;
            self.print(otherwise, tail)?;
            self.known = self.known.clone().join(yes);
            self.layout.close("}");
            return Ok(());
        }
        self.known = yes;
        self.print(then, tail)?;
        let after_then = std::mem::replace(&mut self.known, no);
        if no_else {
            self.layout.close("}");
        } else {
            self.layout.dedent();
            self.otherwise(otherwise, tail)?;
        }
        self.known = after_then.join(self.known.clone());
        Ok(())
    }

    /// `} else …`; `else if` where the branch is nothing but an `if`.
    pub(super) fn otherwise(&mut self, otherwise: &Arc<Op>, tail: bool) -> Done {
        let mut only = otherwise;
        while let OpKind::Seq(parts) = &only.kind
            && let [inner] = parts.as_slice()
        {
            only = inner;
        }
        let scopes = &self.function.scopes;
        let declares = scopes.before.contains_key(&only.id)
            || scopes.before_zeroed.contains_key(&only.id)
            || only.id != otherwise.id && scopes.before.contains_key(&otherwise.id);
        if let OpKind::If {
            cond,
            then,
            otherwise: last,
        } = &only.kind
            && !declares
            && !self.is_empty(then)
        {
            let text = self.with_printer(only, |p| p.condition(cond))?.text;
            self.layout.open(&format!("}} else if ({text}) {{"));
            let mut no = self.known.clone();
            no.assume(cond, false);
            self.known.assume(cond, true);
            self.print(then, tail)?;
            let after_then = std::mem::replace(&mut self.known, no);
            if self.is_empty(last) {
                self.layout.close("}");
            } else {
                self.layout.dedent();
                self.otherwise(last, tail)?;
            }
            self.known = after_then.join(self.known.clone());
            return Ok(());
        }
        self.layout.open("} else {");
        self.print(otherwise, tail)?;
        self.layout.close("}");
        Ok(())
    }

    /// Whether nothing inside an operator is printed.
    pub(super) fn is_empty(&self, op: &Arc<Op>) -> bool {
        let mut empty = true;
        op.walk(&mut |inner| {
            empty &= match &inner.kind {
                OpKind::Skip | OpKind::Seq(_) => true,
                _ => !matters(inner, &self.function.scopes.needed),
            };
        });
        empty
    }
}
