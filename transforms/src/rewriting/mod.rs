//! Rules applied to a program by a strategy, each application recorded; derivations done again.

pub mod application;
pub mod apply;
pub mod assumption;
pub mod everywhere;
pub mod record;
pub mod rewriter;
pub mod stack;
pub mod steps;
