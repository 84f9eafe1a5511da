//! Structs and classes: their fields, and the two ways the algebra can hold one.
//!
//! *By value* (a local, a parameter, a result) a struct is its **parts**: one variable for every
//! scalar and every pointer in it, arrays inside taken apart. It is not in memory, so it cannot be
//! part of a race.
//!
//! *In memory* a struct is **cells**: the algebra's arrays have one element type, so `n` structs
//! are one array for each scalar type among the fields (a *group*), each with `n` times as many
//! cells as a struct has of that type, in the order of the fields. A pointer to a struct is a
//! pointer into each of these; they move together, by whole structs, so all of them leave their
//! array at the same index. `float4` has one group: four cells of one array, which a `float *`
//! can reach too. A pointer in memory is a number of 64 bits (`places/stored_pointer.rs`).

use crate::types::bit_field::{BitField, Gap};
use crate::types::contents::has_bit_fields;
use crate::types::ctype::{CType, NoVariable, QualifiedType, describe};
use crate::types::layout::{StructLayout, layout_in_memory, unsigned};
use clang_ast::Id;
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

/// The cell of a pointer in memory.
pub(crate) const POINTER_CELL: ScalarType = ScalarType::U64;

/// Most parts of a value: larger structs are refused by value (they can live in memory).
const MAX_PARTS: usize = 256;
/// Most cells of a union that is a value, or part of one.
const MAX_UNION_CELLS: u64 = 64;
/// Most cells of a union in memory.
const MAX_UNION_MEMORY: u64 = 1 << 16;

#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// `None` for a base class.
    pub id: Option<Id>,
    /// Empty for a base class and for an anonymous struct.
    pub name: String,
    pub ty: QualifiedType,
    /// Of a bit-field.
    pub bits: Option<BitField>,
    /// The unnamed bit-fields directly before it.
    pub gaps: Vec<Gap>,
}

/// A struct or class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// As clang prints it; unique in the unit.
    pub name: String,
    /// Base classes first.
    pub fields: Vec<Field>,
    /// The bit-fields without a name behind the last field.
    pub gaps: Vec<Gap>,
    /// Given by an attribute, in bytes; 0 when none is.
    pub align: u64,
    /// Why it has neither parts nor cells (virtual functions).
    pub trouble: Option<&'static str>,
    /// All members start at the same place.
    pub is_union: bool,
    /// One of OpenCL's vectors.
    pub is_vector: bool,
    /// Its own destructor, unless that does nothing; its members may have others.
    pub destructor: Option<Id>,
}

/// Records are identified by their names.
impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        self.name == other.name
    }
}

impl Eq for Record {}

/// One variable of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// The text behind the variable's name: `.x`, `.pos.y`, `.m[2]`; empty for a scalar.
    pub path: String,
    pub ty: Type,
    /// The field that it is, or belongs to.
    pub field: Option<Id>,
    /// Of a bit-field.
    pub width: Option<u64>,
}

/// The cells of one scalar type in a type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    pub pointer: PointerType,
    /// How many; `None`: not known (`T[]`).
    pub count: Option<u64>,
    /// The name of the cells of one element: `.x`; empty for a scalar.
    pub paths: Vec<String>,
}

impl Record {
    /// The number of the field a member names: clang's id of its declaration, or its name.
    pub fn field(&self, id: Option<Id>, name: &str) -> Option<usize> {
        let by_id = id.and_then(|id| self.fields.iter().position(|f| f.id == Some(id)));
        by_id.or_else(|| {
            let named = |f: &Field| !name.is_empty() && f.name == name;
            self.fields.iter().position(named)
        })
    }

