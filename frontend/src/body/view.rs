//! Views: memory of one type seen through a pointer to another.
//!
//! An array has cells of one scalar type, and a pointer of the algebra points to cells. What C says
//! a pointer points to may be another type of the same size (`(int *)floats`), or one made of
//! several cells (`(double *)floats`, a struct laid out over shared bytes): then the value is put
//! together from the bits of its cells, and taken apart where it is written. So every access is one
//! of the cells themselves, and races and bounds are judged on these, whatever they are seen as.
//! What is smaller than a cell has no place of its own: writing it would change its neighbours too.

use super::place::{Place, moved};
use super::{Body, Result};
use crate::constant;
use crate::ctype::{CType, QualifiedType, describe};
use crate::record::{POINTER_CELL, no_memory};
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

/// Most cells of one value of a view.
const MAX_CELLS: u64 = 64;

/// `value` as the value of type `to` with the same bits; `None` where the sizes differ.
pub(super) fn same_bits(value: Expr, to: ScalarType) -> Option<Expr> {
    let from = value.ty.scalar()?;
    let is_bool = |ty| ty == ScalarType::Bool;
    if from == to {
        return Some(value);
    }
    if from.size() != to.size() || is_bool(from) || is_bool(to) {
        return None;
    }
    if from.is_float() == to.is_float() {
        return Some(constant::convert(value, Type::Scalar(to)));
    }
    // There and back again.
    if let ExprKind::Math(MathFn::BitsAs(_), args) = &value.kind
        && let [inner] = args.as_slice()
        && inner.ty.scalar() == Some(to)
    {
        return Some(inner.clone());
    }
    let kind = ExprKind::Math(MathFn::BitsAs(to), vec![value]);
    Some(Expr::new(Type::Scalar(to), kind))
}

