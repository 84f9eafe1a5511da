//! Views: memory of one type seen through a pointer to another.
//!
//! An array has cells of one scalar type, and a pointer of the algebra points to cells. In C the
//! target of a pointer may have another type of the same size (`(int *)floats`), or one made of
//! several cells (`(double *)floats`, a struct laid out over shared bytes). Such a value is
//! composed of the bits of its cells when it is read, and split into them when it is written. Every
//! access is therefore an access to cells, and races and bounds are judged for cells, whatever type
//! the program uses. A value smaller than a cell has no cell of its own: writing it would also
//! change its neighbours.

use crate::body::code::Code;
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::{Place, moved};
use crate::storage::pointers::requalify;
use crate::storage::pointers::{
    cell_of_view, divided, is_aligned, is_null_pointer, joined, same_bits,
};
use crate::syntax::{Node, NodeExt};
use crate::types::contents::{has_bit_fields, is_dense};
use crate::types::ctype::{CType, QualifiedType, describe};
use crate::types::layout::{fits, layout, unsigned};
use crate::types::record::{POINTER_CELL, no_memory};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

impl Source<'_, '_> {
    /// A scalar read from the cells at a pointer.
    pub(crate) fn read_view(
        &self,
        pointer: &Expr,
        scalar: ScalarType,
        node: &Node,
    ) -> Result<Expr> {
        let cell = match pointer.ty.pointer() {
            Some(pointer) => pointer.elem,
            None => return self.refuse(node, "this view of memory"),
        };
        let found = match self.cells_of(scalar, cell, node)? {
            1 => Expr::load(pointer.clone()).and_then(|value| same_bits(value, scalar)),
            n => {
                let narrow = unsigned(cell.size());
                let mut parts = Vec::new();
                for index in 0..n {
                    let at = Expr::int(ScalarType::I64, index as i64);
                    let load = Expr::load(moved(pointer.clone(), at, 1));
                    parts.extend(load.and_then(|value| same_bits(value, narrow)));
                }
                let whole = unsigned(scalar.size());
                let complete = parts.len() as u64 == n;
                let whole = joined(parts, cell.size(), whole).filter(|_| complete);
                whole.and_then(|value| same_bits(value, scalar))
            }
        };
        match found {
            Some(value) => Ok(value),
            None => self.refuse(node, view_message(scalar, cell)),
        }
    }

    /// The number of cells of a scalar.
    fn cells_of(&self, scalar: ScalarType, cell: ScalarType, node: &Node) -> Result<u64> {
        let n = scalar.size() / cell.size();
        if n == 0 || (n > 1 && cell.size() * n != scalar.size()) {
            return self.refuse(node, view_message(scalar, cell));
        }
        Ok(n)
    }

