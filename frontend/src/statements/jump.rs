//! `break`, `continue`, and `return` of functions: compiled away.
//!
//! If the shape of the program allows it, the statements after a jump move into the other branch of
//! the `if` around it, and nothing else is needed. Otherwise a flag records that the jump was
//! taken, and guards the statements that follow. A kernel's `return` is the basic operator `exit`.

use crate::body::code::Code;
use crate::body::flow::{Last, LoopFlags, Taken};
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::syntax::kind::Kind;
use crate::syntax::statement::{Jump, Statement};
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;
use std::sync::Arc;

impl Code<'_, '_> {
    /// What must run before a function's first statement.
    pub(crate) fn flow_prologue(&mut self, span: Span) -> Vec<Arc<Op>> {
        let flag = self.flow.returned.map(|var| {
            let value = Expr::bool(false);
            Op::basic(Basic::Assign { var, value }, span)
        });
        flag.into_iter().collect()
    }

    /// Whether control never reaches the end of a statement. (A kernel's `return` ends the
    /// thread by itself and needs no help.)
    fn always_jumps(&self, node: &Node) -> bool {
        match node.statement() {
            Statement::Jump(Jump::Return(_)) => !self.exits(),
            Statement::Jump(_) => true,
            Statement::Block(statements) => statements.iter().any(|n| self.always_jumps(n)),
            Statement::If {
                then, otherwise, ..
            } => {
                let else_jumps = otherwise.is_some_and(|o| self.always_jumps(o));
                else_jumps && self.always_jumps(then)
            }
            _ => self.ends_program(node),
        }
    }

    /// As [`Body::always_jumps`], for the statements of a `switch`.
    pub(crate) fn jumps(&self, node: &Node) -> bool {
        // A kernel's `return` ends the thread.
        node.is(Kind::ReturnStmt) || self.always_jumps(node)
    }

    /// Some jump of `taken` was taken.
    ///
    /// **Lemma (flags).** A flag is false where its loop, `switch`, function or label begins and true from the
    /// jump on, so that what is guarded by its negation runs exactly when the jump was not taken.
    pub(crate) fn is_taken(&self, taken: Taken) -> Expr {
        let flags = self.flow.loops.last();
        let mut around = self.flow.loops.iter().rev();
        let around = around.find(|f| !f.is_switch);
        let wanted = [
            flags.and_then(|f| f.left).filter(|_| taken.left),
            around.and_then(|f| f.continued).filter(|_| taken.continued),
            self.flow.returned.filter(|_| taken.returned),
        ];
        wanted
            .into_iter()
            .flatten()
            .chain(self.gone_flags(taken.gone))
            .map(|var| Expr::var(var, Type::BOOL))
            .reduce(|a, b| Expr::binary(BinaryOp::Or, a, b))
            .unwrap_or_else(|| Expr::bool(false))
    }

    /// Leaves the function from here.
    pub(crate) fn returns(&mut self, last: Last, span: Span) -> Taken {
        if last.of_function {
            return Taken::default();
        }
        let flag = match self.flow.returned {
            Some(flag) => flag,
            None => self.declare("returned", Type::BOOL, span),
        };
        self.flow.returned = Some(flag);
        self.assign_var(flag, Expr::bool(true), span);
        Taken {
            returned: true,
            ..Taken::default()
        }
    }

    pub(crate) fn enter_loop(&mut self) {
        self.flow.loops.push(LoopFlags::default());
    }

    pub(crate) fn last_loop(&mut self) -> Option<&mut LoopFlags> {
        self.flow.loops.last_mut()
    }

    pub(crate) fn leave_loop(&mut self) -> LoopFlags {
        self.flow.loops.pop().unwrap_or_default()
    }

    /// Sets whether the code that is read from now on may run more than once; returns the previous setting.
    pub(crate) fn set_repeated(&mut self, repeated: bool) -> bool {
        std::mem::replace(&mut self.flow.in_outer_loop, repeated)
    }

    /// Whether the code being read may run more than once.
    pub(crate) fn in_loop(&self) -> bool {
        self.flow.loops.iter().any(|f| !f.is_switch) || self.flow.in_outer_loop
    }

    /// Whether the code being read is the body of a function that others call.
    pub(crate) fn is_called(&self) -> bool {
        self.kind == ProcKind::Device || self.flow.is_in_place
    }

    /// Whether `return` ends the thread: in a kernel's own body.
    pub(crate) fn exits(&self) -> bool {
        self.kind == ProcKind::Kernel && !self.flow.is_in_place
    }

    pub(crate) fn returned_flag(&self) -> Option<VarId> {
        self.flow.returned
    }
}

impl Body<'_, '_> {
    pub(crate) fn function_body(&mut self, body: &Node) -> Result<()> {
        let mut statements: Vec<&Node> = body.inner.iter().collect();
        // A kernel's `return` at the very end is simply its end.
        if self.exits() {
            while statements.last().is_some_and(|s| s.is(Kind::ReturnStmt)) {
                statements.pop();
            }
        }
        let last = Last {
            of_function: true,
            ..Last::default()
        };
        self.statements(&statements, last).map(|_| ())
    }

