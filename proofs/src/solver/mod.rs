//! Questions to Z3, within a budget counted in its own steps.

pub mod budget;
pub(crate) mod context;
mod integers;
mod parts;
pub(crate) mod possible;
mod small_model;
pub(crate) mod solve;
