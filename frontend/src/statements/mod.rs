//! Statements: control, jumps, declarations.

pub(crate) mod axiom;
pub(crate) mod declaration;
pub(crate) mod jump;
pub(crate) mod label;
pub(crate) mod loops;
pub(crate) mod range_loop;
pub(crate) mod scope;
pub(crate) mod statement;
pub(crate) mod structured_binding;
pub(crate) mod switch;
