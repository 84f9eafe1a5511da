//! `memcpy`, `memmove` and `memset` in device code: cell by cell, if the bytes are whole cells. A cell has one type,
//! and its bytes cannot be accessed separately.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::{is_view, moved};
use crate::storage::pointers::{alike, divided, same_bits};
use crate::syntax::Node;
use crate::syntax::casts::{behind_void, is_null};
use crate::types::contents::{has_bit_fields, is_all_cells, is_dense};
use crate::types::ctype::{CType, QualifiedType};
use crate::types::layout::unsigned;
use crate::types::record::{Group, no_memory};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;

/// More cells than this are copied by a loop.
const MAX_UNROLLED: u64 = 16;

/// Cells that are copied or set one after another: how many, in elements of the pointers.
enum Count {
    Known(u64),
    Computed(Expr),
}

impl Source<'_, '_> {
    /// Whether memory has nothing but the cells behind one pointer.
    fn is_flat(&self, pointer: &Expr, ty: &QualifiedType) -> bool {
        is_view(pointer, ty) || is_dense(ty)
    }

    fn pointee(&self, node: &Node) -> Option<QualifiedType> {
        match self.type_of(behind_void(node)).decayed().ty {
            CType::Pointer(to) => Some(*to),
            _ => None,
        }
    }
}

impl Code<'_, '_> {
    /// A pointer that can be used again and again.
    fn settled(&mut self, pointer: Expr, span: gridlock_semantics::algebra::span::Span) -> Expr {
        match pointer.has_load() {
            true => self.steady_pointer(pointer, span),
            false => pointer,
        }
    }

    fn each_cell(
        &mut self,
        count: Count,
        span: gridlock_semantics::algebra::span::Span,
        mut each: impl FnMut(Expr) -> Basic,
    ) {
        let count = match count {
            Count::Known(count) if count <= MAX_UNROLLED => {
                for index in 0..count {
                    let basic = each(Expr::int(ScalarType::I64, index as i64));
                    self.emit(basic, span);
                }
                return;
            }
            Count::Known(count) => Expr::int(ScalarType::I64, count as i64),
            Count::Computed(count) => count,
        };
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
            cond: Expr::binary(BinaryOp::Lt, counter, count),
            body: Op::new(OpKind::Seq(body), span),
        };
        let whole = vec![Op::basic(init, span), Op::new(round, span)];
        self.ops.push(Op::new(OpKind::Seq(whole), span));
    }
}

impl Body<'_, '_> {
    pub(crate) fn copy_cells(
        &mut self,
        node: &Node,
        dst: &Node,
        src: &Node,
        bytes: &Node,
        may_overlap: bool,
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
        let mut targets = self.pointers_or_null(dst, &to)?;
        let mut sources = self.after(&mut targets, |b| b.pointers_or_null(src, &from))?;
        if let ([target], [source]) = (targets.as_slice(), sources.as_slice())
            && self.is_flat(target, &to)
            && self.is_flat(source, &from)
        {
            let (target, source) = alike(target.clone(), source.clone());
            let (target, source) = (self.settled(target, span), self.settled(source, span));
            return self.copy_flat(node, target, source, bytes, may_overlap);
        }
        let groups = self.copied_groups(&to, bytes)?;
        if to.ty != from.ty || may_overlap || groups.len() != targets.len() {
            return self.refuse(node, "a copy between memories of two types");
        }
        targets = targets.into_iter().map(|p| self.settled(p, span)).collect();
        sources = sources.into_iter().map(|p| self.settled(p, span)).collect();
        for (((elem, count), target), source) in groups.into_iter().zip(targets).zip(sources) {
            self.each_cell(Count::Known(count), span, |at| {
                let pointer = moved(target.clone(), at.clone(), 1);
                let value = Expr::load(moved(source.clone(), at, 1));
                let value = value.unwrap_or_else(|| Expr::constant(Value::zero(elem)));
                Basic::Store { pointer, value }
            });
        }
        Ok(())
    }

