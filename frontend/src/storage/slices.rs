//! Slices: a value whose members begin and end at any bit, as a variable for each stretch of bits between two places
//! where some member begins or ends (`types/record.rs`).

use crate::constant;
use crate::storage::pointers::same_bits;
use crate::types::bit_field::truncated;
use crate::types::ctype::{CType, QualifiedType};
use crate::types::layout::unsigned;
use crate::types::record::Record;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
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
pub(crate) struct Piece {
    pub start: u64,
    pub width: u64,
    pub scalar: ScalarType,
}

/// A scalar with its slices and their widths.
pub(crate) type Scalar<T> = (Vec<(T, u64)>, Piece);

/// The scalars of a value of a type in the order of its parts; `None` where it has others.
pub(crate) fn pieces(ty: &QualifiedType, start: u64, found: &mut Vec<Piece>) -> Option<()> {
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
    pub fn scalars(&self) -> Option<Vec<Scalar<T>>> {
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
pub(crate) fn put_together(slices: Vec<(Expr, u64)>, of: Piece) -> Option<Expr> {
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

/// The type in which bits are combined and split.
pub(crate) fn word(width: u64) -> ScalarType {
    match width > 32 {
        true => ScalarType::U64,
        false => ScalarType::U32,
    }
}
