//! Statements.

use crate::body::flow::{Last, Taken};
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::spans::join;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::span::Span;

impl Body<'_, '_> {
    /// One statement; says which jumps out of it may have been taken.
    pub(crate) fn statement(&mut self, node: &Node, last: Last) -> Result<Taken> {
        match node.kind() {
            Kind::CompoundStmt => {
                let statements: Vec<&Node> = node.inner.iter().collect();
                self.statements(&statements, last)
            }
            Kind::DeclStmt => {
                for declaration in &node.inner {
                    self.local(declaration)?;
                }
                Ok(Taken::default())
            }
            Kind::IfStmt => self.if_statement(node, last),
            Kind::ForStmt => self.for_loop(node),
            Kind::WhileStmt => self.while_loop(node),
            Kind::DoStmt => self.do_loop(node, last),
            Kind::SwitchStmt => self.switch(node),
            Kind::BreakStmt | Kind::ContinueStmt | Kind::ReturnStmt | Kind::GotoStmt => {
                self.jump(node, last)
            }
            Kind::CXXForRangeStmt => self.range_loop(node),
            // The jumps to a label are handled where the label stands among other statements.
            Kind::LabelStmt => self.statements(&[node], last),
            Kind::NullStmt => Ok(Taken::default()),
            Kind::AttributedStmt => match node.last() {
                Some(inner) => self.statement(inner, last),
                None => Ok(Taken::default()),
            },
            _ if self.ends_program(node) => self.end_program(node, last),
            _ => {
                self.effect(node)?;
                Ok(Taken::default())
            }
        }
    }

    fn if_statement(&mut self, node: &Node, last: Last) -> Result<Taken> {
        let (Some(cond), Some(then)) = (node.child(0), node.child(1)) else {
            return self.refuse(node, "this `if`");
        };
        let span = self.head_span(node, cond);
        let cond = self.condition(cond)?;
        let otherwise = node.child(2);
        match (constant::truth(&cond), otherwise) {
            (Some(true), _) => return self.statement(then, last),
            (Some(false), Some(otherwise)) => return self.statement(otherwise, last),
            (Some(false), None) => return Ok(Taken::default()),
            (None, _) => {}
        }
        let (then_ops, mut taken) = self.apart(|b| b.statement(then, last))?;
        let mut else_ops = Vec::new();
        if let Some(otherwise) = otherwise {
            let (ops, more) = self.apart(|b| b.statement(otherwise, last))?;
            else_ops = ops;
            taken = taken.or(more);
        }
        self.emit_if(cond, sequence(then_ops), sequence(else_ops), span);
        Ok(taken)
    }

    /// From the keyword to the end of the condition.
    pub(crate) fn head_span(&self, node: &Node, cond: &Node) -> Span {
        let whole = self.span(node);
        let cond = self.span(cond);
        if cond.is_none() {
            return whole;
        }
        join(whole, cond)
    }
}
