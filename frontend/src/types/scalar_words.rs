//! The words of C's scalar types.

use gridlock_semantics::algebra::types::ScalarType;

/// Whether a word is one of a scalar type, or `void`.
pub(crate) fn is_builtin_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "bool"
            | "_Bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "signed"
            | "unsigned"
            | "float"
            | "double"
    )
}

/// The scalar type that words name, in whatever order.
pub(crate) fn builtin(words: &[&str]) -> Option<ScalarType> {
    let is_unsigned = words.contains(&"unsigned");
    let n_long = words.iter().filter(|w| **w == "long").count();
    let pick = |unsigned, signed| Some(if is_unsigned { unsigned } else { signed });
    match () {
        _ if words.contains(&"bool") || words.contains(&"_Bool") => Some(ScalarType::Bool),
        _ if words.contains(&"float") => Some(ScalarType::F32),
        _ if words.contains(&"double") => (n_long == 0).then_some(ScalarType::F64),
        _ if words.contains(&"char") => pick(ScalarType::U8, ScalarType::I8),
        _ if words.contains(&"short") => pick(ScalarType::U16, ScalarType::I16),
        _ if n_long > 0 => pick(ScalarType::U64, ScalarType::I64),
        _ => pick(ScalarType::U32, ScalarType::I32),
    }
}
