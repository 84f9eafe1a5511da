//! Terms, rules, strategies and the library of transformations (papers 1 and 2, in the manner of
//! TermWare). A transformation proposes a program; whether it still does what the original did is
//! judged elsewhere, never assumed here.

#![warn(missing_docs)]

pub mod analysis;
pub(crate) mod building;
pub mod ground;
pub(crate) mod index;
pub mod language;
pub mod matching;
pub mod rewriting;
pub mod rules;
pub mod terms;

pub use analysis::{Answer, NoOracle, Oracle};
pub use language::error::RuleError;
pub use rewriting::apply::{Derivation, apply};
pub use rewriting::record::{Application, Assumption, Refusal, Request, TransformError};
pub use rules::RuleSystem;