    /// The scalars of an object in memory that is a view: the pointer to each, and its type.
    pub(crate) fn view_scalars(
        &self,
        pointer: &Expr,
        ty: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<(Expr, ScalarType)>> {
        let cell = pointer.ty.pointer().map(|p| p.elem);
        let (Some(cell), Some(scalars)) = (cell, layout(ty)) else {
            return self.refuse(node, "a value of this type");
        };
        if !fits(ty, cell) {
            return self.refuse(node, no_view(ty, cell));
        }
        let place = |(at, scalar): (u64, ScalarType)| {
            let by = Expr::int(ScalarType::I64, (at / cell.size()) as i64);
            (moved(pointer.clone(), by, 1), scalar)
        };
        Ok(scalars.into_iter().map(place).collect())
    }

    /// Field `index` of a struct that is a view.
    pub(crate) fn view_field(
        &self,
        pointer: &Expr,
        ty: &QualifiedType,
        index: usize,
        field: QualifiedType,
        node: &Node,
    ) -> Result<Place> {
        let CType::Record(record) = &ty.ty else {
            return self.refuse(node, "this member");
        };
        let cell = pointer.ty.pointer().map(|p| p.elem);
        let (Some(cell), Some(at)) = (cell, record.offset(index)) else {
            return self.refuse(node, "this member");
        };
        if !fits(&field, cell) || !at.is_multiple_of(cell.size()) {
            return self.refuse(node, no_view(&field, cell));
        }
        let by = Expr::int(ScalarType::I64, (at / cell.size()) as i64);
        let pointer = match at {
            0 => pointer.clone(),
            _ => moved(pointer.clone(), by, 1),
        };
        Ok(Place::Cell(pointer, field))
    }

    /// The message for a cast that is refused, with the type as it is written in the cast if it is.
    fn no_cast(
        &self,
        from: &QualifiedType,
        to: &QualifiedType,
        cell: ScalarType,
        node: &Node,
    ) -> String {
        let smaller = match (&from.ty, &to.ty) {
            (CType::Scalar(a), CType::Scalar(b)) => Some((*a, *b)),
            (CType::Void, CType::Scalar(b)) => Some((cell, *b)),
            _ => None,
        };
        let Some((a, b)) = smaller else {
            return format!(
                "a cast from a pointer to {} to a pointer to {}",
                describe(&from.ty),
                describe(&to.ty)
            );
        };
        let written = match &self.type_of(node).ty {
            CType::Pointer(own) if own.ty == to.ty && node.type_text().ends_with(" *") => {
                node.type_text().to_owned()
            }
            _ => format!("{} *", b.usual_name()),
        };
        format!("a cast from `{} *` to `{written}`", a.usual_name())
    }
}

impl Code<'_, '_> {
    /// A scalar written into the cells at a pointer.
    pub(crate) fn write_view(
        &mut self,
        pointer: &Expr,
        scalar: ScalarType,
        value: Expr,
        span: Span,
        node: &Node,
    ) -> Result<()> {
        let cell = match pointer.ty.pointer() {
            Some(pointer) => pointer.elem,
            None => return self.refuse(node, "this view of memory"),
        };
        let value = constant::convert(value, Type::Scalar(scalar));
        let n = self.cells_of(scalar, cell, node)?;
        if n == 1 {
            let Some(value) = same_bits(value, cell) else {
                return self.refuse(node, view_message(scalar, cell));
            };
            let pointer = pointer.clone();
            self.emit(Basic::Store { pointer, value }, span);
            return Ok(());
        }
        let (wide, narrow) = (unsigned(scalar.size()), unsigned(cell.size()));
        let Some(bits) = same_bits(value, wide) else {
            return self.refuse(node, view_message(scalar, cell));
        };
        let bits = match bits.kind {
            ExprKind::Const(_) | ExprKind::Var(_) => bits,
            _ => self.keep(bits, span),
        };
        let pointer = match pointer.has_load() {
            true => self.steady_pointer(pointer.clone(), span),
            false => pointer.clone(),
        };
        for index in 0..n {
            let by = Expr::i32((index * cell.size() * 8) as i32);
            let part = match index {
                0 => bits.clone(),
                _ => Expr::binary(BinaryOp::Shr, bits.clone(), by),
            };
            let part = match constant::evaluate(&part) {
                Some(known) => Expr::constant(known),
                None => part,
            };
            let part = constant::convert(part, Type::Scalar(narrow));
            let Some(value) = same_bits(part, cell) else {
                return self.refuse(node, view_message(scalar, cell));
            };
            let at = Expr::int(ScalarType::I64, index as i64);
            let pointer = moved(pointer.clone(), at, 1);
            self.emit(Basic::Store { pointer, value }, span);
        }
        Ok(())
    }

    /// Moves a pointer to elements smaller than a cell (`char *` over words), by whole cells only.
    pub(crate) fn moved_by_parts(
        &mut self,
        pointer: Expr,
        by: Expr,
        to: &QualifiedType,
        node: &Node,
    ) -> Result<Expr> {
        let cell = pointer.ty.pointer().map_or(1, |p| p.elem.size());
        let size = match to.size() {
            Some(size) if size > 0 && cell.is_multiple_of(size) => size,
            _ => return self.refuse(node, no_memory(to)),
        };
        let n = (cell / size) as i64;
        let by = constant::evaluate(&by).map_or(by, Expr::constant);
        if let Some(cells) = divided(&by, n) {
            return Ok(moved(pointer, cells, 1));
        }
        // An intermediate pointer may point into the middle of a cell; the result of a cast may not.
        let is_cast = self.cast_next == Some(node.id);
        let span = self.span(node);
        match self.whole_cells(by, n, span).filter(|_| is_cast) {
            Some(cells) => Ok(moved(pointer, cells, 1)),
            None => {
                let cell = pointer.ty.pointer().map_or(ScalarType::I8, |p| p.elem);
                self.refuse(
                    node,
                    format!(
                        "a pointer into the middle of a `{}` cell",
                        cell.usual_name()
                    ),
                )
            }
        }
    }

