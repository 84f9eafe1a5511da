//! The strategies that every rule file may use.

use super::lexer::tokens;
use super::strategy::Definition;
use super::strategy_parser;

/// What every rule file may use. `FirstTop`, `TopDown` and `BottomUp` are TermWare's.
pub const LIBRARY: &str = "
    strategy try(s) = s <+ id
    strategy topdown(s) = s; all(topdown(s))
    strategy bottomup(s) = all(bottomup(s)); s
    strategy once(s) = s <+ one(once(s))
    strategy once-bottomup(s) = one(once-bottomup(s)) <+ s
    strategy everywhere(s) = topdown(try(s))
    strategy innermost(s) = bottomup(try(s; innermost(s)))
    strategy outermost(s) = repeat(once(s))
    strategy FirstTop(s) = repeat(once(s))
    strategy TopDown(s) = repeat(once(s)); topdown(repeat(s))
    strategy BottomUp(s) = innermost(s)
";

/// The definitions of [`LIBRARY`].
pub fn library() -> Vec<Definition> {
    let file = "strategy library";
    let read = tokens(file, LIBRARY).and_then(|t| strategy_parser::definitions(file, t));
    read.expect("the strategy library parses: a test reads it")
}
