//! Rules applied to a program by a strategy, each application recorded; derivations done again.

pub(crate) mod application;
pub mod apply;
pub(crate) mod assumption;
pub mod everywhere;
pub(crate) mod missed;
pub mod record;
pub(crate) mod rewriter;
pub(crate) mod stack;
pub mod steps;
