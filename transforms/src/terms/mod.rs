//! Programs as terms: made of programs and back, with their types and their text.

pub mod conversion;
pub(crate) mod display;
mod known_nodes;
pub mod term;
pub(crate) mod typing;
