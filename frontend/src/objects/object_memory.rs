//! Objects in memory as values of several parts, and back.

use crate::body::Body;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::{Place, is_view, moved};
use crate::syntax::Node;
use crate::types::bit_field::truncated;
use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::{Group, POINTER_CELL, no_memory};
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::HashMap;

/// Pointers to the cells of an object, and how far into each group a walk over its fields has come.
pub(crate) struct Cursor {
    pointers: Vec<Expr>,
    groups: Vec<Group>,
    passed: HashMap<ScalarType, u64>,
}

impl Cursor {
    pub fn new(pointers: Vec<Expr>, ty: &QualifiedType) -> Cursor {
        Cursor {
            pointers,
            groups: ty.groups().unwrap_or_default(),
            passed: HashMap::new(),
        }
    }

    /// The next cell of a scalar type.
    pub fn next(&mut self, elem: ScalarType) -> Option<Expr> {
        let group = self.groups.iter().position(|g| g.pointer.elem == elem)?;
        let passed = self.passed.entry(elem).or_default();
        let at = Expr::int(ScalarType::I64, *passed as i64);
        *passed += 1;
        Some(moved(self.pointers.get(group)?.clone(), at, 1))
    }
}

/// Why an object in memory has no representation as a value, in words.
pub(crate) struct NoValue(String);

/// The scalars and pointers of an object in memory, in order, with the widths of bit-fields.
pub(crate) fn scalars(
    ty: &QualifiedType,
    into: &mut Vec<(QualifiedType, Option<u64>)>,
) -> std::result::Result<(), NoValue> {
    match &ty.ty {
        CType::Scalar(_) | CType::Pointer(_) => into.push((ty.clone(), None)),
        CType::Array(of, Some(len)) => {
            for _ in 0..*len {
                scalars(of, into)?;
                if into.len() > 256 {
                    return Err(NoValue("a struct this large as a value".to_owned()));
                }
            }
        }
        CType::Record(record)
            if record.is_union
                && let Some((cell, count)) = record.storage() =>
        {
            let cell = QualifiedType::plain(CType::Scalar(cell));
            into.extend((0..count).map(|_| (cell.clone(), None)));
        }
        CType::Record(record) if record.no_value().is_none() && record.slices().is_none() => {
            for field in &record.fields {
                scalars(&field.ty, into)?;
                if let (Some(bits), Some((_, width))) = (field.bits, into.last_mut()) {
                    *width = Some(bits.width);
                }
            }
        }
        _ => return Err(NoValue(no_memory(ty))),
    }
    Ok(())
}

/// The cell of a scalar or a pointer in memory.
fn cell_of(ty: &QualifiedType) -> ScalarType {
    ty.scalar().unwrap_or(POINTER_CELL)
}

impl Body<'_, '_> {
    /// The parts of the value at a place.
    pub(crate) fn read_parts(&mut self, place: &Place, node: &Node) -> Result<Vec<Expr>> {
        match place {
            Place::Parts(vars, _) => {
                let value = |var: &_| Expr::var(*var, self.vars[var.0 as usize].ty);
                Ok(vars.iter().map(value).collect())
            }
            Place::Value(values, _) => Ok(values.clone()),
            Place::Overlaid(vars, ty) => self.read_overlaid(vars, ty, node),
            Place::Sliced(sliced) => self.read_sliced(sliced, node),
            Place::Coordinates(builtin) if !self.on_host() => {
                use gridlock_semantics::algebra::expr::Axis::{X, Y, Z};
                Ok([X, Y, Z]
                    .map(|axis| self.coordinate(builtin(axis)))
                    .to_vec())
            }
            Place::Cell(pointer, ty) if matches!(ty.ty, CType::Record(_) | CType::Array(..)) => {
                self.load_parts(vec![pointer.clone()], ty, node)
            }
            Place::Cells(pointers, ty) => self.load_parts(pointers.clone(), ty, node),
            Place::Cell(pointer, ty) if matches!(ty.ty, CType::Pointer(_)) => {
                self.stored_pointer(pointer, ty, node)
            }
            Place::Status => Ok(vec![]),
            _ => Ok(vec![self.read(place, node)?]),
        }
    }

