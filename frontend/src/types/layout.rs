//! Where the fields of a struct lie, and where the scalars of a type lie, in bytes from its start.

use crate::types::bit_field::Gap;
use crate::types::ctype::{CType, QualifiedType};
use gridlock_semantics::algebra::types::ScalarType;

/// Where the fields of a struct lie, as the ABI of x86-64 (System V, Itanium C++) and that of CUDA have it.
#[derive(Clone, Debug)]
pub(crate) struct StructLayout {
    is_union: bool,
    /// The first bit of each field.
    pub starts: Vec<u64>,
    /// Bits taken so far.
    end: u64,
    /// In bytes.
    pub align: u64,
}

impl StructLayout {
    pub fn new(is_union: bool) -> StructLayout {
        StructLayout {
            is_union,
            starts: Vec::new(),
            end: 0,
            align: 1,
        }
    }

    /// Bytes taken so far.
    pub fn size(&self) -> u64 {
        self.end.div_ceil(8)
    }

    /// A field that is no bit-field.
    pub fn whole(&mut self, bytes: u64, align: u64) -> Option<()> {
        let start = self
            .start()
            .checked_next_multiple_of(align.checked_mul(8)?)?;
        self.align = self.align.max(align);
        self.take(start, bytes.checked_mul(8)?)
    }

    /// A field that takes no room.
    pub fn nothing(&mut self) {
        self.starts.push(self.start());
    }

    /// A bit-field with a name, of a type of so many bytes: it does not straddle units of its type, and the struct
    /// is aligned as the type is.
    pub fn bit_field(&mut self, width: u64, bytes: u64) -> Option<()> {
        let start = self.unit_start(width, bytes)?;
        self.align = self.align.max(bytes);
        self.take(start, width)
    }

    /// A bit-field without a name: takes room, aligns nothing but what follows a width of 0.
    pub fn gap(&mut self, gap: Gap) -> Option<()> {
        let start = self.unit_start(gap.width, gap.bytes)?;
        self.end = self.end.max(start.checked_add(gap.width)?);
        Some(())
    }

    fn start(&self) -> u64 {
        match self.is_union {
            true => 0,
            false => self.end,
        }
    }

    fn unit_start(&self, width: u64, bytes: u64) -> Option<u64> {
        let unit = bytes.checked_mul(8).filter(|unit| *unit > 0)?;
        let start = self.start();
        match width == 0 || start % unit + width > unit {
            true => start.checked_next_multiple_of(unit),
            false => Some(start),
        }
    }

    fn take(&mut self, start: u64, bits: u64) -> Option<()> {
        self.starts.push(start);
        self.end = self.end.max(start.checked_add(bits)?);
        Some(())
    }
}

/// Most cells of one value of a view.
const MAX_CELLS: usize = 64;
/// Most cells of a union, or of a struct in one, in memory.
const MAX_MEMORY: usize = 1 << 16;

/// The integer without sign of a size.
pub(crate) fn unsigned(size: u64) -> ScalarType {
    match size {
        1 => ScalarType::U8,
        2 => ScalarType::U16,
        4 => ScalarType::U32,
        _ => ScalarType::U64,
    }
}

/// The scalars of memory of a type as C lays it out: where each starts, in bytes, and its type;
/// `None` where something in it is no scalar, or there are very many.
pub(crate) fn layout(ty: &QualifiedType) -> Option<Vec<(u64, ScalarType)>> {
    let mut found = Vec::new();
    lay_out(ty, 0, MAX_CELLS, &mut found)?;
    Some(found)
}

/// The same of memory that is not read or written as one value.
pub(crate) fn layout_in_memory(ty: &QualifiedType) -> Option<Vec<(u64, ScalarType)>> {
    let mut found = Vec::new();
    lay_out(ty, 0, MAX_MEMORY, &mut found)?;
    Some(found)
}

fn lay_out(
    ty: &QualifiedType,
    at: u64,
    most: usize,
    found: &mut Vec<(u64, ScalarType)>,
) -> Option<()> {
    if found.len() > most {
        return None;
    }
    match &ty.ty {
        CType::Scalar(scalar) => found.push((at, *scalar)),
        CType::Array(of, Some(len)) => {
            let size = of.size()?;
            for index in 0..*len {
                lay_out(of, at.checked_add(index.checked_mul(size)?)?, most, found)?;
            }
        }
        // Its members lie over one another: what it is made of are its cells.
        CType::Record(record) if record.is_union => {
            let (cell, count) = record.storage()?;
            for index in 0..count {
                found.push((at.checked_add(index.checked_mul(cell.size())?)?, cell));
            }
        }
        CType::Record(record) => {
            for (index, field) in record.fields.iter().enumerate() {
                lay_out(
                    &field.ty,
                    at.checked_add(record.offset(index)?)?,
                    most,
                    found,
                )?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// Whether values of a type lie in cells of another without cutting one: the scalars of the type
/// begin where cells begin and end where they end.
pub(crate) fn fits(ty: &QualifiedType, cell: ScalarType) -> bool {
    let mut of_one = ty;
    while let CType::Array(of, _) = &of_one.ty {
        of_one = of;
    }
    let whole = |bytes: u64| bytes.is_multiple_of(cell.size());
    let is_number = |scalar: ScalarType| scalar == cell || scalar != ScalarType::Bool;
    let scalars = layout_in_memory(of_one).unwrap_or_default();
    cell != ScalarType::Bool
        && !scalars.is_empty()
        && of_one.size().is_some_and(whole)
        && scalars
            .iter()
            .all(|(at, scalar)| whole(*at) && whole(scalar.size()) && is_number(*scalar))
}
