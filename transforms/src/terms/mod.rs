//! Programs as terms: made of programs and back, with their types and their text.

pub mod conversion;
pub mod display;
mod known_nodes;
pub mod term;
pub mod typing;
