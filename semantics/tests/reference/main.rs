//! Tests of the reference semantics, one file a concept.

mod barriers;
mod building;
mod exploring;
mod generated;
mod paper;
mod rules;
