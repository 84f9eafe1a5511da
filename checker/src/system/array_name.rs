//! The names of arrays in a state.

use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::ExprKind;
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::operator::Op;
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

/// The declared array of that name that an operator makes pointers of; `None` where it is none, or not the only one.
pub fn declared_in(program: &Program, op: &Op, name: &str) -> Option<ArrayId> {
    let mut found: Vec<ArrayId> = Vec::new();
    for expr in op.expressions() {
        expr.walk(&mut |e| match e.kind {
            ExprKind::ArrayBase(id) if &*program.array(id).name == name => found.push(id),
            _ => {}
        });
    }
    found.sort_unstable();
    found.dedup();
    match found[..] {
        [only] => Some(only),
        _ => None,
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
