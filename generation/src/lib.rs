//! Programs made by a program: random ones, which engines are held against each other with
//! ([`random`], feature `random`), and mutants of written ones, which whoever judges programs is judged
//! by ([`mutate`]).

pub mod mutate;
#[cfg(feature = "random")]
pub mod random;
