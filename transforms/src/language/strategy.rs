//! Strategies are values: where, in which order and how often rules are tried. Combinators after
//! Stratego and ELEVATE; TermWare's strategies are definitions of the library.
//!
//! A strategy is applied to one subterm and succeeds (perhaps changing the program) or fails
//! (changing nothing).

use crate::language::error::TextPosition;

/// How rules are tried on one subterm.
#[derive(Clone, Debug, PartialEq)]
pub enum Strategy {
    /// Succeeds, does nothing.
    Id,
    /// Fails, changes nothing.
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
        /// Of the definition or parameter.
        name: String,
        /// Strategies for its parameters, in order.
        args: Vec<Strategy>,
        /// Where the call stands.
        at: TextPosition,
    },
}

/// `strategy name(params) = body`
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// By which strategies call it, and requests ask for it.
    pub name: String,
    /// Names of strategies it takes, in order.
    pub params: Vec<String>,
    /// What it is short for.
    pub body: Strategy,
    /// Where it stands.
    pub at: TextPosition,
}
