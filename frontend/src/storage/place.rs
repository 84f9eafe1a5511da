//! Places: what can be read, written, or pointed to.

use crate::constant;
use crate::storage::pointers::cell_of_view;
use crate::storage::slices::Sliced;
use crate::types::bit_field::truncated;
use crate::types::ctype::{CType, QualifiedType};
use gridlock_semantics::algebra::expr::{Axis, Builtin, Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::types::{ScalarType, Type};

#[derive(Clone, Debug)]
pub(crate) enum Place {
    Var(VarId, Type),
    /// Memory whose cells have one type: a scalar, an array of such that starts there, a struct
    /// like `float4`.
    Cell(Expr, QualifiedType),
    /// A value held in several variables (or none), part by part.
    Parts(Vec<VarId>, QualifiedType),
    /// A member of a union that is held in variables: these cells together, read as this type.
    Overlaid(Vec<VarId>, QualifiedType),
    /// A member of a union with bit-fields in it that is held in variables.
    Sliced(Box<Sliced<VarId>>),
    /// A bit-field of an object that is held in variables or memory.
    Bits(Box<Bits>),
    /// Memory with cells of several types (or none), one pointer a group.
    Cells(Vec<Expr>, QualifiedType),
    /// A value of several parts that can be read only.
    Value(Vec<Expr>, QualifiedType),
    /// `threadIdx` and its kin.
    Coordinates(fn(Axis) -> Builtin),
    /// Can be read only.
    Constant(Expr),
    /// One of several variables of a type, by a number.
    Chosen(Vec<VarId>, Expr, Type),
    /// A `cudaError_t`.
    Status,
}

/// A bit-field.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    pub object: Place,
    /// The number of the field in its object.
    pub index: usize,
    /// Its own variable or cell.
    pub own: Place,
    pub width: u64,
}

impl Place {
    /// The type of an object or of memory.
    pub fn ty(&self) -> Option<&QualifiedType> {
        match self {
            Place::Cell(_, ty)
            | Place::Parts(_, ty)
            | Place::Overlaid(_, ty)
            | Place::Cells(_, ty)
            | Place::Value(_, ty) => Some(ty),
            Place::Sliced(sliced) => Some(&sliced.ty),
            _ => None,
        }
    }

    /// The expressions that determine the place.
    pub fn addresses(&self) -> Vec<Expr> {
        match self {
            Place::Chosen(_, index, _) => vec![index.clone()],
            Place::Bits(bits) => bits.own.addresses(),
            _ => self.pointers().unwrap_or_default(),
        }
    }

    /// Whether the place is this variable, has it as a part, or is found by reading it.
    pub fn names(&self, var: VarId) -> bool {
        let any = |exprs: &[Expr]| exprs.iter().any(|expr| reads(expr, var));
        match self {
            Place::Var(own, _) => *own == var,
            Place::Parts(own, _) | Place::Overlaid(own, _) => own.contains(&var),
            Place::Sliced(sliced) => sliced.slices.iter().any(|(own, _)| *own == var),
            Place::Bits(bits) => bits.object.names(var) || bits.own.names(var),
            Place::Cell(expr, _) | Place::Constant(expr) => reads(expr, var),
            Place::Cells(exprs, _) | Place::Value(exprs, _) => any(exprs),
            Place::Chosen(own, index, _) => own.contains(&var) || reads(index, var),
            Place::Coordinates(_) | Place::Status => false,
        }
    }

    /// The pointers to a place in memory, one a group.
    pub fn pointers(&self) -> Option<Vec<Expr>> {
        match self {
            Place::Cell(pointer, _) => Some(vec![pointer.clone()]),
            Place::Cells(pointers, _) => Some(pointers.clone()),
            _ => None,
        }
    }
}

/// Whether the value of an expression depends on a variable.
pub(crate) fn reads(expr: &Expr, var: VarId) -> bool {
    let mut found = false;
    expr.walk(&mut |e| found |= matches!(e.kind, ExprKind::Var(read) if read == var));
    found
}

/// Memory of a type, by the pointers to its groups.
pub(crate) fn memory(mut pointers: Vec<Expr>, ty: QualifiedType) -> Place {
    match pointers.pop() {
        Some(pointer) if pointers.is_empty() => Place::Cell(pointer, ty),
        last => {
            pointers.extend(last);
            Place::Cells(pointers, ty)
        }
    }
}

/// Whether memory of a type has cells of another.
pub(crate) fn is_view(pointer: &Expr, ty: &QualifiedType) -> bool {
    cell_of_view(std::slice::from_ref(pointer), ty).is_some()
}

/// `pointer + index`, where one step is `count` elements. Offsets of offsets are added.
pub(crate) fn moved(pointer: Expr, index: Expr, count: u64) -> Expr {
    let elements = constant::scale(constant::convert(index, Type::I64), count);
    match &pointer.kind {
        ExprKind::Offset(base, first) => Expr::offset(
            (**base).clone(),
            constant::add_elements((**first).clone(), elements),
        ),
        _ => Expr::offset(pointer, elements),
    }
}

/// Pointers to the groups of field `index` of a struct, from those to the struct's.
pub(crate) fn field_pointers(
    pointers: &[Expr],
    ty: &QualifiedType,
    index: usize,
    field: &QualifiedType,
) -> Option<Vec<Expr>> {
    let CType::Record(record) = &ty.ty else {
        return None;
    };
    let groups = ty.groups().unwrap_or_default();
    let mut chosen = Vec::new();
    for group in field.groups()? {
        let elem = group.pointer.elem;
        let of = groups.iter().position(|g| g.pointer.elem == elem)?;
        let base = pointers.get(of)?;
        let before = QualifiedType::cells_before(record, index, elem)?;
        let at = Expr::int(ScalarType::I64, before as i64);
        chosen.push(match before {
            0 => base.clone(),
            _ => moved(base.clone(), at, 1),
        });
    }
    Some(chosen)
}

impl Bits {
    fn scalar(&self) -> Option<ScalarType> {
        match &self.own {
            Place::Var(_, ty) => ty.scalar(),
            own => own.ty()?.scalar(),
        }
    }

    /// Pointers to the cells of the other fields of its memory location.
    pub fn neighbours(&self) -> Vec<Expr> {
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

    /// The value of the field after `value` was assigned to it.
    pub fn holds(&self, value: Expr) -> Expr {
        match self.scalar() {
            Some(scalar) => truncated(constant::convert(value, Type::Scalar(scalar)), self.width),
            None => value,
        }
    }
}

/// The bit-field of an object whose variable or cell is `own`.
pub(crate) fn of(object: Place, index: usize, own: Place, width: u64) -> Place {
    let bits = Bits {
        object,
        index,
        own,
        width,
    };
    Place::Bits(Box::new(bits))
}
