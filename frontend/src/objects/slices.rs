//! Unions with bit-fields in them, held in variables. Their members begin and end at any bit, so that such a union is
//! *slices*: a variable for each stretch of bits between two places where some member begins or ends
//! ([`Record::slices`]). A member is a row of slices, which are combined when it is read; each slice separately may
//! or may not have a value.

use crate::body::code::Code;
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::storage::pointers::same_bits;
use crate::storage::slices::{Sliced, word};
use crate::syntax::Node;
use crate::types::bit_field::truncated;
use crate::types::ctype::{CType, QualifiedType};
use crate::types::layout::unsigned;
use crate::types::record::{Record, no_memory};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;

impl Source<'_, '_> {
    /// A member of a union that is held as slices, or of an object in such a union; `None` for any other object.
    pub(crate) fn sliced_member(
        &self,
        object: &Place,
        index: usize,
        field: &QualifiedType,
        node: &Node,
    ) -> Result<Option<Place>> {
        let ty = match object.ty() {
            Some(ty) => ty.clone(),
            None => return Ok(None),
        };
        let is_sliced = |record: &Record| record.slices().is_some();
        let found = match (object, &ty.ty) {
            (Place::Sliced(sliced), _) => sliced
                .member(index, field.clone())
                .map(|member| Place::Sliced(Box::new(member))),
            (Place::Parts(vars, _), CType::Record(record)) if is_sliced(record) => {
                Sliced::whole(vars.clone(), &ty, record)
                    .and_then(|whole| whole.member(index, field.clone()))
                    .map(|member| Place::Sliced(Box::new(member)))
            }
            (Place::Value(values, _), CType::Record(record)) if is_sliced(record) => {
                let member = Sliced::whole(values.clone(), &ty, record)
                    .and_then(|whole| whole.member(index, field.clone()));
                let values = member.and_then(|member| member.values());
                values.and_then(|mut values| match field.is_single() {
                    true => values.pop().map(Place::Constant),
                    false => Some(Place::Value(values, field.clone())),
                })
            }
            _ => return Ok(None),
        };
        match found {
            Some(place) => Ok(Some(place)),
            None => self.refuse(node, no_memory(field)),
        }
    }
}

impl Code<'_, '_> {
    /// The values of the slices.
    fn values_of(&self, sliced: &Sliced<VarId>) -> Sliced<Expr> {
        let value = |(var, width): &(VarId, u64)| {
            let value = Expr::var(*var, self.vars[var.0 as usize].ty);
            (value, *width)
        };
        Sliced {
            slices: sliced.slices.iter().map(value).collect(),
            ty: sliced.ty.clone(),
            width: sliced.width,
        }
    }

    pub(crate) fn read_sliced(&self, sliced: &Sliced<VarId>, node: &Node) -> Result<Vec<Expr>> {
        match self.values_of(sliced).values() {
            Some(values) => Ok(values),
            None => self.refuse(node, no_memory(&sliced.ty)),
        }
    }

    pub(crate) fn write_sliced(
        &mut self,
        sliced: &Sliced<VarId>,
        values: Vec<Expr>,
        span: Span,
        node: &Node,
    ) -> Result<()> {
        let scalars = sliced.scalars();
        let Some(scalars) = scalars.filter(|scalars| scalars.len() == values.len()) else {
            return self.refuse(node, "an assignment of this type");
        };
        // All are read before any is written, because they may be read from the same variables.
        let mut kept = Vec::new();
        for ((_, of), value) in scalars.iter().zip(values) {
            let value = constant::convert(value, Type::Scalar(of.scalar));
            let bits = match of.scalar.is_float() {
                true => same_bits(value, unsigned(of.scalar.size())),
                false => Some(value),
            };
            let Some(bits) = bits else {
                return self.refuse(node, no_memory(&sliced.ty));
            };
            let bits = constant::convert(bits, Type::Scalar(word(of.width)));
            kept.push(match constant::evaluate(&bits) {
                Some(known) => Expr::constant(known),
                None => self.keep(bits, span),
            });
        }
        for ((slices, _), bits) in scalars.into_iter().zip(kept) {
            let mut at = 0;
            for (var, width) in slices {
                let part = match at {
                    0 => bits.clone(),
                    _ => Expr::binary(BinaryOp::Shr, bits.clone(), Expr::i32(at as i32)),
                };
                let part = truncated(part, width);
                let part = constant::convert(part, self.vars[var.0 as usize].ty);
                let part = match constant::evaluate(&part) {
                    Some(known) => Expr::constant(known),
                    None => part,
                };
                self.assign_var(var, part, span);
                at += width;
            }
        }
        Ok(())
    }
}