    /// Why it can be neither a value of several parts nor memory.
    pub fn no_value(&self) -> Option<&'static str> {
        let has_cells = || !self.is_union || self.storage().is_some() || self.slices().is_some();
        self.trouble
            .or((!has_cells()).then_some("a union like this one"))
    }

    /// The cells of a union and how many: unsigned, as wide as the smallest scalar among its members; `None` if the
    /// record is not a union, or has members that are not made of scalars.
    pub fn storage(&self) -> Option<(ScalarType, u64)> {
        if !self.is_union || self.trouble.is_some() || self.has_bit_fields() {
            return None;
        }
        let mut least = u64::MAX;
        for field in &self.fields {
            let scalars = layout_in_memory(&field.ty)?;
            let no_cell = |(_, scalar): &(u64, ScalarType)| *scalar == ScalarType::Bool;
            if scalars.is_empty() || scalars.iter().any(no_cell) {
                return None;
            }
            least = scalars.iter().map(|(_, s)| s.size()).fold(least, u64::min);
        }
        let (size, _) = self.size_and_align()?;
        let count = size.checked_div(least)?;
        (count > 0 && count <= MAX_UNION_MEMORY).then(|| (unsigned(least), count))
    }

    /// The widths of a union's cells.
    pub fn cell_widths(&self) -> Option<Vec<u64>> {
        let (cell, count) = self.storage()?;
        Some(vec![cell.size() * 8; usize::try_from(count).ok()?])
    }

    /// The widths, in bits, of the slices of a union with bit-fields in it: a slice ends where some scalar of some
    /// member begins or ends. `None` if the record is not such a union, or has members that are not made of scalars.
    pub fn slices(&self) -> Option<Vec<u64>> {
        let has_bits = |field: &Field| field.bits.is_some() || has_bit_fields(&field.ty);
        if !self.is_union || self.trouble.is_some() || !self.fields.iter().any(has_bits) {
            return None;
        }
        let (size, _) = self.size_and_align()?;
        let bits = size.checked_mul(8)?;
        // No slice is wider than a scalar.
        let mut edges: std::collections::BTreeSet<u64> = (0..bits).step_by(64).collect();
        edges.insert(bits);
        self.edges(0, &mut edges)?;
        let all: Vec<u64> = edges.into_iter().collect();
        (all.len() <= MAX_UNION_CELLS as usize)
            .then(|| all.windows(2).map(|pair| pair[1] - pair[0]).collect())
    }

    /// Where scalars of a struct or union that starts at a bit begin and end.
    fn edges(&self, start: u64, into: &mut std::collections::BTreeSet<u64>) -> Option<()> {
        let layout = self.laid_out()?;
        for (field, at) in self.fields.iter().zip(layout.starts) {
            let at = start + at;
            match field.bits {
                Some(bits) => into.extend([at, at + bits.width]),
                None => field.ty.edges(at, into)?,
            }
        }
        Some(())
    }

    /// Where a field starts, in bytes, as C lays the struct out; `None` for a bit-field.
    pub fn offset(&self, index: usize) -> Option<u64> {
        let bits = *self.laid_out()?.starts.get(index)?;
        self.fields[index].bits.is_none().then_some(bits / 8)
    }

    /// Bytes and alignment, as C lays it out.
    fn size_and_align(&self) -> Option<(u64, u64)> {
        let layout = self.laid_out()?;
        let align = layout.align.max(self.align);
        Some((layout.size().max(1).checked_next_multiple_of(align)?, align))
    }

    /// Where the fields lie, in bits.
    pub fn laid_out(&self) -> Option<StructLayout> {
        if self.trouble.is_some() {
            return None;
        }
        let mut layout = StructLayout::new(self.is_union);
        for field in &self.fields {
            for gap in &field.gaps {
                layout.gap(*gap)?;
            }
            let (bytes, align) = size_and_align(&field.ty)?;
            // An empty base takes no room.
            let is_empty_base =
                field.id.is_none() && field.ty.parts().is_ok_and(|parts| parts.is_empty());
            match field.bits {
                Some(bits) => layout.bit_field(bits.width, bytes)?,
                None if is_empty_base => layout.nothing(),
                None => layout.whole(bytes, align)?,
            }
        }
        for gap in &self.gaps {
            layout.gap(*gap)?;
        }
        Some(layout)
    }

    /// The other bit-fields of the memory location that a bit-field is in.
    pub fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> {
        let location = |field: &Field| field.bits.map(|bits| bits.location);
        let own = self.fields.get(index).and_then(location);
        let same = move |(at, field): (usize, &Field)| {
            (at != index && own.is_some() && location(field) == own).then_some(at)
        };
        self.fields.iter().enumerate().filter_map(same)
    }

    /// Whether some field is a bit-field.
    pub fn has_bit_fields(&self) -> bool {
        self.fields.iter().any(|field| field.bits.is_some())
    }
}

fn size_and_align(ty: &QualifiedType) -> Option<(u64, u64)> {
    match &ty.ty {
        CType::Scalar(scalar) => Some((scalar.size(), scalar.size())),
        CType::Pointer(_) | CType::Reference(_) => Some((8, 8)),
        CType::Array(of, len) => {
            let (size, align) = size_and_align(of)?;
            Some((size.checked_mul((*len)?)?, align))
        }
        CType::Record(record) => record.size_and_align(),
        CType::Status => Some((4, 4)),
        _ => None,
    }
}

impl QualifiedType {
    /// Bytes, as `sizeof` counts them.
    pub fn size(&self) -> Option<u64> {
        match &self.ty {
            CType::Reference(to) => to.size(),
            _ => size_and_align(self).map(|(size, _)| size),
        }
    }

    /// Bytes an address of this type is a multiple of.
    pub fn alignment(&self) -> Option<u64> {
        size_and_align(self).map(|(_, align)| align)
    }

