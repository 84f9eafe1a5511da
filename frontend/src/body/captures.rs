//! The variables that lambdas capture.

use crate::storage::place::Place;

/// What a lambda caught when it was made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Captures {
    /// The variables, in the order of the closure's fields.
    pub variables: Vec<clang_ast::Id>,
    pub this: Option<Place>,
    /// The calls read in place that it was made in, when it caught `this`: only within them `this` is that.
    pub made_within: Option<Vec<usize>>,
}