    fn copy_flat(
        &mut self,
        node: &Node,
        target: Expr,
        source: Expr,
        bytes: &Node,
        may_overlap: bool,
    ) -> Result<()> {
        let span = self.span(node);
        let elems = (target.ty.pointer(), source.ty.pointer());
        let (Some(to), Some(from)) = (elems.0.map(|p| p.elem), elems.1.map(|p| p.elem)) else {
            return self.refuse(node, "a copy of this");
        };
        if to.size() != from.size() {
            return self.copy_wide(node, target, source, bytes, may_overlap);
        }
        let cell = |at: Expr| {
            let value = Expr::load(moved(source.clone(), at.clone(), 1))?;
            let value = same_bits(value, to)?;
            let pointer = moved(target.clone(), at, 1);
            Some(Basic::Store { pointer, value })
        };
        if cell(Expr::int(ScalarType::I64, 0)).is_none() {
            return self.refuse(node, "a copy between memories of two types");
        }
        let count = self.count(bytes, to.size())?;
        let apart = match (root(&target), root(&source)) {
            (ExprKind::ArrayBase(a), ExprKind::ArrayBase(b)) => a != b,
            _ => false,
        };
        match count {
            // All cells are read before any is written.
            Count::Known(n) if may_overlap && n <= MAX_UNROLLED => {
                let mut stores = Vec::new();
                for index in 0..n {
                    let at = Expr::int(ScalarType::I64, index as i64);
                    if let Some(Basic::Store { pointer, value }) = cell(at) {
                        let value = self.keep(value, span);
                        stores.push(Basic::Store { pointer, value });
                    }
                }
                for store in stores {
                    self.emit(store, span);
                }
                Ok(())
            }
            _ if may_overlap && !apart => {
                self.refuse(node, "`memmove` of this many cells that may overlap")
            }
            count => {
                self.each_cell(count, span, |at| {
                    cell(at).unwrap_or_else(|| Basic::Assert {
                        cond: Expr::bool(false),
                    })
                });
                Ok(())
            }
        }
    }

    /// Copies between memories with cells of two sizes: as many bytes as the larger cell has at a time.
    fn copy_wide(
        &mut self,
        node: &Node,
        target: Expr,
        source: Expr,
        bytes: &Node,
        may_overlap: bool,
    ) -> Result<()> {
        let span = self.span(node);
        let size = |pointer: &Expr| pointer.ty.pointer().map_or(1, |p| p.elem.size());
        let (to, from) = (size(&target), size(&source));
        let wide = unsigned(to.max(from));
        let count = match self.count(bytes, wide.size())? {
            Count::Known(count) if count <= MAX_UNROLLED && !may_overlap => count,
            _ => return self.refuse(node, "a copy between memories of two types"),
        };
        for index in 0..count {
            let at = |cell: u64| Expr::int(ScalarType::I64, (index * (wide.size() / cell)) as i64);
            let value = self.read_view(&moved(source.clone(), at(from), 1), wide, node)?;
            self.write_view(&moved(target.clone(), at(to), 1), wide, value, span, node)?;
        }
        Ok(())
    }

    /// How many cells of a size a number of bytes covers.
    fn count(&mut self, bytes: &Node, size: u64) -> Result<Count> {
        let span = self.span(bytes);
        let known = self.unit.known_number(bytes);
        let number = self.value(bytes)?;
        let evaluated = || constant::evaluate(&number).and_then(Value::as_integer);
        if let Some(known) = known.or_else(evaluated) {
            return match u64::try_from(known) {
                Ok(known) if known.is_multiple_of(size) => Ok(Count::Known(known / size)),
                _ => self.refuse(bytes, "a number of bytes that is no number of elements"),
            };
        }
        if size == 1 {
            let number = constant::convert(number, Type::I64);
            return Ok(Count::Computed(self.keep(number, span)));
        }
        // Any number of bytes can be copied in C, but only whole cells here.
        let Some(cells) = divided(&number, size as i64) else {
            return self.refuse(bytes, "a number of bytes that may be no number of elements");
        };
        let cells = constant::convert(cells, Type::I64);
        Ok(Count::Computed(self.keep(cells, span)))
    }

