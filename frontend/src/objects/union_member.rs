//! Unions: members that share storage. A union consists of unsigned cells, as wide as the smallest scalar among its
//! members (`Record::storage`): by value one variable for each, in memory neighbouring cells of one array. A member
//! is a view of these cells, so the bits that one member writes can be read through another, as with GCC and nvcc.

use crate::body::code::Code;
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::storage::pointers::{joined, same_bits};
use crate::syntax::Node;
use crate::types::ctype::{CType, QualifiedType};
use crate::types::layout::{layout, unsigned};
use crate::types::record::{Record, no_memory};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};

impl Source<'_, '_> {
    /// A member of a union, or a field of a struct that is a member of one.
    pub(crate) fn union_member(
        &self,
        object: &Place,
        ty: &QualifiedType,
        index: usize,
        field: QualifiedType,
        node: &Node,
    ) -> Result<Place> {
        let CType::Record(record) = &ty.ty else {
            return self.refuse(node, "this member");
        };
        match object {
            Place::Parts(vars, _) | Place::Overlaid(vars, _) => {
                let cells = self.cells_of_member(vars.len(), record, ty, index, &field, node)?;
                match vars.get(cells) {
                    Some(vars) => Ok(Place::Overlaid(vars.to_vec(), field)),
                    None => self.refuse(node, "this member"),
                }
            }
            Place::Value(values, _) => {
                let cells = self.cells_of_member(values.len(), record, ty, index, &field, node)?;
                let values = values.get(cells).unwrap_or_default().to_vec();
                match field.ty {
                    CType::Scalar(scalar) => match put_together(values, scalar) {
                        Some(value) => Ok(Place::Constant(value)),
                        None => self.refuse(node, no_memory(&field)),
                    },
                    _ => self.refuse(node, "a struct in a union that is a value"),
                }
            }
            _ => match object.pointers().as_deref() {
                Some([pointer]) => self.view_field(pointer, ty, index, field, node),
                _ => self.refuse(node, "this member"),
            },
        }
    }

    /// The cells, of the `n` of an object, that a member covers.
    fn cells_of_member(
        &self,
        n: usize,
        record: &Record,
        ty: &QualifiedType,
        index: usize,
        field: &QualifiedType,
        node: &Node,
    ) -> Result<std::ops::Range<usize>> {
        let sizes = (ty.size(), field.size(), record.offset(index));
        if let (Some(whole), Some(size), Some(at)) = sizes
            && n > 0
            && whole.is_multiple_of(n as u64)
        {
            let cell = whole / n as u64;
            if at.is_multiple_of(cell) && size.is_multiple_of(cell) {
                let (first, count) = ((at / cell) as usize, (size / cell) as usize);
                return Ok(first..first + count);
            }
        }
        self.refuse(node, no_memory(field))
    }

    /// The scalars of a type that overlays some variables, with the variables of each.
    fn overlaid(
        &self,
        vars: &[VarId],
        ty: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<(Vec<VarId>, ScalarType)>> {
        let (Some(scalars), Some(size)) = (layout(ty), ty.size()) else {
            return self.refuse(node, no_memory(ty));
        };
        let cell = size / (vars.len() as u64).max(1);
        let mut found = Vec::new();
        for (at, scalar) in scalars {
            let whole = cell > 0 && at.is_multiple_of(cell) && scalar.size().is_multiple_of(cell);
            let range = match whole {
                true => (at / cell) as usize..((at + scalar.size()) / cell) as usize,
                false => return self.refuse(node, no_memory(ty)),
            };
            match vars.get(range) {
                Some(own) if scalar != ScalarType::Bool => found.push((own.to_vec(), scalar)),
                _ => return self.refuse(node, no_memory(ty)),
            }
        }
        Ok(found)
    }
}

impl Code<'_, '_> {
    /// The scalars of a value that overlays some variables, each combined from the variables that it covers.
    pub(crate) fn read_overlaid(
        &self,
        vars: &[VarId],
        ty: &QualifiedType,
        node: &Node,
    ) -> Result<Vec<Expr>> {
        let mut values = Vec::new();
        for (vars, scalar) in self.overlaid(vars, ty, node)? {
            let cells = vars
                .iter()
                .map(|var| Expr::var(*var, self.vars[var.0 as usize].ty));
            match put_together(cells.collect(), scalar) {
                Some(value) => values.push(value),
                None => return self.refuse(node, no_memory(ty)),
            }
        }
        Ok(values)
    }

    /// Writes the scalars of a value that overlays some variables.
    pub(crate) fn write_overlaid(
        &mut self,
        vars: &[VarId],
        ty: &QualifiedType,
        values: Vec<Expr>,
        span: Span,
        node: &Node,
    ) -> Result<()> {
        let scalars = self.overlaid(vars, ty, node)?;
        if scalars.len() != values.len() {
            return self.refuse(node, "an assignment of this type");
        }
        // All are read before any is written, because they may be read from the same variables.
        let mut kept = Vec::new();
        for ((_, scalar), value) in scalars.iter().zip(values) {
            let value = constant::convert(value, Type::Scalar(*scalar));
            let Some(bits) = same_bits(value, unsigned(scalar.size())) else {
                return self.refuse(node, no_memory(ty));
            };
            kept.push(match constant::evaluate(&bits) {
                Some(known) => Expr::constant(known),
                None => self.keep(bits, span),
            });
        }
        for ((vars, _), bits) in scalars.into_iter().zip(kept) {
            for (at, var) in vars.into_iter().enumerate() {
                let cell = self.vars[var.0 as usize].ty;
                let width = cell.scalar().map_or(0, |scalar| scalar.bits() as usize);
                let part = match at {
                    0 => bits.clone(),
                    _ => Expr::binary(BinaryOp::Shr, bits.clone(), Expr::i32((at * width) as i32)),
                };
                let part = match constant::evaluate(&part) {
                    Some(known) => Expr::constant(known),
                    None => part,
                };
                self.assign_var(var, constant::convert(part, cell), span);
            }
        }
        Ok(())
    }
}

/// The scalar with the bits of these cells, the lowest first.
fn put_together(cells: Vec<Expr>, scalar: ScalarType) -> Option<Expr> {
    let size = cells.first()?.ty.scalar()?.size();
    let n = cells.len() as u64;
    if size * n != scalar.size() || scalar == ScalarType::Bool {
        return None;
    }
    same_bits(joined(cells, size, unsigned(scalar.size()))?, scalar)
}
