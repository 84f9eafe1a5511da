//! Whether a type contains arrays, bit-fields, pointers or gaps.

use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::{Group, Record};

/// Memory of one scalar type without gaps: a pointer to it is a pointer to its cells.
pub(crate) fn is_dense(ty: &QualifiedType) -> bool {
    match (ty.cells(), &ty.ty) {
        (Some(_), CType::Scalar(_)) => true,
        (Some((pointer, Some(count))), _) => {
            is_all_cells(ty)
                && !has_bit_fields(ty)
                && count.checked_mul(pointer.elem.size()) == ty.size()
        }
        _ => false,
    }
}

/// An array of pointers, in as many dimensions as may be: held in variables.
pub(crate) fn is_of_pointers(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Array(of, _) => is_of_pointers(of),
        CType::Pointer(_) => ty.is_single(),
        _ => false,
    }
}

/// A scalar, or an array of scalars.
pub(crate) fn is_of_scalars(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Array(of, _) => is_of_scalars(of),
        CType::Record(_) => false,
        _ => true,
    }
}

/// `const T name[…]`: never written.
pub(crate) fn is_constant_array(ty: &QualifiedType) -> bool {
    matches!(ty.ty, CType::Array(..)) && ty.cells().is_some_and(|(p, _)| p.is_const)
}

/// Whether somewhere in a type there is an array.
pub(crate) fn has_array(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Array(..) => true,
        CType::Record(record) => record.fields.iter().any(|f| has_array(&f.ty)),
        _ => false,
    }
}

/// Whether code runs at the end of the life of an object of a type: its destructor's, or those of members and bases.
pub(crate) fn has_destructor(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Array(of, _) => has_destructor(of),
        CType::Record(record) => {
            record.destructor.is_some() || record.fields.iter().any(|f| has_destructor(&f.ty))
        }
        _ => false,
    }
}

/// Whether somewhere in a type there are bit-fields, so that its cells do not lie as C lays it out.
pub(crate) fn has_bit_fields(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Array(of, _) => has_bit_fields(of),
        CType::Record(record) => {
            record.has_bit_fields() || record.fields.iter().any(|f| has_bit_fields(&f.ty))
        }
        _ => false,
    }
}

/// Whether a struct has a meaning in memory.
pub(crate) fn has_cells(record: &Record) -> bool {
    record.no_value().is_none() && record.slices().is_none()
}

/// Whether an object of a type can be in memory with the pointers in it.
pub(crate) fn is_memory_with_pointers(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Scalar(_) | CType::Pointer(_) => true,
        CType::Array(of, Some(_)) => is_memory_with_pointers(of),
        CType::Record(record) => {
            let fields = || record.fields.iter().map(|field| &field.ty);
            has_cells(record) && fields().all(is_memory_with_pointers)
        }
        _ => false,
    }
}

/// Whether an object of a type can be in memory whole, and has no pointers.
pub(crate) fn is_all_cells(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Scalar(_) => true,
        CType::Array(of, Some(_)) => is_all_cells(of),
        CType::Record(record) => {
            has_cells(record) && record.fields.iter().all(|f| is_all_cells(&f.ty))
        }
        _ => false,
    }
}

/// `void *[n]`
pub(crate) fn is_argument_list(ty: &QualifiedType) -> bool {
    match &ty.ty {
        CType::Array(of, _) => match &of.ty {
            CType::Pointer(to) => to.ty == CType::Void,
            _ => false,
        },
        _ => false,
    }
}

pub(crate) const NOT_DENSE: &str =
    "padding or bit-fields in memory of which the launch says how much there is";

/// Whether the cells of a type have as many bytes as it has, so that a number of bytes says how many there are.
pub(crate) fn has_no_gaps(ty: &QualifiedType) -> bool {
    let own = |group: &Group| group.count?.checked_mul(group.pointer.elem.size());
    let cells: Option<u64> = ty.groups().and_then(|groups| groups.iter().map(own).sum());
    cells.is_none() || cells == ty.size() && !has_bit_fields(ty)
}
