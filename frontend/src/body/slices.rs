//! Unions with bit-fields in them, held in variables. Their members begin and end at any bit, so that such a union
//! is *slices*: a variable for each stretch of bits between two places where some member begins or ends
//! ([`Record::slices`]). A member is a row of slices, put together where it is read; each slice knows for itself
//! whether it has a value.

use super::place::Place;
use super::view::{same_bits, unsigned};
use super::{Body, Result};
use crate::bit_field::truncated;
use crate::constant;
use crate::ctype::{CType, QualifiedType};
use crate::record::{Record, no_memory};
use crate::syntax::Node;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// A row of slices, each with its width in bits, seen as a type.
#[derive(Clone, Debug)]
pub(crate) struct Sliced<T> {
    pub slices: Vec<(T, u64)>,
    pub ty: QualifiedType,
    /// Of a bit-field.
    pub width: Option<u64>,
}

/// A scalar of what slices make up: its first bit, its width, its type.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: u64,
    width: u64,
    scalar: ScalarType,
}

/// A scalar with its slices and their widths.
type Scalar<T> = (Vec<(T, u64)>, Piece);

/// The scalars of a value of a type in the order of its parts; `None` where it has others.
fn pieces(ty: &QualifiedType, start: u64, found: &mut Vec<Piece>) -> Option<()> {
    match &ty.ty {
        CType::Scalar(scalar) => found.push(Piece {
            start,
            width: scalar.size() * 8,
            scalar: *scalar,
        }),
        CType::Array(of, Some(len)) => {
            let bits = of.size()?.checked_mul(8)?;
            for index in 0..*len {
                pieces(of, start + index * bits, found)?;
            }
        }
        CType::Record(record) if record.is_union => {
            let mut at = start;
            for width in record.slices().or_else(|| record.cell_widths())? {
                found.push(Piece {
                    start: at,
                    width,
                    scalar: unsigned(width.div_ceil(8).next_power_of_two()),
                });
                at += width;
            }
        }
        CType::Record(record) => {
            let layout = record.laid_out()?;
            for (field, at) in record.fields.iter().zip(layout.starts) {
                match (field.bits, field.ty.scalar()) {
                    (Some(bits), Some(scalar)) => found.push(Piece {
                        start: start + at,
                        width: bits.width,
                        scalar,
                    }),
                    _ => pieces(&field.ty, start + at, found)?,
                }
            }
        }
        _ => return None,
    }
    Some(())
}

impl<T: Clone> Sliced<T> {
    /// The slices of a union's value.
    pub fn whole(values: Vec<T>, ty: &QualifiedType, record: &Record) -> Option<Sliced<T>> {
        let widths = record.slices()?;
        (widths.len() == values.len()).then(|| Sliced {
            slices: values.into_iter().zip(widths).collect(),
            ty: ty.clone(),
            width: None,
        })
    }

    /// The slices of some bits.
    fn range(&self, start: u64, width: u64) -> Option<Vec<(T, u64)>> {
        let (mut at, mut found, mut taken) = (0, Vec::new(), 0);
        for (slice, of) in &self.slices {
            if at >= start && at + of <= start + width {
                found.push((slice.clone(), *of));
                taken += of;
            }
            at += of;
        }
        (taken == width).then_some(found)
    }

    /// Member `index` of the union or struct.
    pub fn member(&self, index: usize, field_ty: QualifiedType) -> Option<Sliced<T>> {
        let CType::Record(record) = &self.ty.ty else {
            return None;
        };
        let start = *record.laid_out()?.starts.get(index)?;
        let bits = record.fields.get(index)?.bits;
        let width = match bits {
            Some(bits) => bits.width,
            None => field_ty.size()?.checked_mul(8)?,
        };
        Some(Sliced {
            slices: self.range(start, width)?,
            ty: field_ty,
            width: bits.map(|bits| bits.width),
        })
    }

    /// Element `index` of the array.
    pub fn element(&self, index: u64) -> Option<Sliced<T>> {
        let CType::Array(of, _) = &self.ty.ty else {
            return None;
        };
        let bits = of.size()?.checked_mul(8)?;
        Some(Sliced {
            slices: self.range(index.checked_mul(bits)?, bits)?,
            ty: (**of).clone(),
            width: None,
        })
    }

    /// The scalars with the slices of each.
    fn scalars(&self) -> Option<Vec<Scalar<T>>> {
        let mut all = Vec::new();
        match (self.width, self.ty.scalar()) {
            (Some(width), Some(scalar)) => all.push(Piece {
                start: 0,
                width,
                scalar,
            }),
            _ => pieces(&self.ty, 0, &mut all)?,
        }
        let own = |piece: Piece| Some((self.range(piece.start, piece.width)?, piece));
        all.into_iter().map(own).collect()
    }
}

impl Sliced<Expr> {
    /// The values of the scalars.
    pub fn values(&self) -> Option<Vec<Expr>> {
        let scalars = self.scalars()?.into_iter();
        scalars
            .map(|(slices, of)| put_together(slices, of))
            .collect()
    }
}

/// The scalar that slices make up, the lowest first.
fn put_together(slices: Vec<(Expr, u64)>, of: Piece) -> Option<Expr> {
    let whole = word(of.width);
    let mut at = 0;
    let mut shifted = Vec::new();
    for (slice, width) in slices {
        let wide = constant::convert(slice, Type::Scalar(whole));
        shifted.push(match at {
            0 => wide,
            _ => Expr::binary(BinaryOp::Shl, wide, Expr::i32(at as i32)),
        });
        at += width;
    }
    let joined = |a, b| Expr::binary(BinaryOp::BitOr, a, b);
    let bits = shifted.into_iter().reduce(joined)?;
    if of.scalar == ScalarType::Bool {
        return Some(constant::to_bool(bits));
    }
    if of.scalar.is_float() {
        return same_bits(
            constant::convert(bits, Type::Scalar(unsigned(of.scalar.size()))),
            of.scalar,
        );
    }
    Some(truncated(
        constant::convert(bits, Type::Scalar(of.scalar)),
        of.width,
    ))
}

/// The type that bits are put together and taken apart in.
fn word(width: u64) -> ScalarType {
    match width > 32 {
        true => ScalarType::U64,
        false => ScalarType::U32,
    }
}

impl Body<'_, '_> {
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

    pub(super) fn read_sliced(&self, sliced: &Sliced<VarId>, node: &Node) -> Result<Vec<Expr>> {
        match self.values_of(sliced).values() {
            Some(values) => Ok(values),
            None => self.refuse(node, no_memory(&sliced.ty)),
        }
    }

    pub(super) fn write_sliced(
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
        // All are read before one is written: they may be read from these very variables.
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

    /// A member of a union that is slices, or of what lies in one; `None` where the object is none.
    pub(super) fn sliced_member(
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
