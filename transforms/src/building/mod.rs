//! What a match becomes: conditions answered, terms built from patterns, and where they go.

pub mod answers;
pub mod builder;
pub mod condition;
pub mod fresh;
pub mod places;
pub mod provenance;
pub mod replacement;
pub mod results;
pub mod term_functions;
pub mod trace;
