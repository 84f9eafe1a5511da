//! What a match becomes: conditions answered, terms built from patterns, and where they go.

pub(crate) mod answers;
pub(crate) mod builder;
pub(crate) mod condition;
pub(crate) mod fresh;
pub(crate) mod places;
pub(crate) mod provenance;
pub(crate) mod reasons;
pub(crate) mod replacement;
pub(crate) mod results;
pub(crate) mod term_functions;
pub(crate) mod trace;
