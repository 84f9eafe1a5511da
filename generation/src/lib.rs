//! Programs made by a program: random ones (`random`, a feature of that name), which engines are held
//! against each other with, and mutants of written ones ([`mutate`]), which whatever judges programs is
//! judged by; and how many of them a test takes ([`effort`]).

#![warn(missing_docs)]

pub mod effort;
pub mod mutate;
#[cfg(feature = "random")]
pub mod random;
