//! Terms, rules, strategies and the library of transformations (papers 1 and 2, in the manner of
//! TermWare). A transformation proposes a program; whether it still does what the original did is
//! judged elsewhere, never assumed here.

pub mod analysis;
pub mod answers;
pub mod application;
pub mod apply;
pub mod assumption;
pub mod building;
pub mod condition;
pub mod conversion;
pub mod display;
pub mod everywhere;
pub mod fresh;
pub mod functions;
pub mod ground;
pub mod index;
mod known_nodes;
pub mod language;
pub mod matching;
pub mod modulo;
pub mod places;
pub mod provenance;
pub mod replacement;
pub mod results;
pub mod rewriting;
pub mod rules;
pub mod stack;
pub mod steps;
pub mod strategy;
pub mod term;
pub mod term_functions;
pub mod trace;
pub mod typing;

pub use analysis::{Answer, NoOracle, Oracle};
pub use apply::{Application, Assumption, Derivation, Refusal, Request, TransformError, apply};
pub use language::error::RuleError;
pub use rules::RuleSystem;