    fn load_parts(
        &mut self,
        pointers: Vec<Expr>,
        ty: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<Expr>> {
        let span = self.span(node);
        if let [pointer] = pointers.as_slice()
            && is_view(pointer, ty)
        {
            let pointer = match pointer.has_load() {
                true => self.steady_pointer(pointer.clone(), span),
                false => pointer.clone(),
            };
            let scalars = self.view_scalars(&pointer, ty, node)?;
            let read =
                |(pointer, scalar): (Expr, ScalarType)| self.read_view(&pointer, scalar, node);
            return scalars.into_iter().map(read).collect();
        }
        let mut all = Vec::new();
        scalars(ty, &mut all).or_else(|NoValue(what)| self.refuse(node, what))?;
        // The address is evaluated once.
        let steady = |body: &mut Self, pointer: Expr| match pointer.has_load() {
            true => body.steady_pointer(pointer, span),
            false => pointer,
        };
        let pointers = pointers.into_iter().map(|p| steady(self, p)).collect();
        let mut cursor = Cursor::new(pointers, ty);
        let mut values = Vec::new();
        for (of, width) in all {
            let of = self.complete(&of);
            let Some(cell) = cursor.next(cell_of(&of)) else {
                return self.refuse(node, no_memory(ty));
            };
            match of.ty {
                CType::Pointer(_) => values.extend(self.stored_pointer(&cell, &of, node)?),
                _ => values.extend(Expr::load(cell).map(|value| match width {
                    Some(width) => truncated(value, width),
                    None => value,
                })),
            }
        }
        Ok(values)
    }

    /// `place = values`.
    pub(crate) fn write_parts(
        &mut self,
        place: &Place,
        values: Vec<Expr>,
        span: Span,
        node: &Node,
    ) -> Result<()> {
        let cells = match place {
            Place::Parts(vars, _) if vars.len() == values.len() => {
                for (&var, value) in vars.iter().zip(values) {
                    self.assign_var(var, value, span);
                }
                return Ok(());
            }
            Place::Cell(pointer, ty) if matches!(ty.ty, CType::Record(_) | CType::Array(..)) => {
                (vec![pointer.clone()], ty)
            }
            Place::Cells(pointers, ty) => (pointers.clone(), ty),
            // Elements of a vector in memory that do not lie side by side.
            Place::Value(cells, ty) if ty.vector().is_some() && cells.len() == values.len() => {
                let mut pointers = Vec::new();
                for cell in cells {
                    let ExprKind::Load(pointer) = &cell.kind else {
                        return self.refuse(node, "an assignment to this");
                    };
                    pointers.push(match pointer.has_load() {
                        true => self.steady_pointer((**pointer).clone(), span),
                        false => (**pointer).clone(),
                    });
                }
                for (pointer, value) in pointers.into_iter().zip(values) {
                    self.emit(Basic::Store { pointer, value }, span);
                }
                return Ok(());
            }
            Place::Cell(pointer, ty) if matches!(ty.ty, CType::Pointer(_)) => {
                return self.store_pointer(pointer, ty, &values, span, node);
            }
            Place::Status => return Ok(()),
            Place::Sliced(sliced) => return self.write_sliced(sliced, values, span, node),
            Place::Overlaid(vars, ty) => {
                return self.write_overlaid(vars, ty, values, span, node);
            }
            _ => {
                return match <[Expr; 1]>::try_from(values) {
                    Ok([value]) => self.write(place, value, span, node),
                    Err(_) => self.refuse(node, "an assignment to this"),
                };
            }
        };
        let (pointers, ty) = cells;
        if let [pointer] = pointers.as_slice()
            && is_view(pointer, ty)
        {
            let scalars = self.view_scalars(pointer, ty, node)?;
            if scalars.len() != values.len() {
                return self.refuse(node, "an assignment of this type");
            }
            for ((pointer, scalar), value) in scalars.into_iter().zip(values) {
                self.write_view(&pointer, scalar, value, span, node)?;
            }
            return Ok(());
        }
        let mut all = Vec::new();
        scalars(ty, &mut all).or_else(|NoValue(what)| self.refuse(node, what))?;
        let mut cursor = Cursor::new(pointers, ty);
        let mut values = values.into_iter();
        for (of, _) in all {
            let of = self.complete(&of);
            let n_parts = match of.ty {
                CType::Pointer(_) if !of.is_single() => of
                    .parts()
                    .or_else(|message| self.refuse(node, message))?
                    .len(),
                _ => 1,
            };
            let own: Vec<Expr> = values.by_ref().take(n_parts).collect();
            let Some(pointer) = cursor.next(cell_of(&of)) else {
                return self.refuse(node, no_memory(ty));
            };
            if let CType::Pointer(_) = of.ty {
                self.store_pointer(&pointer, &of, &own, span, node)?;
                continue;
            }
            match <[Expr; 1]>::try_from(own) {
                Ok([value]) => {
                    let value = constant::convert(value, Type::Scalar(cell_of(&of)));
                    self.emit(Basic::Store { pointer, value }, span);
                }
                Err(_) => return self.refuse(node, "an assignment of this type"),
            }
        }
        match values.next() {
            None => Ok(()),
            Some(_) => self.refuse(node, "an assignment of this type"),
        }
    }
}
