//! Types as they are written.

use super::words;
use gridlock_semantics::algebra::declaration::{ArrayDecl, Space};
use gridlock_semantics::algebra::types::{PointerType, Type};

/// A type as it is written.
pub fn type_text(ty: Type) -> String {
    match ty {
        Type::Scalar(scalar) => words::type_word(scalar).to_owned(),
        Type::Pointer(pointer) => {
            let is_const = if pointer.is_const { "const " } else { "" };
            let is_volatile = if pointer.is_volatile { "volatile " } else { "" };
            let elem = words::type_word(pointer.elem);
            format!("{is_const}{is_volatile}{elem}*")
        }
    }
}

/// The type of an array's name: a pointer to its elements, `const` in constant memory.
pub fn base_type(array: &ArrayDecl) -> PointerType {
    PointerType {
        elem: array.elem,
        is_const: array.space == Space::Constant,
        is_volatile: array.is_volatile,
    }
}
