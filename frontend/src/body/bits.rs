//! Bit-fields, read and written (`bit_field.rs` says what they are).

use super::object::field_pointers;
use super::place::{Bits, Place};
use super::{Binding, Body, Result};
use crate::bit_field::truncated;
use crate::constant;
use crate::ctype::CType;
use crate::syntax::Node;
use crate::unit::Function;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// The bit-field of an object whose variable or cell is `own`.
pub(super) fn of(object: Place, index: usize, own: Place, width: u64) -> Place {
    let bits = Bits {
        object,
        index,
        own,
        width,
    };
    Place::Bits(Box::new(bits))
}

impl Bits {
    fn scalar(&self) -> Option<ScalarType> {
        match &self.own {
            Place::Var(_, ty) => ty.scalar(),
            own => own.ty()?.scalar(),
        }
    }

    /// Pointers to the cells of the other fields of its memory location.
    fn neighbours(&self) -> Vec<Expr> {
        let (Some(ty), Some(pointers)) = (self.object.ty(), self.object.pointers()) else {
            return vec![];
        };
        let CType::Record(record) = &ty.ty else {
            return vec![];
        };
        let cells = |index| field_pointers(&pointers, ty, index, &record.fields[index].ty);
        let cells = record.neighbours(self.index).filter_map(cells);
        cells.flatten().collect()
    }

    /// What the field holds once it is given `value`.
    pub fn holds(&self, value: Expr) -> Expr {
        match self.scalar() {
            Some(scalar) => truncated(constant::convert(value, Type::Scalar(scalar)), self.width),
            None => value,
        }
    }
}

impl Body<'_, '_> {
    /// **Lemma (bits in range).** A variable of a bit-field holds what fits its width: whoever assigns it truncates
    /// first. A cell may come from outside, so that what is read there is truncated.
    pub(super) fn read_bits(&mut self, bits: &Bits, node: &Node) -> Result<Expr> {
        let value = self.read(&bits.own, node)?;
        match bits.own {
            Place::Var(..) => Ok(value),
            _ => Ok(truncated(value, bits.width)),
        }
    }

    /// **Lemma (one memory location).** In memory the other fields of the location are written back: whoever
    /// accesses one of them meanwhile is in a race.
    pub(super) fn write_bits(
        &mut self,
        bits: &Bits,
        value: Expr,
        span: Span,
        node: &Node,
    ) -> Result<()> {
        let value = bits.holds(value);
        if let Place::Var(..) = bits.own {
            return self.write(&bits.own, value, span, node);
        }
        let steady = self.steady_bits(bits.clone(), span);
        self.write(&steady.own, value, span, node)?;
        for pointer in steady.neighbours() {
            let Some(elem) = pointer.ty.pointer().map(|to| to.elem) else {
                continue;
            };
            let value = Expr::no_value(Type::Scalar(elem));
            self.emit(Basic::Store { pointer, value }, span);
        }
        Ok(())
    }

    /// The bit-field with the addresses of its object evaluated once.
    pub(super) fn steady_bits(&mut self, bits: Bits, span: Span) -> Bits {
        let object = self.steady(bits.object, span);
        let own = match (object.ty(), object.pointers(), bits.own) {
            (Some(of), Some(pointers), Place::Cell(pointer, ty)) => {
                let found = field_pointers(&pointers, of, bits.index, &ty);
                let found = found.and_then(|mut all| all.pop());
                Place::Cell(found.unwrap_or(pointer), ty)
            }
            (_, _, own) => own,
        };
        Bits {
            object,
            own,
            ..bits
        }
    }

    /// Arguments that are structs: no bit-field of theirs holds more than its width.
    pub(super) fn assume_in_range(&mut self, function: &Function<'_>) {
        for &node in &function.params {
            let Some(Binding::Object(vars, ty)) = self.bindings.get(&node.id) else {
                continue;
            };
            let both = vars.clone().into_iter().zip(ty.parts().unwrap_or_default());
            let span = self.span(node);
            for (var, part) in both {
                let value = Expr::var(var, part.ty);
                let fits = part.width.map(|width| truncated(value.clone(), width));
                if let Some(fits) = fits.filter(|fits| *fits != value) {
                    let cond = Expr::binary(BinaryOp::Eq, value, fits);
                    self.emit(Basic::Assume { cond }, span);
                }
            }
        }
    }
}