    /// Statements one after another.
    pub(crate) fn statements(&mut self, list: &[&Node], last: Last) -> Result<Taken> {
        let mut flat: Vec<&Node> = Vec::new();
        for node in list {
            self.flatten(node, &mut flat);
        }
        let mut rest = flat.as_slice();
        if let Some(taken) = self.labelled(rest, last)? {
            return Ok(taken);
        }
        while let [first, others @ ..] = rest {
            if self.unit.declares_destroyed(first) {
                return self.until_destroyed(first, others);
            }
            if others.is_empty() {
                return self.statement(first, last);
            }
            if self.always_jumps(first) {
                return self.statement(first, last);
            }
            if let Some(taken) = self.branch_with_rest(first, others, last)? {
                return Ok(taken);
            }
            let taken = self.statement(first, Last::default())?;
            if taken.any() {
                let span = self.span(first);
                let goes_on = constant::not(self.is_taken(taken));
                let (ops, more) = self.apart(|b| b.statements(others, last))?;
                self.emit_if(goes_on, sequence(ops), Op::skip(), span);
                return Ok(taken.or(more));
            }
            rest = others;
        }
        Ok(Taken::default())
    }

    /// `if (c) { …; break; } rest`: the rest goes into the other branch.
    ///
    /// **Lemma (rest in the other branch).** Where one branch always jumps, what follows the `if` runs exactly when the
    /// other is taken, and behind it.
    fn branch_with_rest(
        &mut self,
        node: &Node,
        rest: &[&Node],
        last: Last,
    ) -> Result<Option<Taken>> {
        let Statement::If {
            condition,
            then,
            otherwise,
        } = node.statement()
        else {
            return Ok(None);
        };
        let then_jumps = self.always_jumps(then);
        let else_jumps = otherwise.is_some_and(|o| self.always_jumps(o));
        if !then_jumps && !else_jumps {
            return Ok(None);
        }
        let span = self.head_span(node, condition);
        let cond = self.condition(condition)?;
        let mut then_list = vec![then];
        let mut else_list: Vec<&Node> = otherwise.into_iter().collect();
        if !then_jumps {
            then_list.extend(rest);
        } else if !else_jumps {
            else_list.extend(rest);
        }
        match constant::truth(&cond) {
            Some(true) => return self.statements(&then_list, last).map(Some),
            Some(false) => return self.statements(&else_list, last).map(Some),
            None => {}
        }
        let (then_ops, then_taken) = self.apart(|b| b.statements(&then_list, last))?;
        let (else_ops, else_taken) = self.apart(|b| b.statements(&else_list, last))?;
        self.emit_if(cond, sequence(then_ops), sequence(else_ops), span);
        Ok(Some(then_taken.or(else_taken)))
    }

    pub(crate) fn jump(&mut self, node: &Node, jump: Jump<'_>, last: Last) -> Result<Taken> {
        let span = self.span(node);
        let mut taken = Taken::default();
        match jump {
            Jump::Break if last.of_switch => {}
            Jump::Break => {
                let flag = match self.flow.loops.last().and_then(|f| f.left) {
                    Some(flag) => flag,
                    None => self.declare("left", Type::BOOL, span),
                };
                match self.flow.loops.last_mut() {
                    Some(flags) => flags.left = Some(flag),
                    None => return self.refuse(node, "`break` here"),
                }
                self.assign_var(flag, Expr::bool(true), span);
                taken.left = true;
            }
            Jump::Continue if last.of_loop_body => {}
            Jump::Continue => {
                let around = |f: &&LoopFlags| !f.is_switch;
                let flag = self.flow.loops.iter().rev().find(around);
                let flag = match flag.and_then(|f| f.continued) {
                    Some(flag) => flag,
                    None => self.declare("continued", Type::BOOL, span),
                };
                match self.flow.loops.iter_mut().rev().find(|f| !f.is_switch) {
                    Some(flags) => flags.continued = Some(flag),
                    None => return self.refuse(node, "`continue` here"),
                }
                self.assign_var(flag, Expr::bool(true), span);
                taken.continued = true;
            }
            Jump::Goto(label) => return self.go_to(node, label),
            Jump::Return(value) if self.flow.is_in_place => {
                if let Some(value) = value {
                    self.answer(value)?;
                }
                return Ok(self.returns(last, span));
            }
            Jump::Return(value) => {
                if let Some(value) = value {
                    match self.flow.result {
                        Some(result) => {
                            let value = self.value(value)?;
                            self.assign_var(result, value, span);
                        }
                        None => self.effect(value)?,
                    }
                }
                if self.exits() && self.flow.alive.is_empty() {
                    self.emit(Basic::Exit, span);
                } else {
                    return Ok(self.returns(last, span));
                }
            }
        }
        Ok(taken)
    }
}
