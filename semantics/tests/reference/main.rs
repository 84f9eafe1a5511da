//! Tests of the reference semantics, one file a concept.

mod exploring;
mod generated;
