//! `memcpy` and `memset` in device code: cell by cell, where the number of bytes is known and whole
//! cells are meant. A cell has one type, so that bytes of it are nothing of their own.

use super::host_call::{behind_void, is_null};
use super::place::moved;
use super::{Body, Result};
use crate::constant;
use crate::ctype::{CType, QualifiedType};
use crate::record::Group;
use crate::syntax::Node;
use gridlock_semantics::expr::{BinaryOp, Expr};
use gridlock_semantics::operator::{Basic, Op, OpKind};
use gridlock_semantics::types::{ScalarType, Type};
use gridlock_semantics::value::Value;

/// More cells than this are copied by a loop.
const MAX_UNROLLED: u64 = 16;

impl Body<'_, '_> {
    pub(super) fn copy_cells(
        &mut self,
        node: &Node,
        dst: &Node,
        src: &Node,
        bytes: &Node,
    ) -> Result<()> {
        let span = self.span(node);
        let to = self.pointee(dst);
        let from = self.pointee(src);
        let (to, from) = match (to, from) {
            (Some(to), Some(from)) => (to, from),
            (Some(to), None) if is_null(src) => (to.clone(), to),
            (None, Some(from)) if is_null(dst) => (from.clone(), from),
            _ => return self.refuse(node, "a copy of this"),
        };
        let groups = self.copied_groups(&to, bytes)?;
        let same = |a: &[Group], b: Option<Vec<Group>>| {
            let shape = |g: &Group| (g.pointer.elem, g.count);
            let b = b.unwrap_or_default();
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| shape(a) == shape(b))
        };
        let one = |ty: &QualifiedType| ty.cells().map(|(p, _)| p.elem);
        let alike = to.ty == from.ty
            || (one(&to).is_some() && one(&to) == one(&from) && to.size() == from.size())
            || (same(&to.groups().unwrap_or_default(), from.groups()) && groups.len() == 1);
        if !alike {
            return self.refuse(node, "a copy between memories of two types");
        }
        let mut targets = self.pointers_or_null(dst, &to)?;
        let sources = self.after(&mut targets, |b| b.pointers_or_null(src, &from))?;
        for (((elem, count), target), source) in groups.into_iter().zip(targets).zip(sources) {
            let (target, source) = (self.settled(target, span), self.settled(source, span));
            self.each_cell(count, span, |at| {
                let pointer = moved(target.clone(), at.clone(), 1);
                let value = Expr::load(moved(source.clone(), at, 1));
                let value = value.unwrap_or_else(|| Expr::constant(Value::zero(elem)));
                Basic::Store { pointer, value }
            });
        }
        Ok(())
    }

    pub(super) fn set_cells(
        &mut self,
        node: &Node,
        dst: &Node,
        byte: &Node,
        bytes: &Node,
    ) -> Result<()> {
        let span = self.span(node);
        let byte_value = self.value(byte)?;
        let Some(byte_value) = constant::evaluate(&byte_value).and_then(Value::as_integer) else {
            return self.refuse(byte, "setting memory to this");
        };
        let to = match self.pointee(dst) {
            Some(to) => to,
            None if is_null(dst) => QualifiedType::plain(CType::Scalar(ScalarType::I8)),
            None => return self.refuse(node, "setting this"),
        };
        let groups = self.copied_groups(&to, bytes)?;
        let targets = self.pointers_or_null(dst, &to)?;
        for ((elem, count), target) in groups.into_iter().zip(targets) {
            let value = match byte_value as u8 {
                0 => Value::zero(elem),
                byte if elem.is_integer() => {
                    let bits = (0..elem.size()).fold(0i128, |b, _| b << 8 | i128::from(byte));
                    Value::int(elem, bits)
                }
                _ => return self.refuse(byte, "setting memory to this"),
            };
            let target = self.settled(target, span);
            self.each_cell(count, span, |at| Basic::Store {
                pointer: moved(target.clone(), at, 1),
                value: Expr::constant(value),
            });
        }
        Ok(())
    }

    fn pointee(&self, node: &Node) -> Option<QualifiedType> {
        match self.type_of(behind_void(node)).decayed().ty {
            CType::Pointer(to) if to.ty != CType::Void => Some(*to),
            _ => None,
        }
    }

    fn pointers_or_null(&mut self, node: &Node, to: &QualifiedType) -> Result<Vec<Expr>> {
        if !is_null(node) {
            return self.pointers(behind_void(node));
        }
        let null = |group: Group| Expr::i32(0).cast(Type::Pointer(group.pointer));
        Ok(to
            .groups()
            .unwrap_or_default()
            .into_iter()
            .map(null)
            .collect())
    }

    /// How many cells of each group a number of bytes covers.
    fn copied_groups(
        &mut self,
        of: &QualifiedType,
        bytes: &Node,
    ) -> Result<Vec<(ScalarType, u64)>> {
        let count = self.value(bytes)?;
        let count = constant::evaluate(&count).and_then(Value::as_integer);
        let Some(count) = count.and_then(|n| u64::try_from(n).ok()) else {
            return self.refuse(bytes, "a number of bytes that is not constant");
        };
        let (Some(groups), Some(size)) = (of.groups(), of.size()) else {
            return self.refuse(bytes, crate::record::no_memory(of));
        };
        if let [group] = groups.as_slice() {
            let own = group.pointer.elem.size();
            let is_dense = group.count.map(|n| n * own) == Some(size);
            if is_dense && count.is_multiple_of(own) {
                return Ok(vec![(group.pointer.elem, count / own)]);
            }
        }
        if size == 0 || !count.is_multiple_of(size) || !super::object::is_all_cells(of) {
            return self.refuse(bytes, "a number of bytes that is no number of elements");
        }
        let whole = count / size;
        let cells = |g: Group| Some((g.pointer.elem, g.count?.checked_mul(whole)?));
        match groups.into_iter().map(cells).collect() {
            Some(cells) => Ok(cells),
            None => self.refuse(bytes, "a number of bytes this large"),
        }
    }

    /// A pointer that can be used again and again.
    fn settled(&mut self, pointer: Expr, span: gridlock_semantics::span::Span) -> Expr {
        match pointer.has_load() {
            true => self.steady_pointer(pointer, span),
            false => pointer,
        }
    }

    fn each_cell(
        &mut self,
        count: u64,
        span: gridlock_semantics::span::Span,
        mut each: impl FnMut(Expr) -> Basic,
    ) {
        if count <= MAX_UNROLLED {
            for index in 0..count {
                let basic = each(Expr::int(ScalarType::I64, index as i64));
                self.emit(basic, span);
            }
            return;
        }
        let var = self.declare("i", Type::I64, span);
        let counter = Expr::var(var, Type::I64);
        let init = Basic::Assign {
            var,
            value: Expr::int(ScalarType::I64, 0),
        };
        let step = Basic::Assign {
            var,
            value: Expr::binary(
                BinaryOp::Add,
                counter.clone(),
                Expr::int(ScalarType::I64, 1),
            ),
        };
        let body = vec![
            Op::basic(each(counter.clone()), span),
            Op::basic(step, span),
        ];
        let round = OpKind::While {
            cond: Expr::binary(
                BinaryOp::Lt,
                counter,
                Expr::int(ScalarType::I64, count as i64),
            ),
            body: Op::new(OpKind::Seq(body), span),
        };
        let whole = vec![Op::basic(init, span), Op::new(round, span)];
        self.ops.push(Op::new(OpKind::Seq(whole), span));
    }
}
