//! Expressions as text.

use super::names::{builtin_name, constant, function_name, type_name};
use super::printer::Printer;
use crate::algebra::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::algebra::ids::VarId;
use crate::algebra::types::Type;

/// Binding strength of C's binary operators; greater binds tighter.
fn strength(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Mul | Div | Rem => 10,
        Add | Sub | PtrDiff => 9,
        Shl | Shr => 8,
        Lt | Le | Gt | Ge => 7,
        Eq | Ne => 6,
        BitAnd => 5,
        BitXor => 4,
        BitOr => 3,
        And => 2,
        Or => 1,
    }
}

const POSTFIX: u8 = 12;
const PREFIX: u8 = 11;

impl Printer<'_> {
    pub(super) fn var(&self, var: VarId) -> String {
        match self.proc.vars.get(var.0 as usize) {
            Some(decl) => decl.name.to_string(),
            None => format!("var{}", var.0),
        }
    }

    pub(super) fn list(&self, exprs: &[Expr]) -> String {
        let texts: Vec<String> = exprs.iter().map(|e| self.expr(e)).collect();
        texts.join(", ")
    }

    pub(super) fn expr(&self, expr: &Expr) -> String {
        self.strong(expr, 0)
    }

    /// The cell a pointer points to: `p[i]`, or `*p`.
    pub(super) fn cell(&self, pointer: &Expr) -> String {
        if let Some(text) = self.written_cell(pointer) {
            return text;
        }
        match &pointer.kind {
            ExprKind::Offset(base, index) => {
                format!("{}[{}]", self.strong(base, POSTFIX), self.index(index))
            }
            ExprKind::Var(var) if self.proc.is_arbitrary(*var) => self.var(*var),
            _ => format!("*{}", self.strong(pointer, PREFIX)),
        }
    }

    /// A number of elements; the outermost conversion to `I64` goes without saying.
    pub(super) fn index(&self, index: &Expr) -> String {
        match &index.kind {
            ExprKind::Cast(inner) if index.ty == Type::I64 && inner.ty != Type::I64 => {
                self.expr(inner)
            }
            ExprKind::Const(value) => value.to_string(),
            _ => self.expr(index),
        }
    }

    /// The expression in brackets if it binds less tightly than `least`.
    pub(super) fn strong(&self, expr: &Expr, least: u8) -> String {
        let (own, text) = match &expr.kind {
            ExprKind::Const(value) => {
                let text = constant(*value);
                let own = if text.starts_with(['-', '(']) {
                    PREFIX
                } else {
                    POSTFIX
                };
                (own, text)
            }
            ExprKind::Var(var) => (POSTFIX, self.var(*var)),
            ExprKind::Builtin(builtin) => (POSTFIX, builtin_name(*builtin)),
            ExprKind::Unary(op, a) => {
                let symbol = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Not => "!",
                };
                (PREFIX, format!("{symbol}{}", self.strong(a, PREFIX)))
            }
            ExprKind::Binary(op, a, b) => {
                let own = strength(*op);
                let left = self.strong(a, own);
                let right = self.strong(b, own + 1);
                (own, format!("{left} {} {right}", op.c_symbol()))
            }
            ExprKind::Cast(a) => (
                PREFIX,
                format!("({}){}", type_name(expr.ty), self.strong(a, PREFIX)),
            ),
            ExprKind::Select(c, a, b) => (
                0,
                format!(
                    "{} ? {} : {}",
                    self.strong(c, 1),
                    self.strong(a, 1),
                    self.strong(b, 1)
                ),
            ),
            ExprKind::Math(function, args) => (
                POSTFIX,
                format!("{}({})", function_name(*function), self.list(args)),
            ),
            ExprKind::ArrayBase(id) => {
                let name = self.program.arrays.get(id.0 as usize);
                (
                    POSTFIX,
                    name.map_or(format!("array{}", id.0), |a| a.name.to_string()),
                )
            }
            ExprKind::Offset(..) => (PREFIX, format!("&{}", self.cell(expr))),
            ExprKind::Load(pointer) => match self.written_cell(pointer) {
                Some(text) => (POSTFIX, text),
                None => (PREFIX, self.cell(pointer)),
            },
        };
        // A load prints as a postfix expression when it has a subscript.
        let own = match &expr.kind {
            ExprKind::Load(p) if matches!(p.kind, ExprKind::Offset(..)) => POSTFIX,
            _ => own,
        };
        if own < least || (own == 0 && least > 0) {
            format!("({text})")
        } else {
            text
        }
    }
}
