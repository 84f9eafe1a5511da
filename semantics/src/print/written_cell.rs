//! Cells in an expression, as the source writes them: `s[t].y`.

use super::printer::Printer;
use crate::algebra::cell_names::Shape;
use crate::algebra::expr::{Expr, ExprKind};
use crate::algebra::types::ScalarType;
use crate::print::cell_expression::{Step, steps};
use std::fmt::Write;

impl Printer<'_> {
    /// The cell a pointer points to as the source writes it, where that is not just a subscript.
    pub(super) fn written_cell(&self, pointer: &Expr) -> Option<String> {
        let first = Expr::int(ScalarType::I64, 0);
        let (base, number) = match &pointer.kind {
            ExprKind::Offset(base, number) => (&**base, &**number),
            _ => (pointer, &first),
        };
        let cells = match &base.kind {
            _ if !self.as_written => None,
            ExprKind::ArrayBase(id) => {
                let decl = self.program.arrays.get(id.0 as usize)?;
                Some(self.program.cells.of_array(decl))
            }
            ExprKind::Var(var) => {
                let decl = self.proc.vars.get(var.0 as usize)?;
                self.program.cells.behind(&self.proc.name, decl)
            }
            _ => None,
        };
        let cells = cells?;
        if cells.of == Shape::Cell {
            // A variable that is no array is its only cell, and not a pointer to it.
            let is_first = matches!(&number.kind, ExprKind::Const(n) if n.as_integer() == Some(0));
            return (!cells.is_array && is_first).then(|| cells.base.to_string());
        }
        let mut text = cells.base.to_string();
        for step in steps(&cells, number)? {
            match step {
                Step::Subscript(number) => {
                    let _ = write!(text, "[{}]", self.index(&number));
                }
                Step::Member(name) => {
                    let _ = write!(text, ".{name}");
                }
            }
        }
        Some(text)
    }
}
