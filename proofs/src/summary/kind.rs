//! How bits are read.

use gridlock_semantics::algebra::types::ScalarType;

/// How the bits of a term are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Signed,
    Unsigned,
    Truth,
    Float(Width),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    Single,
    Double,
}

impl Kind {
    pub fn of(ty: ScalarType) -> Kind {
        match ty {
            ScalarType::Bool => Kind::Truth,
            ScalarType::F32 => Kind::Float(Width::Single),
            ScalarType::F64 => Kind::Float(Width::Double),
            ty if ty.is_signed() => Kind::Signed,
            _ => Kind::Unsigned,
        }
    }

    fn named(name: &str) -> Kind {
        match name {
            "Bool" => Kind::Truth,
            "F32" => Kind::Float(Width::Single),
            "F64" => Kind::Float(Width::Double),
            name if name.starts_with('U') => Kind::Unsigned,
            _ => Kind::Signed,
        }
    }
}

/// What the result of an operation is.
pub fn result_of(name: &str) -> Kind {
    if let Some((_, to)) = name.split_once(" to ") {
        return Kind::named(to);
    }
    match of_operation(name) {
        ("Lt" | "Le" | "Gt" | "Ge" | "Eq" | "Ne", _) => Kind::Truth,
        (_, kind) => kind,
    }
}

/// The name of an operation left to itself, and what its operands are: `Add F32`, `Elementary(Exp) F32`, `I32 to F32`.
pub fn of_operation(name: &str) -> (&str, Kind) {
    if let Some((from, _)) = name.split_once(" to ") {
        return (name, Kind::named(from));
    }
    match name.rsplit_once(' ') {
        Some((name, ty)) => (name, Kind::named(ty)),
        None => (name, Kind::Signed),
    }
}