    /// Where the scalars of a value that starts at a bit begin and end; `None` where something in it is no scalar, or
    /// there are very many.
    fn edges(&self, start: u64, into: &mut std::collections::BTreeSet<u64>) -> Option<()> {
        if into.len() > MAX_PARTS {
            return None;
        }
        match &self.ty {
            CType::Scalar(scalar) => into.extend([start, start + scalar.size() * 8]),
            CType::Array(of, Some(len)) => {
                let bits = of.size()?.checked_mul(8)?;
                for index in 0..*len {
                    of.edges(start.checked_add(index.checked_mul(bits)?)?, into)?;
                }
            }
            CType::Record(record) => record.edges(start, into)?,
            _ => return None,
        }
        Some(())
    }

    /// The variables a value of this type is made of.
    ///
    /// # Errors
    /// A type that needs no variable.
    pub fn parts(&self) -> Result<Vec<Part>, NoVariable> {
        let mut parts = Vec::new();
        self.collect_parts("", None, &mut parts)?;
        Ok(parts)
    }

    fn collect_parts(
        &self,
        path: &str,
        own: Option<Id>,
        into: &mut Vec<Part>,
    ) -> Result<(), NoVariable> {
        if into.len() > MAX_PARTS {
            return Err(NoVariable("a struct this large as a value".to_string()));
        }
        match &self.ty {
            CType::Record(record) => {
                if let Some(trouble) = record.no_value() {
                    return Err(NoVariable(trouble.to_string()));
                }
                if let Some((cell, count)) = record.storage() {
                    if count > MAX_UNION_CELLS {
                        let what =
                            format!("a union of more than {MAX_UNION_CELLS} cells as a value");
                        return Err(NoVariable(what));
                    }
                    for index in 0..count {
                        into.push(Part {
                            path: format!("{path}{}", cell_name(index, count)),
                            ty: Type::Scalar(cell),
                            field: own,
                            width: None,
                        });
                    }
                    return Ok(());
                }
                if let Some(slices) = record.slices() {
                    let mut first = 0;
                    for width in slices {
                        let bytes = width.div_ceil(8).next_power_of_two();
                        into.push(Part {
                            path: format!("{path}.bits{first}_{}", first + width - 1),
                            ty: Type::Scalar(unsigned(bytes)),
                            field: own,
                            width: Some(width),
                        });
                        first += width;
                    }
                    return Ok(());
                }
                for field in &record.fields {
                    let path = field_path(path, field);
                    field.ty.collect_parts(&path, field.id, into)?;
                    if let (Some(bits), Some(part)) = (field.bits, into.last_mut()) {
                        part.width = Some(bits.width);
                    }
                }
                Ok(())
            }
            CType::Array(of, Some(len)) => {
                if *len > MAX_PARTS as u64 {
                    return Err(NoVariable("a struct this large as a value".to_string()));
                }
                for index in 0..*len {
                    of.collect_parts(&format!("{path}[{index}]"), own, into)?;
                }
                Ok(())
            }
            CType::Pointer(to) | CType::Reference(to) => {
                let Some(groups) = to.groups() else {
                    let ty = self.variable_type()?;
                    into.push(Part {
                        path: path.to_string(),
                        ty,
                        field: own,
                        width: None,
                    });
                    return Ok(());
                };
                let several = groups.len() != 1;
                for group in groups {
                    let path = match several {
                        true => format!("{path}{}", group.name()),
                        false => path.to_string(),
                    };
                    let ty = Type::Pointer(group.pointer);
                    into.push(Part {
                        path,
                        ty,
                        field: own,
                        width: None,
                    });
                }
                Ok(())
            }
            CType::Status | CType::Group(_) => Ok(()),
            _ => {
                let ty = self.variable_type()?;
                into.push(Part {
                    path: path.to_string(),
                    ty,
                    field: own,
                    width: None,
                });
                Ok(())
            }
        }
    }

    /// Whether a value of this type is one variable.
    pub fn is_single(&self) -> bool {
        match &self.ty {
            CType::Scalar(_) => true,
            CType::Pointer(to) | CType::Reference(to) => {
                to.groups().is_none_or(|groups| groups.len() == 1)
            }
            CType::Record(_) | CType::Array(..) => false,
            _ => true,
        }
    }

