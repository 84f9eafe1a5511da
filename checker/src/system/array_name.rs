//! The names of arrays in a state.

use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::host::State;

/// The name of an array, `?` where there is none.
pub fn array_name(program: &Program, state: &State, array: ArrayRef) -> String {
    match array {
        ArrayRef::Shared(id) | ArrayRef::Private(id) => program.array(id).name.to_string(),
        ArrayRef::Null => "null".to_owned(),
        _ => state
            .memory
            .array(array)
            .map_or_else(|| "?".to_owned(), |found| found.info.name.to_string()),
    }
}

/// The memory an array lies in.
pub fn space_of(state: &State, array: ArrayRef) -> Option<Space> {
    match array {
        ArrayRef::Shared(_) => Some(Space::Shared),
        ArrayRef::Private(_) => Some(Space::Private),
        ArrayRef::Null => None,
        _ => state.memory.array(array).map(|found| found.info.space),
    }
}
