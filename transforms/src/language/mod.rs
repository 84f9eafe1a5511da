//! The rule language: text of a rule file to checked rules. The grammar is in `docs/rules.md`.

pub mod check;
pub mod error;
pub mod functions;
pub mod lexer;
pub mod library;
pub mod nearest;
pub mod parser;
pub mod parser_expressions;
pub mod parser_statements;
pub mod pattern;
pub mod sort;
pub mod strategy;
pub mod strategy_parser;
