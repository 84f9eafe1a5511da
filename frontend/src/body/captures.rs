//! The variables that lambdas capture.

use crate::storage::place::Place;

/// The captures of a lambda, made where the lambda is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Captures {
    /// The variables, in the order of the closure's fields.
    pub variables: Vec<clang_ast::Id>,
    pub this: Option<Place>,
    /// If it captures `this`: the calls read in place inside which the lambda was made. Only there `this` has the
    /// captured meaning.
    pub made_within: Option<Vec<usize>>,
}
