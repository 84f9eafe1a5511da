//! Statements.

use crate::body::flow::{Last, Taken};
use crate::body::source::Source;
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::spans::join;
use crate::syntax::statement::Statement;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::span::Span;

impl Source<'_, '_> {
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

impl Body<'_, '_> {
    /// One statement; says which jumps out of it may have been taken.
    pub(crate) fn statement(&mut self, node: &Node, last: Last) -> Result<Taken> {
        match node.statement() {
            Statement::Block(statements) => {
                let statements: Vec<&Node> = statements.iter().collect();
                self.statements(&statements, last)
            }
            Statement::Declarations(declarations) => {
                for declaration in declarations {
                    self.local(declaration)?;
                }
                Ok(Taken::default())
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => self.if_statement(node, condition, then, otherwise, last),
            Statement::For(parts) => self.for_loop(node, &parts),
            Statement::While { condition, body } => self.while_loop(node, condition, body),
            Statement::Do { body, condition } => self.do_loop(node, body, condition, last),
            Statement::Switch { value, body } => self.switch(node, value, body),
            Statement::Jump(jump) => self.jump(node, jump, last),
            Statement::RangeFor => self.range_loop(node),
            // The jumps to a label are handled where the label stands among other statements.
            Statement::Label { .. } => self.statements(&[node], last),
            Statement::Empty => Ok(Taken::default()),
            Statement::Attributed(inner) => self.statement(inner, last),
            _ if self.is_unheard_query(node)? => Ok(Taken::default()),
            _ if self.ends_program(node) => self.end_program(node, last),
            _ => {
                self.effect(node)?;
                Ok(Taken::default())
            }
        }
    }

    fn if_statement(
        &mut self,
        node: &Node,
        cond: &Node,
        then: &Node,
        otherwise: Option<&Node>,
        last: Last,
    ) -> Result<Taken> {
        let span = self.head_span(node, cond);
        let cond = self.condition(cond)?;
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
}
