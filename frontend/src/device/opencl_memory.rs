//! `vloadn` and `vstoren`: a vector as `n` scalars one after another (OpenCL C 3.0, 6.15.7).

use crate::body::Body;
use crate::body::operands::Operand;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// The number of elements in `vload4`, after the word.
fn length(name: &str, word: &str) -> Option<usize> {
    name.strip_prefix(word)?.parse().ok()
}

impl Body<'_, '_> {
    /// The cells `vload4(offset, pointer)` reads.
    pub(crate) fn vector_load(
        &mut self,
        node: &Node,
        name: &str,
        (elem, n): (ScalarType, usize),
        arguments: &[&Node],
    ) -> Result<Option<Vec<Expr>>> {
        let (Some(length), [offset, pointer]) = (length(name, "vload"), arguments) else {
            return Ok(None);
        };
        let operands = [Operand::Value(offset), Operand::Value(pointer)];
        let Ok([offset, pointer]) = <[Expr; 2]>::try_from(self.operands(&operands)?) else {
            return Ok(None);
        };
        if length != n || pointer.ty.pointer().map(|p| p.elem) != Some(elem) {
            return self.refuse(node, format!("this call of `{name}`"));
        }
        let first = moved(pointer, offset, n as u64);
        let span = self.span(node);
        let first = match first.has_load() {
            true => self.steady_pointer(first, span),
            false => first,
        };
        Ok((0..n).map(|i| Expr::load(at(&first, i))).collect())
    }

    /// `vstore4(vector, offset, pointer)`; false when it is no such call.
    pub(crate) fn vector_store(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<bool> {
        let (Some(length), [vector, offset, pointer]) = (length(name, "vstore"), arguments) else {
            return Ok(false);
        };
        let span = self.span(node);
        let operands = [
            Operand::Parts(vector),
            Operand::Value(offset),
            Operand::Value(pointer),
        ];
        let mut values = self.operands(&operands)?;
        let (Some(pointer), Some(offset)) = (values.pop(), values.pop()) else {
            return self.refuse(node, format!("this call of `{name}`"));
        };
        let elem = pointer.ty.pointer().map(|p| Type::Scalar(p.elem));
        if values.len() != length || values.iter().any(|value| Some(value.ty) != elem) {
            return self.refuse(node, format!("this call of `{name}`"));
        }
        // All of it is evaluated before the first cell changes.
        let values = self.keep_all(values, span);
        let first = moved(pointer, offset, length as u64);
        let first = match first.has_load() {
            true => self.steady_pointer(first, span),
            false => first,
        };
        for (index, value) in values.into_iter().enumerate() {
            let pointer = at(&first, index);
            self.emit(Basic::Store { pointer, value }, span);
        }
        Ok(true)
    }
}

fn at(first: &Expr, index: usize) -> Expr {
    moved(first.clone(), Expr::int(ScalarType::I64, index as i64), 1)
}