    /// The cells memory of this type is made of, by scalar type, in the order of the fields;
    /// `None` when such memory has no meaning.
    pub fn groups(&self) -> Option<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        match &self.ty {
            CType::Scalar(elem) => groups.push(Group {
                pointer: PointerType {
                    elem: *elem,
                    is_const: self.is_const,
                    is_volatile: self.is_volatile,
                },
                count: Some(1),
                paths: vec![String::new()],
            }),
            // A number: see `places/stored_pointer.rs`.
            CType::Pointer(_) => groups.push(Group {
                pointer: PointerType {
                    elem: POINTER_CELL,
                    is_const: self.is_const,
                    is_volatile: self.is_volatile,
                },
                count: Some(1),
                paths: vec![String::new()],
            }),
            CType::Array(of, len) => {
                groups = of.groups()?;
                for group in &mut groups {
                    let repeat = |n: u64| group.count.and_then(|c| n.checked_mul(c));
                    group.count = len.and_then(repeat);
                    group.pointer.is_const |= self.is_const;
                    group.pointer.is_volatile |= self.is_volatile;
                }
            }
            CType::Record(record) => {
                if record.no_value().is_some() || record.slices().is_some() {
                    return None;
                }
                if let Some((cell, count)) = record.storage() {
                    let pointer = PointerType {
                        elem: cell,
                        is_const: self.is_const,
                        is_volatile: self.is_volatile,
                    };
                    let paths = (0..count).map(|index| cell_name(index, count)).collect();
                    return Some(vec![Group {
                        pointer,
                        count: Some(count),
                        paths,
                    }]);
                }
                for field in &record.fields {
                    let Some(inner) = field.ty.groups() else {
                        continue;
                    };
                    for mut group in inner {
                        let count = group.count?;
                        group.paths = inner_paths(field, &group, count);
                        let elem = group.pointer.elem;
                        match groups.iter_mut().find(|g| g.pointer.elem == elem) {
                            Some(known) => {
                                known.count = known.count.and_then(|n| n.checked_add(count));
                                known.pointer.is_volatile |= group.pointer.is_volatile;
                                known.paths.extend(group.paths);
                            }
                            None => {
                                // An assignment of the whole struct assigns the field too.
                                group.pointer.is_const = false;
                                groups.push(group);
                            }
                        }
                    }
                }
                for group in &mut groups {
                    group.pointer.is_const |= self.is_const;
                    group.pointer.is_volatile |= self.is_volatile;
                }
            }
            _ => return None,
        }
        Some(groups)
    }

    /// How many cells of each scalar type lie before field `index` of a struct.
    pub fn cells_before(record: &Record, index: usize, elem: ScalarType) -> Option<u64> {
        let mut before = 0u64;
        for field in &record.fields[..index] {
            let Some(groups) = field.ty.groups() else {
                continue;
            };
            for group in groups.iter().filter(|g| g.pointer.elem == elem) {
                before = before.checked_add(group.count?)?;
            }
        }
        Some(before)
    }
}

/// The name of one cell of a union.
fn cell_name(index: u64, count: u64) -> String {
    match count {
        1 => String::new(),
        _ => format!("[{index}]"),
    }
}

/// Names of the cells a field contributes to a group.
fn inner_paths(field: &Field, group: &Group, count: u64) -> Vec<String> {
    let of_one = group.paths.len().max(1) as u64;
    if count > MAX_PARTS as u64 {
        return vec![field_path("", field)];
    }
    let mut paths = Vec::new();
    for index in 0..count / of_one {
        let index = match field.ty.ty {
            CType::Array(..) => format!("[{index}]"),
            _ => String::new(),
        };
        let whole = format!("{}{index}", field_path("", field));
        paths.extend(group.paths.iter().map(|path| format!("{whole}{path}")));
    }
    paths
}

/// A member of a stand-in without a name of its own for the user: a vector's elements are named after the vector.
const THE_WHOLE: &str = "gridlock_self";

/// The user's name of a field; empty if it is named after the whole.
pub(crate) fn field_name(field: &Field) -> &str {
    match field.name.as_str() {
        THE_WHOLE => "",
        name => name,
    }
}

fn field_path(path: &str, field: &Field) -> String {
    match field_name(field) {
        "" => path.to_string(),
        name => format!("{path}.{name}"),
    }
}

impl Group {
    /// The suffix that distinguishes this group's array from the others of its struct: `.x`, or `.{x,y}`.
    pub fn name(&self) -> String {
        match self.paths.as_slice() {
            [one] => one.clone(),
            [first, .., last] if self.paths.len() > 4 => {
                let strip = |path: &String| path.trim_start_matches('.').to_string();
                format!(".{{{}..{}}}", strip(first), strip(last))
            }
            paths => {
                let strip = |path: &String| path.trim_start_matches('.').to_string();
                let names: Vec<String> = paths.iter().map(strip).collect();
                format!(".{{{}}}", names.join(","))
            }
        }
    }
}

/// Why memory of a type has no meaning, in words.
pub(crate) fn no_memory(ty: &QualifiedType) -> String {
    let mut elem = ty;
    while let CType::Array(of, _) = &elem.ty {
        elem = of;
    }
    match &elem.ty {
        CType::Record(record) if record.no_value().is_some() => {
            record.no_value().unwrap_or_default().to_string()
        }
        other => format!("memory of {}", describe(other)),
    }
}
