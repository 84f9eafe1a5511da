//! Strategies are values: where, in which order and how often rules are tried. Combinators after
//! Stratego and ELEVATE; TermWare's strategies are definitions of the library.
//!
//! A strategy is applied to one subterm and succeeds (perhaps changing the program) or fails
//! (changing nothing).

use crate::language::error::Place;
use crate::language::lexer::tokens;
use crate::language::strategy_parser;

#[derive(Clone, Debug, PartialEq)]
pub enum Strategy {
    /// Succeeds, does nothing.
    Id,
    Fail,
    /// One application of the rule here.
    Rule(String),
    /// The second where the first succeeded; fails if either does.
    Then(Box<Strategy>, Box<Strategy>),
    /// `s <+ t`: the second only where the first failed.
    Else(Box<Strategy>, Box<Strategy>),
    /// Succeeds, changing nothing, where `s` fails.
    Not(Box<Strategy>),
    /// On every direct subterm; fails if one does.
    All(Box<Strategy>),
    /// On the first direct subterm where it succeeds.
    One(Box<Strategy>),
    /// On every direct subterm where it succeeds; fails if there is none.
    Some(Box<Strategy>),
    /// Again and again until it fails. Always succeeds.
    Repeat(Box<Strategy>),
    /// A definition of the file or of the library, or a parameter of the definition at hand.
    Call {
        name: String,
        args: Vec<Strategy>,
        at: Place,
    },
}

/// `strategy name(params) = body`
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub name: String,
    pub params: Vec<String>,
    pub body: Strategy,
    pub at: Place,
}

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