    pub(crate) fn set_cells(
        &mut self,
        node: &Node,
        dst: &Node,
        byte: &Node,
        bytes: &Node,
    ) -> Result<()> {
        let span = self.span(node);
        let byte_value = self.value(byte)?;
        let known = constant::evaluate(&byte_value).and_then(Value::as_integer);
        let byte_value = match known {
            Some(_) => byte_value,
            None => {
                let low = constant::convert(byte_value, Type::Scalar(ScalarType::U8));
                self.keep(low, span)
            }
        };
        let to = match self.pointee(dst) {
            Some(to) => to,
            None if is_null(dst) => QualifiedType::plain(CType::Scalar(ScalarType::I8)),
            None => return self.refuse(node, "setting this"),
        };
        // Only a byte whose bits are all equal gives every bit-field a known value.
        let is_even = known.is_some_and(|byte| matches!(byte as u8, 0 | u8::MAX));
        if !is_even && has_bit_fields(&to) {
            return self.refuse(byte, "setting bit-fields to this");
        }
        let targets = self.pointers_or_null(dst, &to)?;
        let flat = match targets.as_slice() {
            [target] if self.is_flat(target, &to) => target.ty.pointer().map(|p| p.elem),
            _ => None,
        };
        let groups: Vec<(ScalarType, Count)> = match flat {
            Some(elem) => vec![(elem, self.count(bytes, elem.size())?)],
            None => {
                let known = |(elem, count)| (elem, Count::Known(count));
                self.copied_groups(&to, bytes)?
                    .into_iter()
                    .map(known)
                    .collect()
            }
        };
        for ((elem, count), target) in groups.into_iter().zip(targets) {
            let repeated =
                |byte: u8| (0..elem.size()).fold(0i128, |b, _| b << 8 | i128::from(byte));
            let value = match known.map(|known| known as u8) {
                Some(0) => Expr::constant(Value::zero(elem)),
                Some(byte) if elem.is_integer() => Expr::constant(Value::int(elem, repeated(byte))),
                // The byte in every place: times 0x0101…
                None if elem.is_integer() && elem != ScalarType::Bool => {
                    let wide = constant::convert(byte_value.clone(), Type::Scalar(ScalarType::U64));
                    let ones = Expr::constant(Value::int(ScalarType::U64, repeated_ones()));
                    let all = Expr::binary(BinaryOp::Mul, wide, ones);
                    constant::convert(all, Type::Scalar(elem))
                }
                _ => return self.refuse(byte, "setting memory to this"),
            };
            let target = self.settled(target, span);
            self.each_cell(count, span, |at| Basic::Store {
                pointer: moved(target.clone(), at, 1),
                value: value.clone(),
            });
        }
        Ok(())
    }

    fn pointers_or_null(&mut self, node: &Node, to: &QualifiedType) -> Result<Vec<Expr>> {
        if !is_null(node) {
            return self.pointers(behind_void(node));
        }
        let null = |group: Group| Expr::i32(0).cast(Type::Pointer(group.pointer));
        let groups = to.groups().unwrap_or_default();
        if groups.is_empty() {
            return Ok(vec![Expr::i32(0).cast(Type::pointer_to(ScalarType::I8))]);
        }
        Ok(groups.into_iter().map(null).collect())
    }

    /// How many cells of each group a number of bytes covers.
    fn copied_groups(
        &mut self,
        of: &QualifiedType,
        bytes: &Node,
    ) -> Result<Vec<(ScalarType, u64)>> {
        let known = self.unit.known_number(bytes);
        let count = self.value(bytes)?;
        let count = known.or_else(|| constant::evaluate(&count).and_then(Value::as_integer));
        let Some(count) = count.and_then(|n| u64::try_from(n).ok()) else {
            return self.refuse(bytes, "a number of bytes that is not constant");
        };
        let (Some(groups), Some(size)) = (of.groups(), of.size()) else {
            return self.refuse(bytes, no_memory(of));
        };
        if let [group] = groups.as_slice() {
            let own = group.pointer.elem.size();
            let is_dense = group.count.map(|n| n * own) == Some(size) && !has_bit_fields(of);
            if is_dense && count.is_multiple_of(own) {
                return Ok(vec![(group.pointer.elem, count / own)]);
            }
        }
        if size == 0 || !count.is_multiple_of(size) || !is_all_cells(of) {
            return self.refuse(bytes, "a number of bytes that is no number of elements");
        }
        let whole = count / size;
        let cells = |g: Group| Some((g.pointer.elem, g.count?.checked_mul(whole)?));
        match groups.into_iter().map(cells).collect() {
            Some(cells) => Ok(cells),
            None => self.refuse(bytes, "a number of bytes this large"),
        }
    }
}

/// 1 in each byte of the widest cell.
fn repeated_ones() -> i128 {
    0x0101_0101_0101_0101
}

/// The pointer from which another is an offset.
fn root(pointer: &Expr) -> &ExprKind {
    match &pointer.kind {
        ExprKind::Offset(base, _) => root(base),
        ExprKind::Cast(inner) if inner.ty.pointer().is_some() => root(inner),
        kind => kind,
    }
}