/// The integer without sign of a size.
pub(crate) fn unsigned(size: u64) -> ScalarType {
    match size {
        1 => ScalarType::U8,
        2 => ScalarType::U16,
        4 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}

/// The scalars of memory of a type as C lays it out: where each starts, in bytes, and its type;
/// `None` where something in it is no scalar, or there are very many.
pub(crate) fn layout(ty: &QualifiedType) -> Option<Vec<(u64, ScalarType)>> {
    let mut found = Vec::new();
    lay_out(ty, 0, &mut found)?;
    Some(found)
}

fn lay_out(ty: &QualifiedType, at: u64, found: &mut Vec<(u64, ScalarType)>) -> Option<()> {
    if found.len() as u64 > MAX_CELLS {
        return None;
    }
    match &ty.ty {
        CType::Scalar(scalar) => found.push((at, *scalar)),
        CType::Array(of, Some(len)) => {
            let size = of.size()?;
            for index in 0..*len {
                lay_out(of, at.checked_add(index.checked_mul(size)?)?, found)?;
            }
        }
        // Its members lie over one another: what it is made of are its cells.
        CType::Record(record) if record.is_union => {
            let (cell, count) = record.storage()?;
            for index in 0..count {
                found.push((at.checked_add(index.checked_mul(cell.size())?)?, cell));
            }
        }
        CType::Record(record) => {
            for (index, field) in record.fields.iter().enumerate() {
                lay_out(&field.ty, at.checked_add(record.offset(index)?)?, found)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// Whether values of a type lie in cells of another without cutting one: the scalars of the type
/// begin where cells begin and end where they end.
pub(crate) fn fits(ty: &QualifiedType, cell: ScalarType) -> bool {
    let mut of_one = ty;
    while let CType::Array(of, _) = &of_one.ty {
        of_one = of;
    }
    let whole = |bytes: u64| bytes.is_multiple_of(cell.size());
    let is_number = |scalar: ScalarType| scalar == cell || scalar != ScalarType::Bool;
    let scalars = layout(of_one).unwrap_or_default();
    cell != ScalarType::Bool
        && !scalars.is_empty()
        && of_one.size().is_some_and(whole)
        && scalars
            .iter()
            .all(|(at, scalar)| whole(*at) && whole(scalar.size()) && is_number(*scalar))
}

/// The cells behind a pointer, where they are not those that C's type of it has.
pub(super) fn cell_of_view(pointers: &[Expr], to: &QualifiedType) -> Option<ScalarType> {
    let [pointer] = pointers else { return None };
    let cell = pointer.ty.pointer()?.elem;
    match to.groups().as_deref() {
        Some([group]) if group.pointer.elem == cell => None,
        _ => Some(cell),
    }
}

/// Cells that one element of a type has behind each of the pointers to it.
pub(super) fn strides(pointers: &[Expr], to: &QualifiedType) -> Option<Vec<u64>> {
    if let Some(cell) = cell_of_view(pointers, to) {
        let size = to.size()?;
        return size
            .is_multiple_of(cell.size())
            .then(|| vec![size / cell.size()]);
    }
    let groups = to.groups()?;
    let fits = groups.len() == pointers.len();
    let counts: Option<Vec<u64>> = groups.iter().map(|group| group.count).collect();
    counts.filter(|_| fits)
}

/// The null pointer, whatever it is said to point to.
pub(super) fn is_null_pointer(pointer: &Expr) -> bool {
    match &pointer.kind {
        ExprKind::Cast(inner) => matches!(inner.kind, ExprKind::Const(_)) || is_null_pointer(inner),
        _ => false,
    }
}

/// A pointer with another's cells, where it is null; itself otherwise.
pub(super) fn null_like(pointer: Expr, like: Type) -> Expr {
    match (pointer.ty, like) {
        (Type::Pointer(from), Type::Pointer(to))
            if from.elem != to.elem && is_null_pointer(&pointer) =>
        {
            Expr::i32(0).cast(like)
        }
        _ => pointer,
    }
}

/// Two pointers where one is null and the other says which cells are meant.
pub(super) fn alike(a: Expr, b: Expr) -> (Expr, Expr) {
    let (of_a, of_b) = (a.ty, b.ty);
    (null_like(a, of_b), null_like(b, of_a))
}

/// Values `(x as unsigned) << shift` put together.
pub(super) fn joined(parts: Vec<Expr>, cell: u64, whole: ScalarType) -> Option<Expr> {
    let ty = Type::Scalar(whole);
    let shifted = parts.into_iter().enumerate().map(|(index, part)| {
        let wide = part.cast(ty);
        match index {
            0 => wide,
            _ => {
                let by = Expr::i32((index as u64 * cell * 8) as i32);
                Expr::binary(BinaryOp::Shl, wide, by)
            }
        }
    });
    shifted.reduce(|a, b| Expr::binary(BinaryOp::BitOr, a, b))
}

impl Body<'_, '_> {
    /// A scalar read from the cells at a pointer.
    pub(super) fn read_view(
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

    /// A scalar written into the cells at a pointer.
    pub(super) fn write_view(
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

    /// How many cells a scalar takes.
    fn cells_of(&self, scalar: ScalarType, cell: ScalarType, node: &Node) -> Result<u64> {
        let n = scalar.size() / cell.size();
        if n == 0 || (n > 1 && cell.size() * n != scalar.size()) {
            return self.refuse(node, view_message(scalar, cell));
        }
        Ok(n)
    }

    /// The scalars of an object in memory that is a view: the pointer to each, and its type.
    pub(super) fn view_scalars(
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

    /// A pointer to what is smaller than a cell (`char *` over words), moved: only by whole cells.
    pub(super) fn moved_by_parts(
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
        if let Some(cells) = divided(&by, n) {
            return Ok(moved(pointer, cells, 1));
        }
        // In between a pointer may point into the middle of a cell; what a cast gives may not.
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

    /// `by / n`, and an assertion that this leaves nothing over; `None` where `by` is no integer.
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
        let rest = Expr::binary(BinaryOp::Rem, by.clone(), divisor.clone());
        let zero = Expr::int(by.ty.scalar().unwrap_or(scalar), 0);
        let cond = Expr::binary(BinaryOp::Eq, rest, zero);
        self.emit(Basic::Assert { cond }, span);
        Some(Expr::binary(BinaryOp::Div, by, divisor))
    }

    /// Field `index` of a struct that is a view.
    pub(super) fn view_field(
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

    /// Why a cast is refused: the type as the cast has it, where it has it.
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

    /// A pointer as a pointer to another type: the same cells, seen otherwise.
    pub(super) fn seen_as(
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
        let has_bits = [from, to]
            .iter()
            .any(|ty| super::object::has_bit_fields(ty));
        if has_bits && from.ty != to.ty && !is_null_pointer(&pointer) {
            return self.refuse(node, self.no_cast(from, to, cells.elem, node));
        }
        let seen = Type::Pointer(PointerType {
            elem: cells.elem,
            is_const: to.is_const,
            is_volatile: to.is_volatile,
        });
        // What a pointer in memory is as a number is nobody's business but ours.
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
        let pointer = super::conversion::requalify(pointer, seen);
        if to.ty == CType::Void {
            return Ok(pointer);
        }
        let is_view = cell_of_view(std::slice::from_ref(&pointer), to).is_some();
        // A struct with gaps, or with pointers, has cells that C's layout does not place.
        let dense = super::conversion::is_dense(to);
        // What the host allocates and copies has the cells of one type.
        let reaches = !(is_view && self.on_host());
        if !fits(to, cells.elem) || !(is_view || dense) || !reaches {
            return self.refuse(node, self.no_cast(from, to, cells.elem, node));
        }
        self.check_alignment(&pointer, from, to, node);
        Ok(pointer)
    }

    /// C leaves a pointer that is not aligned as its type asks undefined (C11 6.3.2.3), and
    /// devices refuse the access.
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

/// Whether a pointer is a multiple of `n` cells into its array whatever happens.
pub(super) fn is_aligned(pointer: &Expr, n: u64) -> bool {
    match &pointer.kind {
        ExprKind::ArrayBase(_) => true,
        ExprKind::Cast(inner) => is_null_pointer(pointer) || is_aligned(inner, n),
        ExprKind::Offset(base, by) => is_aligned(base, n) && is_multiple(by, n as i128),
        _ => false,
    }
}

fn is_multiple(expr: &Expr, n: i128) -> bool {
    match &expr.kind {
        ExprKind::Const(value) => value.as_integer().is_some_and(|v| v % n == 0),
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            expr.ty == Type::I64 && (is_multiple(a, n) || is_multiple(b, n))
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
            expr.ty == Type::I64 && is_multiple(a, n) && is_multiple(b, n)
        }
        _ => false,
    }
}

/// `by / n` where `by` is a multiple of `n` as it is written: `count * sizeof(float)`. Only where
/// the product is exact, so that it can be taken apart again.
pub(super) fn divided(by: &Expr, n: i64) -> Option<Expr> {
    let is_wide = by
        .ty
        .scalar()
        .is_some_and(|s| s.is_integer() && s.bits() == 64);
    let number = |expr: &Expr| match &expr.kind {
        ExprKind::Const(value) => value.as_integer(),
        _ => None,
    };
    let scalar = by.ty.scalar()?;
    match &by.kind {
        ExprKind::Const(value) => {
            let value = value.as_integer()?;
            let whole = value % i128::from(n) == 0;
            whole.then(|| Expr::int(ScalarType::I64, (value / i128::from(n)) as i64))
        }
        ExprKind::Binary(BinaryOp::Mul, a, b) if is_wide => {
            let (factor, count) = match (number(a), number(b)) {
                (None, Some(factor)) => (factor, a),
                (Some(factor), None) => (factor, b),
                _ => return None,
            };
            let small = (0..1 << 20).contains(&factor);
            if !small || factor % i128::from(n) != 0 || !is_narrow(count) {
                return None;
            }
            let factor = Expr::int(scalar, (factor / i128::from(n)) as i64);
            Some(match number(&factor) {
                Some(1) => (**count).clone(),
                _ => Expr::binary(BinaryOp::Mul, (**count).clone(), factor),
            })
        }
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if is_wide => {
            let (a, b) = (divided(a, n)?, divided(b, n)?);
            let ty = Type::I64;
            let (a, b) = (constant::convert(a, ty), constant::convert(b, ty));
            Some(Expr::binary(*op, a, b))
        }
        ExprKind::Cast(inner) if is_wide && inner.ty.scalar()?.bits() == 64 => divided(inner, n),
        _ => None,
    }
}

/// A number of 64 bits that comes of one of 32, or of sums of such: times a small factor it
/// remains exact.
fn is_narrow(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Cast(inner) => {
            inner
                .ty
                .scalar()
                .is_some_and(|s| s.is_integer() && s.bits() <= 32)
                || is_narrow(inner)
        }
        ExprKind::Const(value) => value.as_integer().is_some_and(|v| v.abs() < 1 << 31),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => is_narrow(a) && is_narrow(b),
        _ => false,
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
