//! `goto`, compiled away like the other jumps: a jump forwards to a label by a flag that guards the statements
//! between, a jump backwards by a loop around them. A label can be reached from the statements beside it and whatever
//! is inside them; one inside a block that the `goto` is not in cannot.

use crate::body::code::Code;
use crate::body::flow::{Label, Last, Taken};
use crate::body::{Body, sequence};
use crate::constant;
use crate::refusal::Result;
use crate::syntax::kind::Kind;
use crate::syntax::statement::{Jump, Statement};
use crate::syntax::{Node, NodeExt};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::types::Type;

/// Most labels in force at one place: each has a bit.
const MAX_LABELS: usize = 32;

impl Code<'_, '_> {
    fn open_label(&mut self, id: Id, node: &Node) -> Result<u32> {
        let depth = self.flow.labels.len();
        if depth >= MAX_LABELS {
            return self.refuse(node, "this many labels around one place");
        }
        self.flow.labels.push(Label { id, flag: None });
        Ok(1 << depth)
    }

    pub(crate) fn go_to(&mut self, node: &Node, wanted: Option<Id>) -> Result<Taken> {
        let labels = &self.flow.labels;
        let Some(depth) = labels.iter().rposition(|label| Some(label.id) == wanted) else {
            return self.refuse(node, "a `goto` into a block that it is not in");
        };
        let span = self.span(node);
        let flag = match self.flow.labels[depth].flag {
            Some(flag) => flag,
            None => self.declare("gone", Type::BOOL, span),
        };
        self.flow.labels[depth].flag = Some(flag);
        self.assign_var(flag, Expr::bool(true), span);
        Ok(Taken {
            gone: 1 << depth,
            ..Taken::default()
        })
    }

    /// The flags of the labels whose bits are set.
    pub(crate) fn gone_flags(&self, bits: u32) -> impl Iterator<Item = VarId> + '_ {
        let labels = self.flow.labels.iter().enumerate();
        let wanted = labels.filter(move |(at, _)| bits >> at & 1 == 1);
        wanted.filter_map(|(_, label)| label.flag)
    }
}

impl Body<'_, '_> {
    /// Statements with a label that a `goto` among them names; `None` if there is no such label.
    pub(crate) fn labelled(&mut self, list: &[&Node], last: Last) -> Result<Option<Taken>> {
        for (at, node) in list.iter().enumerate() {
            let Some((id, inner)) = label(node) else {
                continue;
            };
            let (before, after) = (&list[..at], &list[at + 1..]);
            if before.iter().any(|s| goes_to(s, id)) {
                return self.forward(id, before, &list[at..], last).map(Some);
            }
            let mut region: Vec<&Node> = Vec::new();
            for child in inner {
                self.flatten(child, &mut region);
            }
            region.extend(after);
            let Some(end) = region.iter().rposition(|s| goes_to(s, id)) else {
                continue;
            };
            let rest = region.split_off(end + 1);
            // The statements before it are read first, as in any list.
            let taken = self.statements(before, Last::default())?;
            let span = self.span(node);
            if !taken.any() {
                return self.backward(id, &region, &rest, last).map(Some);
            }
            let goes_on = constant::not(self.is_taken(taken));
            let (ops, more) = self.apart(|b| b.backward(id, &region, &rest, last))?;
            self.emit_if(goes_on, sequence(ops), Op::skip(), span);
            return Ok(Some(taken.or(more)));
        }
        // A label that no `goto` names is just the statement after it.
        if list.iter().any(|node| label(node).is_some()) {
            let mut plain: Vec<&Node> = Vec::new();
            for node in list {
                match label(node) {
                    Some((_, inner)) => inner.iter().for_each(|n| self.flatten(n, &mut plain)),
                    None => plain.push(node),
                }
            }
            return self.statements(&plain, last).map(Some);
        }
        Ok(None)
    }

    /// `before` goes to the label that the first of `from` has.
    fn forward(&mut self, id: Id, before: &[&Node], from: &[&Node], last: Last) -> Result<Taken> {
        let node = from[0];
        let span = self.span(node);
        let bit = self.open_label(id, node)?;
        let made = self.apart(|b| b.statements(before, Last::default()));
        let flag = self.flow.labels.pop().and_then(|label| label.flag);
        let (ops, taken) = made?;
        if let Some(var) = flag {
            let value = Expr::bool(false);
            self.emit(Basic::Assign { var, value }, span);
        }
        self.ops.extend(ops);
        let outside = Taken {
            gone: taken.gone & !bit,
            ..taken
        };
        if !outside.any() {
            return Ok(outside.or(self.statements(from, last)?));
        }
        let goes_on = constant::not(self.is_taken(outside));
        let (ops, more) = self.apart(|b| b.statements(from, last))?;
        self.emit_if(goes_on, sequence(ops), Op::skip(), span);
        Ok(outside.or(more))
    }

    /// `region` starts at the label, and goes back to it.
    fn backward(&mut self, id: Id, region: &[&Node], rest: &[&Node], last: Last) -> Result<Taken> {
        let Some(node) = region.first().copied() else {
            return self.statements(rest, last);
        };
        let span = self.span(node);
        let bit = self.open_label(id, node)?;
        let before = self.set_repeated(true);
        let made = self.apart(|b| b.statements(region, Last::default()));
        self.set_repeated(before);
        let flag = self.flow.labels.pop().and_then(|label| label.flag);
        let (mut ops, taken) = made?;
        if let Some(var) = flag {
            let set = |value| {
                let value = Expr::bool(value);
                Op::basic(Basic::Assign { var, value }, span)
            };
            ops.insert(0, set(false));
            self.ops.push(set(true));
            let kind = OpKind::While {
                cond: Expr::var(var, Type::BOOL),
                body: sequence(ops),
            };
            self.ops.push(Op::new(kind, span));
        } else {
            self.ops.extend(ops);
        }
        let outside = Taken {
            gone: taken.gone & !bit,
            ..taken
        };
        if !outside.any() {
            return Ok(outside.or(self.statements(rest, last)?));
        }
        let goes_on = constant::not(self.is_taken(outside));
        let (ops, more) = self.apart(|b| b.statements(rest, last))?;
        self.emit_if(goes_on, sequence(ops), Op::skip(), span);
        Ok(outside.or(more))
    }
}

/// The label that a statement has, and the statements behind it.
fn label(node: &Node) -> Option<(Id, &[Node])> {
    match node.statement() {
        Statement::Label { id, inner } => Some((id, inner)),
        _ => None,
    }
}

fn goes_to(node: &Node, id: Id) -> bool {
    match node.statement() {
        Statement::Jump(Jump::Goto(label)) => label == Some(id),
        _ if node.is(Kind::LambdaExpr) => false,
        _ => node.inner.iter().any(|child| goes_to(child, id)),
    }
}
