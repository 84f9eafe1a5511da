//! The names conditions and templates may use: analyses (`crate::building::answers`) and term functions
//! (`crate::building::term_functions`).

use crate::language::sort::Sort;

/// What a function gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gives {
    /// A condition: yes, no or unknown.
    Answer,
    /// A term of this sort.
    Term(Sort),
}

/// A function rules may name.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// As rules write it.
    pub name: &'static str,
    /// How many it takes.
    pub arguments: usize,
    /// What it gives for them.
    pub gives: Gives,
}

const fn analysis(name: &'static str, arguments: usize) -> Function {
    Function {
        name,
        arguments,
        gives: Gives::Answer,
    }
}

const fn term(name: &'static str, arguments: usize, sort: Sort) -> Function {
    Function {
        name,
        arguments,
        gives: Gives::Term(sort),
    }
}

/// All of them; `docs/rules.md` says what each means and in which direction it is sound.
pub const FUNCTIONS: &[Function] = &[
    analysis("additive", 2),
    analysis("host_code", 0),
    analysis("synchronous", 0),
    analysis("no_device_code", 0),
    analysis("dead", 2),
    analysis("reads_first", 3),
    analysis("kernel_code", 1),
    analysis("independent", 2),
    analysis("independent_unless_overflow", 3),
    analysis("independent_parts", 3),
    analysis("private_scalars", 1),
    analysis("accumulates", 1),
    analysis("straight", 1),
    analysis("in_place", 1),
    analysis("declared", 1),
    analysis("apart", 2),
    analysis("no_alias", 1),
    analysis("exact_subscripts", 3),
    analysis("within", 3),
    analysis("counted", 3),
    analysis("overwritten", 4),
    analysis("invariant", 2),
    analysis("only_here", 1),
    analysis("writes", 2),
    analysis("reads", 2),
    analysis("uses", 2),
    analysis("assigns", 2),
    analysis("uniform", 1),
    analysis("power_of_two", 1),
    analysis("no_barrier", 1),
    analysis("no_exit", 1),
    analysis("no_memory", 1),
    analysis("no_shared_scalars", 2),
    analysis("integral", 1),
    analysis("signed", 1),
    analysis("reorderable", 1),
    analysis("shared", 1),
    analysis("selected", 2),
    analysis("launched_only", 2),
    analysis("named", 2),
    analysis("own_cell", 3),
    analysis("defined_as", 3),
    analysis("no_shared_arrays", 1),
    analysis("no_own_arrays", 1),
    analysis("carries_none", 2),
    analysis("passes_none", 2),
    analysis("only_assigned", 2),
    analysis("scalar", 1),
    analysis("same_type", 2),
    analysis("same_thread_only", 4),
    term("arrays", 1, Sort::List),
    term("scalars", 2, Sort::List),
    term("assigned", 1, Sort::List),
    term("parameters", 1, Sort::List),
    term("instead", 3, Sort::Operator),
    term("stored_instead", 3, Sort::Operator),
    term("accumulator", 1, Sort::Name),
    term("in_cell", 3, Sort::Operator),
    term("without_memory", 1, Sort::Operator),
    term("with_memory", 1, Sort::Operator),
    term("needed", 2, Sort::Operator),
    term("cells_read", 1, Sort::List),
    term("cells_written", 1, Sort::List),
    term("host_arrays", 3, Sort::List),
    term("arrays_like", 1, Sort::List),
    term("arrays_read", 1, Sort::List),
    term("arrays_written", 1, Sort::List),
    term("extent", 1, Sort::Expr),
    term("at", 2, Sort::List),
    term("in_stream", 2, Sort::Operator),
    term("fresh_like", 2, Sort::List),
    term("fresh", 2, Sort::Name),
    term("fresh_kernel", 1, Sort::Procedure),
    term("on_device", 1, Sort::Operator),
    term("device_of", 1, Sort::Procedure),
    term("body", 1, Sort::Operator),
    term("params", 1, Sort::List),
    term("reach", 4, Sort::Expr),
    term("runs", 3, Sort::Expr),
];

/// The function of that name, if there is one.
pub fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name)
}
