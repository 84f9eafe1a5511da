//! The names of memory cells in the source, derived from the declared types. The order of the cells is that of
//! `QualifiedType::groups`. If that order is not certain, the cells get no names and are only numbered.

use crate::types::ctype::{CType, QualifiedType};
use crate::types::record::{POINTER_CELL, Record, field_name};
use gridlock_semantics::algebra::cell_names::{CellNames, Member, Shape};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent};
use gridlock_semantics::algebra::types::ScalarType;
use std::sync::Arc;

/// The cells of an array that holds those of one scalar type of a variable, in memory of its own type: `None` where
/// its cells are other ones.
pub(crate) fn of_variable(decl: &ArrayDecl, ty: &QualifiedType) -> Option<CellNames> {
    // The text behind the variable's name identifies the group.
    let base = decl.name.split(['.', '[']).next()?;
    let (is_array, one, len) = match &ty.ty {
        CType::Array(of, len) => (true, &**of, *len),
        _ => (false, ty, Some(1)),
    };
    let of = group(one, decl.elem)?;
    let is_whole = match decl.extent {
        Extent::Fixed(extent) => len.and_then(|len| of.n_cells()?.checked_mul(len)) == Some(extent),
        // No cells of other types, of which there may be any number.
        Extent::LaunchShared => is_array && one.groups()?.len() == 1,
    };
    is_whole.then(|| CellNames {
        base: base.into(),
        is_array,
        of,
    })
}

/// The cells of one scalar type behind a pointer.
pub(crate) fn behind(name: &str, to: &QualifiedType, elem: ScalarType) -> Option<CellNames> {
    Some(CellNames {
        base: name.into(),
        is_array: true,
        of: group(to, elem)?,
    })
}

/// Cells of a type that have names.
pub(crate) type Behind = (ScalarType, CellNames);

/// The cells behind each pointer among the parts of a value ([`QualifiedType::parts`]), in their order.
pub(crate) fn behind_parts(name: &str, ty: &QualifiedType) -> Vec<Option<Behind>> {
    let mut found = Vec::new();
    collect(name, ty, &mut found);
    found
}

fn collect(path: &str, ty: &QualifiedType, into: &mut Vec<Option<Behind>>) {
    match &ty.ty {
        CType::Record(record) if record.is_union => {
            let known = record.storage().map(|(_, count)| count);
            let count = known.or_else(|| Some(record.slices()?.len() as u64));
            into.extend((0..count.unwrap_or(0)).map(|_| None));
        }
        CType::Record(record) => {
            for field in &record.fields {
                let name = match field_name(field) {
                    "" => path.to_owned(),
                    name => format!("{path}.{name}"),
                };
                collect(&name, &field.ty, into);
            }
        }
        CType::Array(of, Some(len)) => {
            for index in 0..*len {
                collect(&format!("{path}[{index}]"), of, into);
            }
        }
        CType::Pointer(to) | CType::Reference(to) => match to.groups() {
            Some(groups) => {
                let elems = groups.iter().map(|group| group.pointer.elem);
                into.extend(elems.map(|elem| Some((elem, behind(path, to, elem)?))));
            }
            None => into.push(None),
        },
        CType::Status | CType::Group(_) => {}
        _ => into.push(None),
    }
}

/// The cells of one scalar type in a type, as many as there are.
fn group(ty: &QualifiedType, elem: ScalarType) -> Option<Shape> {
    let groups = ty.groups()?;
    let of = groups.iter().find(|group| group.pointer.elem == elem)?;
    let shape = shape(ty, elem)?;
    (shape.n_cells() == of.count && of.count != Some(0)).then_some(shape)
}

fn none() -> Shape {
    Shape::Struct(Arc::new([]))
}

fn cell_if(is_one: bool) -> Shape {
    match is_one {
        true => Shape::Cell,
        false => none(),
    }
}

fn shape(ty: &QualifiedType, elem: ScalarType) -> Option<Shape> {
    match &ty.ty {
        CType::Scalar(scalar) => Some(cell_if(*scalar == elem)),
        CType::Pointer(_) => Some(cell_if(elem == POINTER_CELL)),
        CType::Array(of, Some(len)) => Some(match shape(of, elem)? {
            of if of.n_cells() == Some(0) => of,
            of => Shape::Array(Arc::new(of), *len),
        }),
        // Its cells have as many names as it has members.
        CType::Record(record) if record.is_union => match record.storage()? {
            (cell, _) if cell != elem => Some(none()),
            (_, 1) => Some(Shape::Cell),
            _ => None,
        },
        CType::Record(record) => members(record, elem),
        _ => None,
    }
}

fn members(record: &Record, elem: ScalarType) -> Option<Shape> {
    let mut members = Vec::new();
    for field in &record.fields {
        if field.ty.groups().is_none() {
            continue;
        }
        let shape = shape(&field.ty, elem)?;
        if shape.n_cells() == Some(0) {
            continue;
        }
        let name = field_name(field);
        let is_struct = matches!(&field.ty.ty, CType::Record(record) if !record.is_union);
        if name.is_empty() && !is_struct {
            return None;
        }
        members.push(Member {
            name: name.into(),
            shape,
        });
    }
    let one = matches!(
        members.as_slice(),
        [Member {
            shape: Shape::Cell,
            ..
        }]
    );
    match (is_opaque(record), one) {
        (false, _) => Some(Shape::Struct(members.into())),
        (true, true) => Some(Shape::Cell),
        (true, false) => None,
    }
}

/// Whether a struct is a library's whose members no program names.
fn is_opaque(record: &Record) -> bool {
    let name = record.name.as_str();
    let of_library = ["std::", "cuda::", "nvcuda::", "cooperative_groups::"];
    let is_library = of_library.iter().any(|space| name.starts_with(space));
    let is_number = ["__half", "__nv_bfloat16"].contains(&name) || name.starts_with("__nv_fp8");
    is_library && !name.starts_with("std::pair")
        || is_number
        || name.starts_with("curandState")
        || record
            .fields
            .iter()
            .any(|f| f.name.starts_with("gridlock_"))
}
