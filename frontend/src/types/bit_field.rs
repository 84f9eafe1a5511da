//! Bit-fields: where they lie, and which of them are one memory location.
//!
//! A bit-field is a variable or a cell of its declared type, like any field, but it takes fewer values. That
//! bit-fields share storage is visible in races: a maximal run of adjacent bit-fields is one *memory location* (C++17
//! [intro.memory], C11 3.14), so that a store to one writes the others back (`Basic::writes_back`). Because each
//! field has a cell of its own, it is known for each field whether it has a value.

use crate::types::record::Field;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// The width of a bit-field whose width clang's tree lacks.
pub(crate) const UNKNOWN_WIDTH: u64 = u64::MAX;

/// The properties of a bit-field that other fields do not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BitField {
    /// In bits; at least 1, at most those of its type.
    pub width: u64,
    /// Counts the memory locations of the struct's bit-fields.
    pub location: u32,
}

/// A bit-field without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    /// In bits; 0 closes the unit.
    pub width: u64,
    /// Of its type.
    pub bytes: u64,
}

/// Sorts declared fields, some with a width, into the named fields and the unnamed bit-fields behind the last of
/// them; the third value says what is wrong with a width.
pub(crate) fn gathered(
    declared: impl Iterator<Item = (Field, Option<u64>)>,
) -> (Vec<Field>, Vec<Gap>, Option<&'static str>) {
    let (mut fields, mut gaps, mut trouble) = (Vec::new(), Vec::new(), None);
    let (mut location, mut is_open) = (0, false);
    for (mut field, width) in declared {
        let Some(width) = width else {
            is_open = false;
            field.gaps = std::mem::take(&mut gaps);
            fields.push(field);
            continue;
        };
        let bytes = field.ty.scalar().map_or(0, |scalar| scalar.size());
        if width > bytes * 8 {
            trouble = Some(match width {
                UNKNOWN_WIDTH => "a bit-field of unknown width",
                _ => "a bit-field wider than its type",
            });
        }
        if width > 0 && !is_open {
            location += 1;
        }
        is_open = width > 0;
        if field.name.is_empty() {
            gaps.push(Gap { width, bytes });
            continue;
        }
        field.bits = Some(BitField { width, location });
        field.gaps = std::mem::take(&mut gaps);
        fields.push(field);
    }
    (fields, gaps, trouble)
}

/// The value of a bit-field after `value`, a number of its type, was assigned: the low bits, of which the highest is
/// the sign if the type is signed. (A value out of range is implementation-defined before C++20; GCC, clang and nvcc
/// wrap.)
pub(crate) fn truncated(value: Expr, width: u64) -> Expr {
    let Some(scalar) = value.ty.scalar() else {
        return value;
    };
    let bits = u64::from(scalar.bits());
    if scalar == ScalarType::Bool || !scalar.is_integer() || width >= bits {
        return value;
    }
    let (plain, signed) = match bits {
        64 => (ScalarType::U64, ScalarType::I64),
        _ => (ScalarType::U32, ScalarType::I32),
    };
    let own = Type::Scalar(scalar);
    let plain_value = crate::constant::convert(value, Type::Scalar(plain));
    let found = match scalar.is_signed() {
        false => {
            let mask = Expr::int(plain, ((1u64 << width) - 1) as i64);
            Expr::binary(BinaryOp::BitAnd, plain_value, mask)
        }
        true => {
            let by = Expr::i32((u64::from(plain.bits()) - width) as i32);
            let high = Expr::binary(BinaryOp::Shl, plain_value, by.clone());
            let high = crate::constant::convert(high, Type::Scalar(signed));
            Expr::binary(BinaryOp::Shr, high, by)
        }
    };
    let found = crate::constant::convert(found, own);
    match crate::constant::evaluate(&found) {
        Some(known) => Expr::constant(known),
        None => found,
    }
}
