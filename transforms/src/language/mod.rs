//! The rule language: text of a rule file to checked rules. The grammar is in `docs/rules.md`.

pub(crate) mod check;
pub mod error;
pub mod functions;
pub(crate) mod lexer;
pub mod library;
pub(crate) mod nearest;
pub(crate) mod parser;
pub(crate) mod parser_expressions;
pub(crate) mod parser_statements;
pub mod pattern;
pub mod sort;
pub mod strategy;
pub(crate) mod strategy_parser;
