//! Printing programs as C of one dialect or another: what the targets share.

pub(crate) mod address_space;
pub(crate) mod atomic;
pub(crate) mod c_type;
pub(crate) mod dialect;
pub(crate) mod expression;
pub(crate) mod function;
pub(crate) mod gpu_pointer;
pub(crate) mod layout;
pub(crate) mod liveness;
pub(crate) mod names;
pub(crate) mod range;
pub(crate) mod scope;
pub(crate) mod statement;
pub(crate) mod unit;
pub(crate) mod warp;
