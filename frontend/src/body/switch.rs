//! `switch`: a chain of `if`s over the value. Where one case falls through to the next, the
//! statements of the next stand in both.

use super::jump::{Last, LoopFlags, Taken};
use super::{Body, Result, sequence};
use crate::constant;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::operator::{Basic, Op};
use std::sync::Arc;

/// Most statements of a `switch`, those repeated counted again.
const MAX_STATEMENTS: usize = 512;

/// The labels at one place, and the statements from there to the next labels.
#[derive(Default)]
struct Section<'n> {
    values: Vec<&'n Node>,
    is_default: bool,
    statements: Vec<&'n Node>,
}

impl Body<'_, '_> {
    pub(super) fn switch(&mut self, node: &Node) -> Result<Taken> {
        if node.kind.has_init || node.kind.has_var {
            return self.refuse(node, "a declaration in the condition of a `switch`");
        }
        let [cond, body] = node.inner.as_slice() else {
            return self.refuse(node, "this `switch`");
        };
        let span = self.head_span(node, cond);
        let mut value = self.value(cond)?;
        if !matches!(value.kind, ExprKind::Const(_) | ExprKind::Var(_)) {
            value = self.keep(value, span);
        }
        let sections = self.sections(body)?;
        let mut entries = Vec::new();
        let mut n_statements = 0;
        for first in 0..sections.len() {
            let mut list = Vec::new();
            'falls: for section in &sections[first..] {
                for &statement in &section.statements {
                    if statement.is("BreakStmt") {
                        break 'falls;
                    }
                    list.push(statement);
                    if self.jumps(statement) {
                        break 'falls;
                    }
                }
            }
            n_statements += list.len();
            if n_statements > MAX_STATEMENTS {
                return self.refuse(node, "a `switch` whose cases fall through this often");
            }
            entries.push(list);
        }
        self.push_switch();
        let made = self.apart(|b| b.cases(&value, &sections, &entries, span));
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

    fn cases(
        &mut self,
        value: &Expr,
        sections: &[Section<'_>],
        entries: &[Vec<&Node>],
        span: gridlock_semantics::span::Span,
    ) -> Result<Taken> {
        // A jump in the last statement of a case needs no flag of its own.
        let last = Last {
            of_switch: true,
            ..Last::default()
        };
        let mut taken = Taken::default();
        let mut chosen: Vec<(Option<Expr>, Vec<Arc<Op>>)> = Vec::new();
        let by_default = sections.iter().position(|s| s.is_default);
        let order = (0..sections.len())
            .filter(|i| Some(*i) != by_default)
            .chain(by_default);
        let mut is_decided = false;
        for index in order {
            let mut conds = Vec::new();
            for &label in &sections[index].values {
                let label = self.value(label)?;
                if label.ty != value.ty {
                    return self.refuse(sections[index].values[0], "this case");
                }
                conds.push(constant::binary(BinaryOp::Eq, value.clone(), label));
            }
            let is_default = Some(index) == by_default;
            let cond = conds
                .into_iter()
                .reduce(|a, b| constant::binary(BinaryOp::Or, a, b));
            // Whatever else leads to the default, its own labels do too.
            let cond = if is_default { None } else { cond };
            let truth = cond.as_ref().and_then(constant::truth);
            if truth == Some(false) || is_decided {
                continue;
            }
            let (ops, more) = self.apart(|b| b.statements(&entries[index], last))?;
            taken = taken.or(more);
            is_decided = truth == Some(true);
            chosen.push((cond.filter(|_| truth.is_none()), ops));
        }
        let mut chain: Vec<Arc<Op>> = Vec::new();
        for (cond, ops) in chosen.into_iter().rev() {
            chain = match cond {
                None => ops,
                Some(cond) => self.block(|b| {
                    b.emit_if(cond, sequence(ops), sequence(chain), span);
                    Ok(())
                })?,
            };
        }
        self.ops.extend(chain);
        Ok(taken)
    }

    fn sections<'n>(&self, body: &'n Node) -> Result<Vec<Section<'n>>> {
        let mut sections: Vec<Section<'n>> = Vec::new();
        let single = std::slice::from_ref(body);
        let list = if body.is("CompoundStmt") {
            body.inner.as_slice()
        } else {
            single
        };
        for statement in list {
            let mut statement = statement;
            let mut is_new = true;
            while matches!(statement.kind_name(), "CaseStmt" | "DefaultStmt") {
                if is_new && sections.last().is_none_or(|s| !s.statements.is_empty()) {
                    sections.push(Section::default());
                }
                is_new = false;
                let is_case = statement.is("CaseStmt");
                let Some(section) = sections.last_mut() else {
                    return self.refuse(statement, "this case");
                };
                match (is_case, statement.inner.as_slice()) {
                    (true, [value, inner]) => {
                        section.values.push(value);
                        statement = inner;
                    }
                    (true, _) => return self.refuse(statement, "a range of cases"),
                    (false, [inner]) => {
                        section.is_default = true;
                        statement = inner;
                    }
                    (false, _) => return self.refuse(statement, "this case"),
                }
            }
            if has_label(statement) {
                return self.refuse(statement, "a case inside another statement");
            }
            match sections.last_mut() {
                Some(section) => section.statements.push(statement),
                // Before the first label: never reached, but for what it declares.
                None if statement.is("DeclStmt") => {
                    return self.refuse(statement, "a declaration before the first case");
                }
                None => {}
            }
        }
        Ok(sections)
    }

    fn push_switch(&mut self) {
        self.enter_loop();
        if let Some(flags) = self.last_loop() {
            flags.is_switch = true;
        }
    }
}

/// Whether a statement holds a label of this `switch`.
fn has_label(node: &Node) -> bool {
    match node.kind_name() {
        "CaseStmt" | "DefaultStmt" => true,
        "SwitchStmt" | "LambdaExpr" => false,
        _ => node.inner.iter().any(has_label),
    }
}
