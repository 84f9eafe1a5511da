//! Ground terms brought to normal form: unconditional rules over helper terms `_f(…)`, lists and
//! integers, innermost first, at speed. Programs are rewritten by [`crate::rewriting::apply`], where rules ask
//! analyses, places matter and every application is kept; here a term is a number.
//!
//! Terms are hash-consed in a [`Bank`] (Ershov, *On programming of arithmetic operations*, CACM 1958;
//! the name is Goto's): equal terms are one, so that equality, and whether a term is known to be
//! normal, cost a look at a table. Rules are found by a discrimination net (`net`; Christian,
//! *Flatterms, discrimination nets, and fast term rewriting*, JAR 1993), their right sides built by small
//! programs (`build`) on a machine with a stack (`machine`).

mod bank;
mod build;
mod machine;
mod net;
mod normal;
mod rules;
mod text;

pub use bank::{Bank, TermId};
pub use machine::OutOfFuel;
pub use normal::{Normaliser, Statistics};
pub use rules::{GroundRules, NotFirstOrder};
pub use text::{Reader, TextError, print, read};
