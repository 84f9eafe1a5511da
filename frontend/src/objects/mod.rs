//! Values of several parts: made, initialised, moved between variables and memory.

pub(crate) mod base_class;
pub(crate) mod bits;
pub(crate) mod construct;
pub(crate) mod initialiser;
pub(crate) mod object;
pub(crate) mod object_memory;
pub(crate) mod slices;
pub(crate) mod union_member;