    /// `by / n`, and a test that the remainder is 0; `None` if `by` is not an integer.
    fn whole_cells(&mut self, by: Expr, n: i64, span: Span) -> Option<Expr> {
        let scalar = by.ty.scalar().filter(|s| s.is_integer())?;
        let by = match by.kind {
            ExprKind::Var(_) => by,
            _ => self.keep(by, span),
        };
        // Of a narrow type the divisor may be no value.
        let by = match scalar.bits() < 32 {
            true => by.cast(Type::I32),
            false => by,
        };
        let divisor = Expr::int(by.ty.scalar().unwrap_or(scalar), n);
        let kind = ExprKind::Math(MathFn::Aligned(n as u32), vec![by.clone().cast(Type::I64)]);
        let cond = Expr::new(Type::BOOL, kind);
        self.emit(Basic::Assert { cond }, span);
        Some(Expr::binary(BinaryOp::Div, by, divisor))
    }

    /// A pointer as a pointer to another type, to the same cells.
    pub(crate) fn seen_as(
        &mut self,
        pointer: Expr,
        from: &QualifiedType,
        to: &QualifiedType,
        node: &Node,
    ) -> Result<Expr> {
        let Some(cells) = pointer.ty.pointer() else {
            return self.refuse(node, "this cast");
        };
        // The cells of bit-fields are values, not bytes.
        let has_bits = [from, to].iter().any(|ty| has_bit_fields(ty));
        if has_bits && from.ty != to.ty && !is_null_pointer(&pointer) {
            return self.refuse(node, self.no_cast(from, to, cells.elem, node));
        }
        let seen = Type::Pointer(PointerType {
            elem: cells.elem,
            is_const: to.is_const,
            is_volatile: to.is_volatile,
        });
        // The number that represents a pointer in memory is internal and must not be visible to the program.
        let holds_pointers = matches!(from.ty, CType::Pointer(_)) && cells.elem == POINTER_CELL;
        if holds_pointers && !self.on_host() && !is_null_pointer(&pointer) {
            return self.refuse(node, self.no_cast(from, to, cells.elem, node));
        }
        if is_null_pointer(&pointer) {
            let ty = match to.cells() {
                Some((pointer, _)) => Type::Pointer(pointer),
                None => seen,
            };
            return Ok(Expr::i32(0).cast(ty));
        }
        let pointer = requalify(pointer, seen);
        if to.ty == CType::Void {
            return Ok(pointer);
        }
        let is_view = cell_of_view(std::slice::from_ref(&pointer), to).is_some();
        // The cells of a struct with gaps or pointers do not lie as in C's layout.
        let dense = is_dense(to);
        // Memory that the host allocates and copies has cells of one type.
        let reaches = !(is_view && self.on_host());
        // Bytes that are only counted: `(float *)((char *)rows + n * pitch)`, also with a variable in between. An access
        // to one of them, or a step into the middle of a cell, is refused where it stands.
        let is_byte = to.scalar().is_some_and(|scalar| scalar.size() == 1);
        let is_counted = self.steps_next == Some(node.id) || !self.on_host();
        if is_byte && is_counted && reaches && fits(from, cells.elem) {
            return Ok(pointer);
        }
        if !fits(to, cells.elem) || !(is_view || dense) || !reaches {
            return self.refuse(node, self.no_cast(from, to, cells.elem, node));
        }
        self.check_alignment(&pointer, from, to, node);
        Ok(pointer)
    }

    /// A pointer that is not aligned for its type is undefined in C (C11 6.3.2.3), and devices
    /// fault on the access.
    fn check_alignment(
        &mut self,
        pointer: &Expr,
        from: &QualifiedType,
        to: &QualifiedType,
        node: &Node,
    ) {
        let cell = pointer.ty.pointer().map_or(1, |p| p.elem.size());
        let align = to.alignment().unwrap_or(1);
        let known = match from.ty {
            CType::Void => 1,
            _ => from.alignment().unwrap_or(1),
        };
        if align <= known.max(cell) || !align.is_multiple_of(cell) {
            return;
        }
        let n = align / cell;
        if is_aligned(pointer, n) {
            return;
        }
        let span = self.span(node);
        let pointer = pointer.clone();
        let kind = ExprKind::Math(MathFn::Aligned(n as u32), vec![pointer]);
        let cond = Expr::new(Type::BOOL, kind);
        self.emit(Basic::Assert { cond }, span);
    }
}

fn view_message(scalar: ScalarType, cell: ScalarType) -> String {
    format!(
        "`{}` in memory of `{}` cells",
        scalar.usual_name(),
        cell.usual_name()
    )
}

fn no_view(ty: &QualifiedType, cell: ScalarType) -> String {
    format!(
        "a view of `{}` cells as {}",
        cell.usual_name(),
        describe(&ty.ty)
    )
}
